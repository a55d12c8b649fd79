import { HOUR_MS } from "../../kubelet/go-duration.ts";
import { ageIn } from "../answer/excerpt.ts";
import type { Change, Evidence, Since } from "../answer/explanation.ts";
import { changesInWords, type SettingChange } from "../answer/setting-change.ts";
import { sinceInWords } from "../answer/since.ts";
import { leastOf } from "../observed/max-min.ts";
import type { OwnedPod, OwnersObservation, RevisionSnapshot } from "../observed/observation.ts";
import { concluded, stated } from "../words/evidence.ts";
import { countWords } from "./owner-deployment.ts";
import { templateChanges } from "./template-changes.ts";

interface FailingPod {
  readonly name: string;
  readonly longestRunMs: number;
  readonly isDecidedBy: (setting: SettingChange) => boolean;
  /** If a write of a ConfigMap or Secret may have made the pod fail: the latest possible time of this write. */
  readonly writtenAtMs: number | null;
}

const NO_FINDINGS = { settings: [], isTelling: false, healthy: [], isOtherImage: false } as const;

export function sinceOf(owners: OwnersObservation, pod: FailingPod, atMs: number): Since | null {
  const { own, before, copies } = revisionsOf(owners, pod.name);
  if (own === undefined) return sinceByPods(owners.pods, pod, atMs);
  const { pods } = owners;
  const found = (kind: Since["kind"], more: Partial<Since> = {}): Since => ({
    ...NO_FINDINGS,
    kind,
    revision: own.number,
    name: own.name,
    comparedRevision: before?.number ?? null,
    atMs: inForceAtMs(own, owners),
    isContainerNamed: own.template.containers.length > 1,
    hasCrashed: restartsIn(podsOf(own, pods)) > 0,
    ...more,
  });
  const older = before === undefined ? [] : podsOf(before, pods);
  if (areReadyWithoutRestarts(podsOf(own, pods))) return null;
  if (restartsIn(older.filter((other) => !isHealthy(other, atMs, pod.longestRunMs))) > 0) return found("earlier");
  const healthy = healthyPeers(own.name, pods, pod, atMs);
  if (healthy.length > 0) return found("healthy-peers", { healthy });
  if (before === undefined) return null;
  if (copies.includes(before)) return found("restart");
  const settings = templateChanges(before.template, own.template);
  if (older.length > 0) return older.some(({ isReady }) => isReady) ? found("with", { settings }) : null;
  if (own.isReused) return found("rollback");
  const release = copies.at(-1) ?? own;
  const isTelling = settings.some((setting) => pod.isDecidedBy(setting));
  const { number: revision, name } = release;
  const more = { settings, isTelling, revision, name, atMs: inForceAtMs(release, owners) };
  const isStarting = atMs - (inForceAtMs(own, owners) ?? atMs) < LEAST_READY_MS;
  return restartsIn(podsOf(own, pods)) > 0 || !isStarting ? found("perhaps", more) : null;
}

function sinceByPods(pods: readonly OwnedPod[], pod: FailingPod, atMs: number): Since | null {
  const own = pods.find(({ name }) => name === pod.name);
  const revision = own?.revision ?? null;
  if (own === undefined || revision === null) return null;
  const healthy = healthyPeers(revision, pods, pod, atMs);
  if (healthy.length === 0) return null;
  const unknown = { revision: null, comparedRevision: null, atMs: null, isContainerNamed: false };
  return { ...NO_FINDINGS, ...unknown, kind: "healthy-peers", name: revision, hasCrashed: own.restarts > 0, healthy };
}

function areReadyWithoutRestarts(pods: readonly OwnedPod[]): boolean {
  return restartsIn(pods) === 0 && pods.length > 0 && pods.every(({ isReady }) => isReady);
}

/** Assumed: a pod of a broken revision does not stay Ready for this long. */
const LEAST_READY_MS = 120_000;

export function isHealthy({ readySinceMs }: OwnedPod, atMs: number, longestRunMs = 0): boolean {
  return readySinceMs !== null && atMs - readySinceMs >= Math.max(LEAST_READY_MS, 2 * longestRunMs);
}

/** Leaves out pods that were Ready before `writtenAtMs`, because they may use old values of the ConfigMap or Secret. */
function healthyPeers(revision: string, pods: readonly OwnedPod[], pod: FailingPod, atMs: number): string[] {
  if (pods.some((own) => own.name === pod.name && isHealthy(own, atMs, pod.longestRunMs))) return [];
  const afterMs = pod.writtenAtMs ?? Number.NEGATIVE_INFINITY;
  return pods
    .filter(
      (other) =>
        other.name !== pod.name &&
        other.revision === revision &&
        isHealthy(other, atMs, pod.longestRunMs) &&
        (other.readySinceMs ?? 0) > afterMs,
    )
    .map(({ name }) => name);
}

/** Assumed: a rollout restart within this time after a release reacts to what the release broke. */
const RELEASE_TO_RESTART_MS = HOUR_MS;

/**
 * `before`: the earlier revision to compare with `own`. `copies`: the revisions right before `own` with the same
 * template, newest first.
 */
function revisionsOf({ revisions, pods }: OwnersObservation, podName: string) {
  const revisionName = pods.find(({ name }) => name === podName)?.revision;
  const own = revisions.find(({ name }) => name === revisionName);
  if (own === undefined) return { own, before: undefined, copies: [] };
  const older = revisions.filter(({ number }) => number < own.number);
  const firstOther = older.findIndex((revision) => !hasSameTemplate(revision, own));
  const copies = older.slice(0, firstOther === -1 ? older.length : firstOther);
  const withPods = older.find((revision) => podsOf(revision, pods).length > 0);
  if (withPods !== undefined) return { own, before: withPods, copies };
  // If `own` only restarted a new release, the revision before the release is worth comparing.
  const release = copies.at(-1);
  const isRestartOfRelease =
    release !== undefined &&
    (own.createdAtMs ?? Number.POSITIVE_INFINITY) - (release.createdAtMs ?? 0) <= RELEASE_TO_RESTART_MS;
  return { own, before: isRestartOfRelease ? (older[copies.length] ?? copies[0]) : older[0], copies };
}

/** Returns false also if some settings of a template are unknown, as in redacted data, because they may differ. */
function hasSameTemplate(a: RevisionSnapshot, b: RevisionSnapshot): boolean {
  const isKnown = a.template.isComplete && b.template.isComplete;
  return isKnown && templateChanges(a.template, b.template).length === 0;
}

/** A rollback of a Deployment reuses a ReplicaSet. Then the creation of the revision's oldest known pod counts. */
function inForceAtMs(own: RevisionSnapshot, { pods }: OwnersObservation): number | null {
  if (!own.isReused) return own.createdAtMs;
  const earliest = leastOf(podsOf(own, pods).flatMap((pod) => pod.createdAtMs ?? []));
  return Number.isFinite(earliest) ? earliest : null;
}

export function revisionChange(since: Since | null, atMs: number): Change[] {
  if (since === null || since.kind === "earlier" || since.kind === "healthy-peers") return [];
  const { name, atMs: changedAtMs, settings } = since;
  const betweenMs = changedAtMs === null ? null : ([changedAtMs, changedAtMs] as const);
  const sentence = sinceInWords(since, atMs, "all");
  return [{ kind: "revision", name, betweenMs, by: null, basis: "observed", sentence, settings }];
}

export function revisionEvidence(
  owners: OwnersObservation,
  podName: string,
  since: Since | null,
  atMs: number,
): Evidence[] {
  const { own, before } = revisionsOf(owners, podName);
  if (own === undefined) return since === null ? [] : conclusionOf(since, 0);
  const [newest = own] = owners.revisions;
  const described = (revision: RevisionSnapshot, older?: RevisionSnapshot): string =>
    `revision ${revision.number} (${describe(revision, owners, atMs, older)})`;
  const conclusion = since === null ? [] : conclusionOf(since, own.number);
  if (before !== undefined) {
    const compared = `${described(own, before)}; before it ${described(before)}`;
    return [stated("revisions-compared", compared), ...conclusion];
  }
  const compared =
    newest === own
      ? stated("first-revision", `only ${described(own)} exists, so there is nothing to compare`)
      : stated("revisions-compared", `${described(own)}; after it ${described(newest, own)}`);
  return [compared, ...conclusion];
}

function describe(own: RevisionSnapshot, owners: OwnersObservation, atMs: number, older?: RevisionSnapshot) {
  const pods = podsOf(own, owners.pods);
  const restarts = `${countWords(restartsIn(pods), "restart")} in ${countWords(pods.length, "pod")}`;
  const inForceMs = inForceAtMs(own, owners);
  return [
    ...(older === undefined ? [] : [changesSince(older, own)]),
    ...(own.isReused ? ["a rollback to an earlier template"] : []),
    ...(inForceMs === null ? [] : [`${ageIn(atMs - inForceMs)} old`]),
    pods.length === 0 ? "no pods" : restarts,
  ].join(", ");
}

function changesSince(older: RevisionSnapshot, newer: RevisionSnapshot): string {
  const changes = templateChanges(older.template, newer.template);
  if (changes.length > 0) return changesInWords(changes, newer.template.containers.length > 1, "shareable");
  return hasSameTemplate(older, newer) ? "a restart: the same template" : "the same images";
}

function conclusionOf(
  { kind, name, revision, comparedRevision, hasCrashed, healthy, isOtherImage }: Since,
  ownNumber: number,
): Evidence[] {
  switch (kind) {
    case "earlier":
      return [
        concluded(
          "crashes-before-revision",
          `pods of revision ${comparedRevision} crash too, so revision ${revision} did not start it`,
        ),
      ];
    case "with": {
      const began =
        comparedRevision !== null && ownNumber > comparedRevision + 1
          ? `after revision ${comparedRevision}`
          : `with revision ${revision}`;
      const what = hasCrashed ? "the crashes" : "the failed starts";
      return [
        concluded("crashes-since-revision", `${what} began ${began}; pods of revision ${comparedRevision} are stable`),
      ];
    }
    case "healthy-peers":
      return [
        concluded(
          "healthy-peers",
          `${countWords(healthy.length, "other pod")} of revision ${revision ?? name} ${healthy.length === 1 ? "is" : "are"} healthy, which speaks against the release and for this pod's ${isOtherImage ? "image" : "data or node"}`,
        ),
      ];
    case "restart":
      return [
        stated(
          "template-unchanged",
          `revision ${revision} only restarted the pods: an undo would give them the same template`,
        ),
      ];
    default:
      return [];
  }
}

function podsOf({ name }: RevisionSnapshot, pods: readonly OwnedPod[]): readonly OwnedPod[] {
  return pods.filter(({ revision }) => revision === name);
}

function restartsIn(pods: readonly OwnedPod[]): number {
  return pods.reduce((sum, { restarts }) => sum + restarts, 0);
}
