import type { Evidence } from "./explanation.ts";
import type { OwnedPod, OwnersObservation, RevisionSnapshot } from "./observation.ts";
import { ageIn, concluded, countOf, seen } from "./owner-words.ts";

/**
 * Since when it crashes: the revision that the pod is of, against the one before it. Empty where the pod's revision is not
 * known. That an older revision has no restarts tells only of the pods that are still there.
 */
export function revisionEvidence({ revisions, pods }: OwnersObservation, podName: string, atMs: number): Evidence[] {
  const revisionName = pods.find(({ name }) => name === podName)?.revision;
  const own = revisions.find(({ name }) => name === revisionName);
  if (own === undefined) return [];
  const before = revisions.find(({ number }) => number < own.number);
  const told = `revision ${own.number} (${describe(own, before, pods, atMs)})`;
  if (before === undefined)
    return [seen("first-revision", `${told} is the oldest that is left: there is none to compare it with`)];
  const compared = seen(
    "revisions-compared",
    `${told}; before it revision ${before.number} (${describe(before, own, pods, atMs)})`,
  );
  return [compared, ...conclusion(own, before, pods)];
}

function describe(
  revision: RevisionSnapshot,
  other: RevisionSnapshot | undefined,
  pods: readonly OwnedPod[],
  atMs: number,
): string {
  const age = revision.createdAtMs === null ? [] : [`${ageIn(atMs - revision.createdAtMs)} old`];
  const inside = podsOf(revision, pods);
  const restarts =
    inside.length === 0
      ? "no pods left"
      : `${countOf(restartsIn(inside), "restart")} in ${countOf(inside.length, "pod")}`;
  return [imagesOf(revision, other), ...age, restarts].join(", ");
}

/** The images that the two revisions do not share; the same ones are named as such. */
function imagesOf({ images }: RevisionSnapshot, other: RevisionSnapshot | undefined): string {
  const isShared = ({ container, image }: { container: string; image: string }): boolean =>
    other?.images.some((candidate) => candidate.container === container && candidate.image === image) === true;
  const changed = other === undefined ? images : images.filter((image) => !isShared(image));
  if (changed.length === 0) return "the same images";
  const isNamed = images.length > 1;
  return changed.map(({ container, image }) => `image ${image}${isNamed ? ` of ${container}` : ""}`).join(", ");
}

function conclusion(own: RevisionSnapshot, before: RevisionSnapshot, pods: readonly OwnedPod[]): Evidence[] {
  const [newer, older] = [podsOf(own, pods), podsOf(before, pods)];
  if (restartsIn(newer) === 0 || older.length === 0) return [];
  if (restartsIn(older) === 0 && older.some(({ isReady }) => isReady))
    return [
      concluded(
        "crashes-since-revision",
        `the crashes came with revision ${own.number}: the pods of revision ${before.number} run without any`,
      ),
    ];
  if (restartsIn(older) === 0) return [];
  return [
    concluded(
      "crashes-before-revision",
      `revision ${own.number} is not what began it: pods of revision ${before.number} restart too`,
    ),
  ];
}

function podsOf({ name }: RevisionSnapshot, pods: readonly OwnedPod[]): readonly OwnedPod[] {
  return pods.filter(({ revision }) => revision === name);
}

function restartsIn(pods: readonly OwnedPod[]): number {
  return pods.reduce((sum, { restarts }) => sum + restarts, 0);
}
