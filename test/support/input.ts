import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { observeFiles, type ReadFilesOptions } from "../../src/cluster/files/read-files.ts";
import type { Observation } from "../../src/explain/observed/observation.ts";

export const NOON_MS = Date.UTC(2026, 10, 21, 12, 0, 0);

export function folderOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), "backoff-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

export interface Observed {
  readonly observation: Observation;
  readonly skipped: readonly string[];
}

export async function observePaths(
  filenames: readonly string[],
  overrides: Partial<ReadFilesOptions> = {},
): Promise<Observed> {
  const skipped: string[] = [];
  const observation = await observeFiles({
    filenames,
    stdin: streamOf(""),
    localNowMs: NOON_MS,
    atMs: null,
    onNote: (sentence) => skipped.push(sentence),
    ...overrides,
  });
  return { observation, skipped };
}

export function observeInput(
  input: string | Uint8Array | readonly object[],
  overrides: Partial<ReadFilesOptions> = {},
): Promise<Observed> {
  const content = typeof input === "string" || input instanceof Uint8Array ? input : ndjson(input);
  return observePaths(["-"], { stdin: streamOf(content), ...overrides });
}

export async function onlyPod(objects: readonly object[]) {
  const { observation, skipped } = await observeInput(objects);
  const [pod] = observation.pods;
  if (pod === undefined || observation.pods.length > 1) throw new Error("The input should have one pod");
  return { ...pod, skipped };
}

export function ndjson(objects: readonly object[]): string {
  return objects.map((object) => `${JSON.stringify(object)}\n`).join("");
}

/** Yields small pieces, as a pipe may. */
export async function* streamOf(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content);
  for (let start = 0; start < bytes.length; start += 1000) yield bytes.subarray(start, start + 1000);
}

export function rawPod({ metadata = {}, spec = {}, status = {} }: RawParts = {}): object {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web", namespace: "shop", uid: "u-1", resourceVersion: "100", ...metadata },
    spec: { nodeName: "node-a", containers: [{ name: "app", image: "web:1" }], ...spec },
    status: { phase: "Running", ...status },
  };
}

export function rawEvent({
  metadata = {},
  ...fields
}: {
  readonly metadata?: object;
  readonly [field: string]: unknown;
} = {}) {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: "web.1", namespace: "shop", resourceVersion: "200", ...metadata },
    involvedObject: { kind: "Pod", namespace: "shop", name: "web", uid: "u-1", fieldPath: "spec.containers{app}" },
    type: "Warning",
    reason: "BackOff",
    message: "Back-off restarting failed container",
    ...fields,
  };
}

export function rawNode({ metadata = {}, status = {} }: RawParts = {}): object {
  const nodeInfo = { kubeletVersion: "v1.37.1" };
  return { apiVersion: "v1", kind: "Node", metadata: { name: "node-a", ...metadata }, status: { nodeInfo, ...status } };
}

export function rawConfigz(maxSeconds = 300): object {
  return { kubeletconfig: { crashLoopBackOff: { maxContainerRestartPeriod: `${maxSeconds}s` } } };
}

interface RawParts {
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
}
