import type { TargetsRequest } from "../../src/cluster/pods/target-observe.ts";
import type { Observation, PodObservation } from "../../src/explain/observed/observation.ts";
import { observeWords } from "./observe-targets.ts";

export async function observeWeb0(request: Partial<TargetsRequest> = {}): Promise<Observation> {
  return (await observeWords(["web-0"], request)).observation;
}

export async function observedPod(request: Partial<TargetsRequest> = {}): Promise<PodObservation> {
  const [pod] = (await observeWeb0(request)).pods;
  if (pod === undefined) throw new Error("no pod was observed");
  return pod;
}

export const eventList = (items: object[], more = ""): object => ({
  kind: "EventList",
  metadata: { continue: more },
  items,
});
export const names = (events: PodObservation["events"]): string[] => events.map(({ name }) => name);
