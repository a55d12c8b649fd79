import type { Change, ContainerExplanation, NodeFact, PodExplanation } from "../answer/explanation.ts";
import { factInWords } from "../answer/node-fact.ts";
import { falseSinceMs } from "../observed/lookups.ts";
import { leastOf } from "../observed/max-min.ts";
import type { OwnedPod, OwnersObservation, PodSnapshot } from "../observed/observation.ts";
import { isFailing, mainContainer } from "../triage.ts";

/** Assumed: an inferred beginning of the failures is at most this much too early. */
const INFERRED_BEGINNING_SLACK_MS = 60_000;

/** Infinite if no exit of the pod is known. */
export function firstExitMs({ containers }: PodExplanation): number {
  return leastOf(containers.flatMap(({ history }) => history.flatMap(({ finishedAtMs }) => finishedAtMs ?? [])));
}

/** Assumed: a change after this instant has not caused the failures. Null if unknown. */
export function firstFailureMs(pod: PodExplanation, snapshot: PodSnapshot): number | null {
  const main = mainContainer(pod);
  const failedAtMs = firstFailureOf(main, pod);
  const isOnlyNotReady = pod.verdict === "running" && main?.state === "running" && !isFailing(main);
  const notReadyAtMs = isOnlyNotReady ? falseSinceMs(snapshot, "Ready") : null;
  return notReadyAtMs === null ? failedAtMs : Math.max(notReadyAtMs, failedAtMs ?? notReadyAtMs);
}

function firstFailureOf(main: ContainerExplanation | undefined, pod: PodExplanation): number | null {
  const { history = [], failingSince = null } = main ?? {};
  const firstRun = history.find(({ start, finishedAtMs }) => start === 0 && finishedAtMs !== null);
  const exitedAtMs = firstExitMs(pod);
  if (firstRun !== undefined || failingSince === null)
    return Number.isFinite(exitedAtMs) ? exitedAtMs : pod.createdAtMs;
  if (failingSince.isUpperBound === true) return Math.min(exitedAtMs, failingSince.atMs);
  return failingSince.atMs + (failingSince.basis === "inferred" ? INFERRED_BEGINNING_SLACK_MS : 0);
}

/** Assumed: a change of the node can cause failures that begin within this time after the change. */
export const NODE_CHANGE_TO_FAILURE_MS = 600_000;
/** Assumed: a kubelet reports a condition of its node within this time after the condition has an effect. */
const EFFECT_TO_REPORT_MS = 10_000;

export function nodeChanges(node: string, facts: readonly NodeFact[], failedAtMs: number): Change[] {
  return facts.flatMap((fact): Change[] => {
    const { sinceMs } = fact;
    if (
      sinceMs === null ||
      sinceMs < failedAtMs - NODE_CHANGE_TO_FAILURE_MS ||
      sinceMs > failedAtMs + EFFECT_TO_REPORT_MS
    )
      return [];
    const sentence = factInWords(node, fact);
    return [{ kind: "node", name: node, betweenMs: [sinceMs, sinceMs], by: null, basis: "observed", sentence }];
  });
}

/** Assumed: if healthy pods run the same tag with another digest, the failing pod's digest may be the cause. */
export function digestChanges({ pods }: OwnersObservation, pod: PodExplanation): Change[] {
  const own = pods.find(({ name }) => name === pod.name);
  const healthy = pods.filter(({ isReady, restarts }) => isReady && restarts === 0);
  const failing = pod.containers.filter(isFailing).map(({ name }) => name);
  return (own?.images ?? [])
    .filter(({ container }) => failing.includes(container))
    .flatMap(({ container, image, imageID }): Change[] => {
      const others = digestsOf(healthy, container, image);
      const mine = digestIn(imageID);
      const [other] = others;
      if (mine === null || other === undefined || others.has(mine) || others.size > 1) return [];
      const sentence = `the crashing pod runs ${image}@${mine.slice(0, PRINTED_LENGTH)}…, the healthy ones run the same tag @${other.slice(0, PRINTED_LENGTH)}…`;
      return [{ kind: "image-digest", name: image, betweenMs: null, by: null, basis: "observed", sentence }];
    });
}

const PRINTED_LENGTH = "sha256:".length + 12;

function digestsOf(pods: readonly OwnedPod[], container: string, image: string): ReadonlySet<string> {
  const same = pods.flatMap(({ images }) => images.filter((one) => one.container === container && one.image === image));
  return new Set(same.flatMap(({ imageID }) => digestIn(imageID) ?? []));
}

function digestIn(imageID: string): string | null {
  return /@(sha256:[0-9a-f]{64})$/.exec(imageID)?.[1] ?? null;
}
