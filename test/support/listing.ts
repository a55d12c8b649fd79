import { onTestFinished, vi } from "vitest";
import { type CrowdOptions, crowdOf } from "../../lab/api-server/crowd.ts";
import { TROUBLED_LOOKS } from "../../lab/api-server/seeded.ts";
import { type Simulator, startSimulator } from "../../lab/api-server/simulator.ts";
import type { SimulatorOptions } from "../../lab/api-server/state.ts";
import { connect } from "../../src/cluster/api/connect.ts";
import { type ListedObservation, observeList } from "../../src/cluster/list/list-observe.ts";
import type { ListScope } from "../../src/cluster/list/list-pages.ts";
import type { PodObservation } from "../../src/explain/observed/observation.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { aRawPod, READY_NODE, SERVER_CLOCK_MS } from "./raw-objects.ts";

/** A simulated API server until the test ends. */
export async function simulatorFor(options: SimulatorOptions): Promise<Simulator> {
  const simulator = await startSimulator(options);
  onTestFinished(() => simulator.close());
  return simulator;
}

/** A clock that begins at `startMs`, in whole milliseconds. */
export function clockFrom(startMs: number): () => number {
  const began = performance.now();
  return () => Math.floor(startMs + performance.now() - began);
}

/** A simulated API server that KUBECONFIG names until the test ends. */
export async function currentCluster(options: SimulatorOptions): Promise<Simulator> {
  const simulator = await simulatorFor(options);
  vi.stubEnv("KUBECONFIG", writeKubeconfig(simulator.cluster, {}));
  return simulator;
}

/** A simulated cluster at 12:10 with web-0 and web-1 of "prod" in back-off, and api-0 of "shop": the flags that name it. */
export async function cluster(
  options: SimulatorOptions = {},
): Promise<{ simulator: Simulator; flags: readonly string[] }> {
  const labels = { app: "web" };
  const objects = [
    aRawPod({ metadata: { labels } }),
    aRawPod({ metadata: { name: "web-1", uid: "uid-of-web-1", creationTimestamp: "2026-11-21T12:05:00Z" } }),
    aRawPod({ metadata: { name: "api-0", namespace: "shop", labels } }),
    READY_NODE,
  ];
  const simulator = await simulatorFor({ objects, clock: () => SERVER_CLOCK_MS, ...options });
  return { simulator, flags: ["--kubeconfig", writeKubeconfig(simulator.cluster)] };
}

export function partsOf(
  simulator: Simulator,
  scope: Partial<ListScope> = {},
  requestTimeoutMs = 5_000,
): AsyncGenerator<ListedObservation> {
  const connection = connect({ kubeconfig: writeKubeconfig(simulator.cluster), requestTimeoutMs, env: {} });
  return observeList(connection, { namespace: null, ...scope }, { localNowMs: Date.UTC(2020, 0, 1) });
}

/** All pods of a list; a list that starts over drops the earlier pods. */
export async function podsOf(parts: AsyncIterable<ListedObservation>): Promise<readonly PodObservation[]> {
  let pods: PodObservation[] = [];
  for await (const part of parts) pods = part.startsOver ? [...part.pods] : [...pods, ...part.pods];
  return pods;
}

export function keysOf(pods: readonly PodObservation[]): string[] {
  return pods.map(({ pod }) => `${pod.namespace}/${pod.name}`);
}

/** The keys of all pods of a crowd that are in trouble. */
export function troubledKeys(options: CrowdOptions): string[] {
  const troubled: readonly string[] = TROUBLED_LOOKS;
  return crowdOf(options)
    .pods.filter(({ look }) => troubled.includes(look))
    .map(({ namespace, name }) => `${namespace}/${name}`);
}

/** Requests in words, e.g. "table 500", "whole 250", "pod", "nodes"; the numbers are their limits. */
export function asked(simulator: Simulator): string[] {
  return simulator.requests.map(({ path, query, headers }) => {
    if (path.endsWith("/nodes")) return "nodes";
    if (/\/nodes\/[^/]+$/.test(path)) return "node";
    if (!path.endsWith("/pods")) return "pod";
    return `${headers.accept?.includes("as=Table") ? "table" : "whole"} ${query.get("limit")}`;
  });
}
