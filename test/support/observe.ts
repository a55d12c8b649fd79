import { connect } from "../../src/cluster/api/connect.ts";
import { observePod, type PodRequest } from "../../src/cluster/pods/observe-pod.ts";
import type { Observation, PodObservation } from "../../src/explain/observed/observation.ts";
import { writeKubeconfig } from "./kubeconfig.ts";

/** The local clock: another time than the server's. */
export const LOCAL_NOW_MS = Date.UTC(2026, 0, 1);

/** Observes `web-0` of namespace "prod". */
export function observe(request: Partial<PodRequest> = {}, requestTimeoutMs?: number): Promise<Observation> {
  const connection = connect({ kubeconfig: writeKubeconfig(), requestTimeoutMs, env: {} });
  return observePod(connection, {
    name: "web-0",
    nodeConfig: "auto",
    atMs: null,
    localNowMs: LOCAL_NOW_MS,
    ...request,
  });
}

/** Observes `web-0` and returns what was observed of it. */
export async function observedPod(request: Partial<PodRequest> = {}): Promise<PodObservation> {
  const [pod] = (await observe(request)).pods;
  if (pod === undefined) throw new Error("no pod was observed");
  return pod;
}

/** The body of a list of events; `more` is the token of the next page. */
export const eventList = (items: object[], more = ""): object => ({
  kind: "EventList",
  metadata: { continue: more },
  items,
});
export const names = (events: PodObservation["events"]): string[] => events.map(({ name }) => name);
