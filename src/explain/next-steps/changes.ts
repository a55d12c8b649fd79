import type { NextStep } from "../answer/explanation.ts";
import type { OwnersObservation } from "../observed/observation.ts";
import type { Subject } from "./pod-commands.ts";

const ROLLED_OUT: readonly string[] = ["Deployment", "StatefulSet", "DaemonSet"];

/** Returns the arguments of `kubectl rollout` for the pod's workload; null if that has no rollouts. */
export function rolloutOf({ pod: { name, owners = [], ownerEvidence = [] }, observed }: Subject) {
  const workload = owners.find(({ kind }) => ROLLED_OUT.includes(kind));
  if (workload === undefined) return null;
  const { revisions = [], pods = [] }: Partial<OwnersObservation> = observed.owners ?? {};
  const [newest, before] = revisions;
  const own = pods.find((owned) => owned.name === name)?.revision;
  // An undo does not help if pods of the revision before crash too, or might go back to this pod's own older revision.
  const isInVain = ownerEvidence.some(({ rule }) => rule === "crashes-before-revision") || own !== newest?.name;
  return {
    /** E.g. "deployment/cart". */
    target: `${workload.kind.toLowerCase()}/${workload.name}`,
    /** 0 if the revisions could not be read. */
    revisionCount: revisions.length,
    /** The number of the revision that an undo goes back to; null if it is unknown, or if an undo would not help. */
    undoTo: before === undefined || isInVain ? null : before.number,
  };
}

/** Returns the commands that undo the newest revision, or replace the pod by a new one, which has no back-off. */
export function changesOf(subject: Subject): NextStep[] {
  const { verdict } = subject.pod;
  const mayChange = verdict === "crash-looping" || verdict === "image-pull-back-off" || verdict === "start-failing";
  return mayChange ? [...undo(subject), ...skipWait(subject)] : [];
}

function undo(subject: Subject): NextStep[] {
  const rollout = rolloutOf(subject);
  if (rollout === null || rollout.undoTo === null) return [];
  const workload = subject.observed.owners?.workload;
  const isOrdered = workload?.kind === "StatefulSet" && workload.isOrdered;
  // The controller waits for the pod to be Ready before it replaces it (kubernetes/kubernetes#67250).
  const trap = isOrdered ? "; then delete this pod, which a StatefulSet does not replace while it is not Ready" : "";
  const note = `back to revision ${rollout.undoTo}${trap}`;
  return [subject.commands.change("undo the release", note, "rollout", "undo", rollout.target)];
}

/** Kinds of owners. A Job counts a deleted pod as a failure, and a Node does not restart a deleted static pod. */
const NOT_REPLACED: readonly string[] = ["Job", "Node"];

function skipWait({ pod, container, commands }: Subject): NextStep[] {
  const { owner, name } = pod;
  const isWaiting = container?.state === "backing-off" || container?.imagePull != null;
  if (owner === null || NOT_REPLACED.includes(owner.kind) || !isWaiting || container.nextRestart === null) return [];
  const hasRun = pod.containers.some(({ history }) => history.length > 0);
  const note = `its ${owner.kind} makes a new one${hasRun ? "; the logs of this one are lost" : ""}`;
  return [commands.change("skip the wait", note, "delete", "pod", name)];
}
