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

export async function simulatorFor(options: SimulatorOptions): Promise<Simulator> {
  const simulator = await startSimulator(options);
  onTestFinished(() => simulator.close());
  return simulator;
}

export function clockFrom(startMs: number): () => number {
  const began = performance.now();
  return () => Math.floor(startMs + performance.now() - began);
}

export async function currentCluster(options: SimulatorOptions): Promise<Simulator> {
  const simulator = await simulatorFor(options);
  vi.stubEnv("KUBECONFIG", writeKubeconfig(simulator.cluster, {}));
  return simulator;
}

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

export async function podsOf(parts: AsyncIterable<ListedObservation>): Promise<readonly PodObservation[]> {
  let pods: PodObservation[] = [];
  for await (const part of parts) pods = part.startsOver ? [...part.pods] : [...pods, ...part.pods];
  return pods;
}

export function keysOf(pods: readonly PodObservation[]): string[] {
  return pods.map(({ pod }) => `${pod.namespace}/${pod.name}`);
}

export function troubledKeys(options: CrowdOptions): string[] {
  const troubled: readonly string[] = TROUBLED_LOOKS;
  return crowdOf(options)
    .pods.filter(({ look }) => troubled.includes(look))
    .map(({ namespace, name }) => `${namespace}/${name}`);
}

/** "table 500" is a request for a table of pods with limit=500, "whole 250" one for whole pods with limit=250. */
export function asked(simulator: Simulator): string[] {
  return simulator.requests.map(({ path, query, headers }) => {
    if (path.endsWith("/nodes")) return "nodes";
    if (/\/nodes\/[^/]+$/.test(path)) return "node";
    if (!path.endsWith("/pods")) return "pod";
    return `${headers.accept?.includes("as=Table") ? "table" : "whole"} ${query.get("limit")}`;
  });
}
