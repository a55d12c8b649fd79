import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "../objects/untrusted.ts";
import type { Environment, Kubeconfig } from "./kubeconfig-files.ts";

/** Where a pod finds the credentials of its service account (client-go v0.37.1, rest/config.go). */
const SERVICE_ACCOUNT_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";

/** A kubeconfig for a pod's service account; null outside of a cluster. Mirrors `InClusterConfig` of the same file. */
export function inClusterKubeconfig(env: Environment, folder = SERVICE_ACCOUNT_FOLDER): Kubeconfig | null {
  if (!isInCluster(env, folder)) return null;
  const [host = "", port] = [env["KUBERNETES_SERVICE_HOST"], env["KUBERNETES_SERVICE_PORT"]];
  const server = `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const authority = join(folder, "ca.crt");
  const cluster = { server, ...(existsSync(authority) && { "certificate-authority": authority }) };
  const namespace = serviceAccountNamespace(env, folder);
  return {
    currentContext: "in-cluster",
    clusters: new Map([["in-cluster", cluster]]),
    users: new Map([["service-account", { tokenFile: join(folder, "token") }]]),
    contexts: new Map([["in-cluster", { cluster: "in-cluster", user: "service-account", namespace }]]),
  };
}

/** The pod's namespace, null outside of a cluster. Mirrors `Namespace` (client-go v0.37.1, merged_client_builder.go). */
export function serviceAccountNamespace(env: Environment, folder = SERVICE_ACCOUNT_FOLDER): string | null {
  if (!isInCluster(env, folder)) return null;
  const file = join(folder, "namespace");
  return textOf(env["POD_NAMESPACE"]) ?? (existsSync(file) ? textOf(readFileSync(file, "utf8").trim()) : null);
}

function isInCluster(env: Environment, folder: string): boolean {
  return Boolean(env["KUBERNETES_SERVICE_HOST"] && env["KUBERNETES_SERVICE_PORT"]) && existsSync(join(folder, "token"));
}
