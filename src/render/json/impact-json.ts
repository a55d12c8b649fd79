import type { Availability, Need, PodExplanation, Workload } from "../../explain/answer/explanation.ts";
import { factInWords } from "../../explain/answer/node-fact.ts";
import { textInUtc } from "../../explain/answer/prose.ts";
import { pick, timeOrNull, windowToJson } from "./json-values.ts";

export function impactToJson(pod: PodExplanation) {
  const { createdAtMs, availability, obstacle, workload, nodeFacts = [], needs = [], neededBy = [] } = pod;
  return {
    createdAt: timeOrNull(createdAtMs),
    workload: workload == null ? null : workloadToJson(workload),
    nodeFacts: nodeFacts.map((fact) => ({
      kind: fact.kind,
      since: timeOrNull(fact.sinceMs),
      sentence: textInUtc(factInWords(pod.node ?? "the node", fact)),
    })),
    needs: needs.map((need) => ({ ...neededToJson(need), sentence: textInUtc(need.sentence) })),
    ...(neededBy.length > 0 && { neededBy: neededBy.map((one) => ({ ...one, basis: "inferred" })) }),
    availability: availability === null ? null : availabilityToJson(availability),
    obstacle:
      obstacle === null
        ? null
        : { ...pick(obstacle, "reason", "message", "count"), since: timeOrNull(obstacle.sinceMs) },
  };
}

export function neededToJson(need: Omit<Need, "sentence">) {
  return {
    ...pick(need, "host", "port", "service", "namespace", "readyEndpoints", "endpoints"),
    pods: need.pods.map(({ name, nextRestart }) => ({ name, nextRestart: windowToJson(nextRestart) })),
  };
}

function availabilityToJson({ sinceMs, downMs, share, basis }: Availability) {
  return { since: timeOrNull(sinceMs), downSeconds: Math.round(downMs / 1000), share: Number(share.toFixed(4)), basis };
}

function workloadToJson(workload: Workload) {
  return {
    ...pick(workload, "kind", "name", "ready", "replicas"),
    unavailableSince: timeOrNull(workload.unavailableSinceMs),
    rolloutStuckSince: timeOrNull(workload.rolloutStuckSinceMs),
    cannotCreate: workload.cannotCreate,
  };
}
