import type { Change, PodExplanation } from "../answer/explanation.ts";
import type { OwnedPod, OwnersObservation } from "../observed/observation.ts";
import { isFailing } from "../triage.ts";

/** The digits of a digest that are printed. */
const SHOWN = 12;

/**
 * Returns a change if the pod's failing containers run another image than its healthy siblings do under the same tag:
 * the tag was pushed again.
 */
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

const LENGTH = "sha256:".length + SHOWN;

function digestsOf(pods: readonly OwnedPod[], container: string, image: string): ReadonlySet<string> {
  const same = pods.flatMap(({ images }) => images.filter((one) => one.container === container && one.image === image));
  return new Set(same.flatMap(({ imageID }) => digestIn(imageID) ?? []));
}

/** E.g. "docker-pullable://app@sha256:1c5e…" → "sha256:1c5e…"; null without a digest of the registry. */
function digestIn(imageID: string): string | null {
  return /@(sha256:[0-9a-f]{64})$/.exec(imageID)?.[1] ?? null;
}
