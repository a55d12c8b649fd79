import { connect } from "../../src/cluster/api/connect.ts";
import { observeTargets, type TargetsRequest } from "../../src/cluster/pods/target-observe.ts";
import type { Observation, PodObservation } from "../../src/explain/observed/observation.ts";
import { writeKubeconfig } from "./kubeconfig.ts";

/** The local clock differs from the server's. */
export const LOCAL_NOW_MS = Date.UTC(2026, 0, 1);

/** Observes `web-0` of namespace "prod". */
export async function observe(request: Partial<TargetsRequest> = {}, requestTimeoutMs?: number): Promise<Observation> {
  const connection = connect({ kubeconfig: writeKubeconfig(), requestTimeoutMs, env: {} });
  const target = { words: ["web-0"], selector: undefined, allNamespaces: false };
  const moment = { nodeConfig: "auto" as const, atMs: null, localNowMs: LOCAL_NOW_MS };
  return (await observeTargets(connection, { ...target, ...moment, ...request })).observation;
}

/** Like `observe()`, but returns only the pod. */
export async function observedPod(request: Partial<TargetsRequest> = {}): Promise<PodObservation> {
  const [pod] = (await observe(request)).pods;
  if (pod === undefined) throw new Error("no pod was observed");
  return pod;
}

export const eventList = (items: object[], more = ""): object => ({
  kind: "EventList",
  metadata: { continue: more },
  items,
});
export const names = (events: PodObservation["events"]): string[] => events.map(({ name }) => name);
