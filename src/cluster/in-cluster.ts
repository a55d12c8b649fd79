import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment, Kubeconfig } from "./kubeconfig-files.ts";

/** Where a pod finds the credentials of its service account (client-go v0.37.1, rest/config.go). */
export const SERVICE_ACCOUNT_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";

/** The kubeconfig that a pod's service account amounts to; null outside of a cluster. */
export function inClusterKubeconfig(env: Environment, folder = SERVICE_ACCOUNT_FOLDER): Kubeconfig | null {
  const host = env["KUBERNETES_SERVICE_HOST"];
  const port = env["KUBERNETES_SERVICE_PORT"];
  const tokenFile = join(folder, "token");
  if (!host || !port || !existsSync(tokenFile)) return null;
  const server = `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const namespace = env["POD_NAMESPACE"] || namespaceIn(folder);
  return {
    currentContext: "in-cluster",
    clusters: new Map([["in-cluster", { server, "certificate-authority": join(folder, "ca.crt") }]]),
    users: new Map([["service-account", { tokenFile }]]),
    contexts: new Map([["in-cluster", { cluster: "in-cluster", user: "service-account", namespace }]]),
  };
}

function namespaceIn(folder: string): string | null {
  const file = join(folder, "namespace");
  return existsSync(file) ? readFileSync(file, "utf8").trim() : null;
}
