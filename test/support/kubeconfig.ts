import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { kubeconfigFor } from "./kubeconfig-document.ts";

/** The API server in the kubeconfig of writeKubeconfig(). Nothing listens there. */
export const SERVER = "https://api.example:8080";

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "kubectl-backoff-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

export function writeKubeconfig(cluster: object = { server: SERVER }, user?: object): string {
  return writeDocument(kubeconfigFor(cluster, user));
}

export function writeDocument(document: object | string, name = "config"): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, typeof document === "string" ? document : JSON.stringify(document));
  return file;
}
