import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { kubeconfigFor } from "./kubeconfig-document.ts";

/** The API server that the kubeconfig of `writeKubeconfig` names; nothing listens there. */
export const SERVER = "https://api.example:8080";

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "kubectl-backoff-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Writes a kubeconfig of one context "test" (namespace "prod") and gives its path; it is gone after the test. */
export function writeKubeconfig(cluster: object = { server: SERVER }, user?: object): string {
  return writeDocument(kubeconfigFor(cluster, user));
}

/** Writes any text or object as a file and gives its path; it is gone after the test. */
export function writeDocument(document: object | string, name = "config"): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, typeof document === "string" ? document : JSON.stringify(document));
  return file;
}
