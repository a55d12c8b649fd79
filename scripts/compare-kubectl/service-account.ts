import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Case } from "./cases.ts";
import { kubeconfigOf } from "./cases.ts";
import type { Lab } from "./lab.ts";

/** client-go looks for a service account only here (client-go v0.37.1, rest/config.go). */
const FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";

export function makeServiceAccount(lab: Lab): (() => void) | null {
  if (existsSync(FOLDER)) return null;
  try {
    const made = mkdirSync(FOLDER, { recursive: true });
    writeFileSync(join(FOLDER, "token"), "of-service-account\n");
    writeFileSync(join(FOLDER, "namespace"), "tools\n");
    writeFileSync(join(FOLDER, "ca.crt"), readFileSync(lab.ca));
    return () => rmSync(made ?? dirname(FOLDER), { recursive: true });
  } catch {
    return null;
  }
}

export function podCases(lab: Lab): Case[] {
  const { port } = new URL(lab.url);
  const KUBERNETES = { KUBERNETES_SERVICE_HOST: "127.0.0.1", KUBERNETES_SERVICE_PORT: port };
  const inPod = (name: string, flags: readonly string[] = [], fields: Partial<Case> = {}): Case => ({
    name,
    flags,
    kubeconfigs: [],
    ...fields,
    env: { ...KUBERNETES, ...fields.env },
  });
  const outside = kubeconfigOf(lab, { namespace: "" });
  return [
    inPod("no kubeconfig"),
    inPod("-n", ["-n", "dev"]),
    inPod("--token", ["--token", "of-flag"]),
    inPod("--server", ["-s", `${lab.url}/prefix`, "--certificate-authority", lab.ca], {
      different: "kubectl asks for a name and a password, where this program is anonymous",
    }),
    inPod("--certificate-authority, another's", ["--certificate-authority", lab.file("alice.crt")]),
    inPod("POD_NAMESPACE", [], { env: { POD_NAMESPACE: "own" } }),
    inPod("KUBECONFIG, missing file", [], { kubeconfigs: [lab.file("none")] }),
    inPod("KUBECONFIG, empty file", [], { kubeconfigs: [""] }),
    inPod("KUBECONFIG, without a namespace", [], { kubeconfigs: [outside] }),
    inPod("KUBECONFIG, with a namespace", [], { kubeconfigs: [kubeconfigOf(lab)] }),
    inPod("no KUBERNETES_SERVICE_PORT", [], { env: { KUBERNETES_SERVICE_PORT: "" } }),
    inPod("--as", ["--as", "jane"], {
      different: "kubectl then leaves the service account aside, this program does not",
    }),
    inPod("--insecure-skip-tls-verify", ["--insecure-skip-tls-verify"]),
    inPod("--context, unknown", ["--context", "none"]),
  ];
}
