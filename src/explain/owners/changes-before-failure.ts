import type { Change, NodeFact, PodExplanation } from "../answer/explanation.ts";
import { factInWords } from "../answer/node-fact.ts";
import { leastOf } from "../observed/max-min.ts";
import type { OwnedPod, OwnersObservation } from "../observed/observation.ts";
import { isFailing, mainContainer } from "../triage.ts";

/** An inferred beginning of the failures can be this much too early. */
const TOLERANCE_MS = 60_000;

/**
 * Returns when the pod's failures began, at the latest; a later change is not their cause. If the API still has the
 * first run of the main container, or if its failures have no known beginning, that is the pod's oldest known exit,
 * else its creation. Otherwise it is the known or inferred beginning; where only the latest possible beginning is
 * known, an earlier exit counts instead.
 */
export function firstFailureMs(pod: PodExplanation): number | null {
  const { history = [], failingSince = null } = mainContainer(pod) ?? {};
  const firstRun = history.find(({ start, finishedAtMs }) => start === 0 && finishedAtMs !== null);
  const exits = pod.containers.flatMap((one) => one.history.flatMap(({ finishedAtMs }) => finishedAtMs ?? []));
  const firstExitMs = leastOf(exits);
  if (firstRun !== undefined || failingSince === null)
    return Number.isFinite(firstExitMs) ? firstExitMs : pod.createdAtMs;
  if (failingSince.isLatest === true) return Math.min(firstExitMs, failingSince.atMs);
  return failingSince.atMs + (failingSince.basis === "inferred" ? TOLERANCE_MS : 0);
}

/** A change of the node is news if it came within this time before the failures began. */
export const SHORTLY_MS = 600_000;
/** A kubelet can report a condition of its node this much after the condition has an effect. */
const REPORTED_MS = 10_000;

export function nodeChanges(node: string, facts: readonly NodeFact[], failedAtMs: number): Change[] {
  return facts.flatMap((fact): Change[] => {
    const { sinceMs } = fact;
    if (sinceMs === null || sinceMs < failedAtMs - SHORTLY_MS || sinceMs > failedAtMs + REPORTED_MS) return [];
    const sentence = factInWords(node, fact);
    return [{ kind: "node", name: node, betweenMs: [sinceMs, sinceMs], by: null, basis: "observed", sentence }];
  });
}

/** Returns the tags under which failing containers run another image than healthy pods do: they were pushed again. */
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
      const sentence = `the crashing pod runs ${image}@${mine.slice(0, LENGTH)}…, the healthy ones run the same tag @${other.slice(0, LENGTH)}…`;
      return [{ kind: "image-digest", name: image, betweenMs: null, by: null, basis: "observed", sentence }];
    });
}

/** A digest is printed with 12 digits. */
const LENGTH = "sha256:".length + 12;

function digestsOf(pods: readonly OwnedPod[], container: string, image: string): ReadonlySet<string> {
  const same = pods.flatMap(({ images }) => images.filter((one) => one.container === container && one.image === image));
  return new Set(same.flatMap(({ imageID }) => digestIn(imageID) ?? []));
}

/** Returns the registry's digest in an imageID: "docker-pullable://app@sha256:1c5e…" → "sha256:1c5e…". */
function digestIn(imageID: string): string | null {
  return /@(sha256:[0-9a-f]{64})$/.exec(imageID)?.[1] ?? null;
}
