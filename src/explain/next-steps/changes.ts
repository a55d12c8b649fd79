import type { ContainerExplanation, NextStep } from "../answer/explanation.ts";
import { restoredInWords, type ShownValues } from "../answer/setting-change.ts";
import { TELLING_CAUSES } from "../answer/telling-line.ts";
import type { OwnersObservation } from "../observed/observation.ts";
import { replacesDeletedPods, replacesUnreadyPods } from "../rollout.ts";
import { troubleOf } from "../triage.ts";
import type { Subject } from "./pod-commands.ts";

const ROLLED_OUT: readonly string[] = ["Deployment", "StatefulSet", "DaemonSet"];

export function rolloutOf({ pod: { owners = [] }, observed }: Subject) {
  const workload = owners.find(({ kind }) => ROLLED_OUT.includes(kind));
  if (workload === undefined) return null;
  const { revisions = [], workload: snapshot = null }: Partial<OwnersObservation> = observed.owners ?? {};
  return {
    target: `${workload.kind.toLowerCase()}/${workload.name}`,
    /** 0 if the program has not read the revisions. */
    revisionCount: revisions.length,
    replacesUnready: replacesUnreadyPods(workload.kind, snapshot),
    isPaused: snapshot?.kind === "Deployment" && snapshot.isPaused,
    isOnDelete: snapshot !== null && "updateStrategy" in snapshot && snapshot.updateStrategy === "OnDelete",
  };
}

export function newPodsOf(subject: Subject): NextStep[] {
  const replacement = replacePod(subject);
  if (replacement.length > 0) return replacement;
  if (!isChangeable(subject)) return [];
  const undone = undo(subject);
  return undone.length > 0 ? undone : restart(subject);
}

function isChangeable({ pod: { verdict, since = null }, container }: Subject): boolean {
  if (container !== undefined && troubleOf(container) === "not-ready") return since !== null;
  return verdict === "crash-looping" || verdict === "image-pull-back-off" || verdict === "start-failing";
}

/** `DNS1123SubdomainMaxLength` (k8s.io/apimachinery v0.37.1, pkg/util/validation/validation.go). */
const LONGEST_NAME = 253;

export function lookInside(subject: Subject): NextStep[] {
  const { pod, container, commands } = subject;
  if (!isChangeable(subject)) return [];
  const copy = `${pod.name}-debug`;
  if (container === undefined || !isSilent(container) || copy.length > LONGEST_NAME) return [];
  const words = ["debug", pod.name, "-it", `--copy-to=${copy}`, `--container=${container.name}`];
  const note = `makes a copy of the pod in which ${container.name} runs sh, if its image has one`;
  return [commands.change("look inside", note, words, ["--", "sh"])];
}

export function isSilent({ logs, lastExit }: ContainerExplanation): boolean {
  const isByItself = lastExit !== null && TELLING_CAUSES.includes(lastExit.cause);
  return isByItself && logs?.instance === "last-exit" && logs.lines.length === 0;
}

function undo(subject: Subject): NextStep[] {
  const rollout = rolloutOf(subject);
  const goesTo = rollout === null ? null : undoneRevision(subject);
  // kubectl refuses to undo a rollout of a paused Deployment.
  if (rollout === null || rollout.isPaused || goesTo === null) return [];
  const whyNot = rollout.isOnDelete ? "because of OnDelete" : "while it is not Ready";
  const trap = rollout.replacesUnready ? "" : `; then delete this pod, which is not replaced ${whyNot}`;
  const isPrevious = subject.observed.owners?.revisions[1]?.number === goesTo;
  const to = isPrevious ? [] : [`--to-revision=${goesTo}`];
  const { settings = [], isContainerNamed = false } = subject.pod.since ?? {};
  const noteFor = (shown: ShownValues): string => {
    const restored = restoredInWords(settings, isContainerNamed, shown);
    return `back to revision ${goesTo}${restored && ` (${restored})`}${trap}`;
  };
  const words = ["rollout", "undo", rollout.target, ...to];
  const step = subject.commands.change("undo the release", noteFor("shareable"), words);
  return [noteFor("all") === step.note ? step : { ...step, noteWithValues: noteFor("all") }];
}

/** Null e.g. if pods of the previous revision crash, too: an undo would probably not help. */
export function undoneRevision({ pod: { name, since = null }, observed }: Subject): number | null {
  const { revisions = [], pods = [] }: Partial<OwnersObservation> = observed.owners ?? {};
  const own = pods.find((owned) => owned.name === name)?.revision;
  if (own !== revisions[0]?.name) return null;
  if (since === null) return revisions[1]?.number ?? null;
  return since.kind === "with" || since.kind === "perhaps" ? since.comparedRevision : null;
}

function replacePod({ pod, container, commands }: Subject): NextStep[] {
  const { owner, name } = pod;
  const bug = container?.knownBug ?? null;
  if (bug === null || !bug.isCuredByNewPod || owner === null) return [];
  const isOfJob = owner.kind === "Job";
  if (!isOfJob && !replacesDeletedPods(owner.kind)) return [];
  const counted = isOfJob ? ", and counts this one as failed" : "";
  const note = `its ${owner.kind} makes a new one${counted}; kubelet ${bug.fix} has no such bug`;
  return [commands.change("replace the pod", note, ["delete", "pod", name])];
}

const ONCE_MENDED = "once it is mended";

function restart(subject: Subject): NextStep[] {
  const { pod, container, commands } = subject;
  const { owner, name } = pod;
  const isWaiting = container?.state === "backing-off" || container?.imagePull != null;
  // A program that has finished without an error would probably finish again.
  const hasFinished = container?.lastExit?.cause === "exited" && container.lastExit.exitCode === 0;
  if (owner === null || !replacesDeletedPods(owner.kind) || !isWaiting || hasFinished) return [];
  if (container.nextRestart === null) return [];
  const rollout = rolloutOf(subject);
  // A rollout would also replace the healthy pods of the same revision.
  if (rollout?.replacesUnready === true && pod.since?.kind !== "healthy-peers")
    return [commands.change(ONCE_MENDED, "new pods, which don't wait", ["rollout", "restart", rollout.target])];
  const isHeldBack = pod.ownerEvidence?.some(({ rule }) => rule === "statefulset-waits-for-broken-pod") === true;
  if (isHeldBack) {
    const note = "its StatefulSet makes a new one with the newer template; the logs of this one are lost";
    return [commands.change("take the new template", note, ["delete", "pod", name])];
  }
  const hasRun = pod.containers.some(({ history }) => history.length > 0);
  const note = `its ${owner.kind} makes a new one, which doesn't wait${hasRun ? "; the logs of this one are lost" : ""}`;
  return [commands.change(ONCE_MENDED, note, ["delete", "pod", name])];
}
