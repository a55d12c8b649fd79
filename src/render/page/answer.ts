import { KILLED_BECAUSE } from "../../explain/answer/excerpt.ts";
import type { ContainerExplanation, PodExplanation, Verdict } from "../../explain/answer/explanation.ts";
import {
  awaitsRestart,
  byUrgency,
  isDown,
  isHeldUp,
  isSlowToStart,
  mainContainer,
  troubleOf,
} from "../../explain/triage.ts";
import { ceilToSecond, formatBriefDuration } from "../../kubelet/go-duration.ts";
import { exitClause, obstacleWords } from "./container-words.ts";
import { formatElapsed, isAhead } from "./durations.ts";
import { deletionSentence, failureBesideOthers, failureSentence } from "./ending.ts";
import { nextStart } from "./next-start.ts";
import type { Moment } from "./page.ts";
import { capitalized } from "./paint.ts";

const WITHOUT_NEXT: readonly Verdict[] = ["terminating", "failed", "completed", "unknown"];

interface AnswerForm {
  /** Begins the headline. Null stands for the pod's namespace and name. */
  readonly title?: string | null;
  /** Whether the page has notes about what follows a kill and what follows an exit of the container. */
  readonly hasNotes?: boolean;
}

export function answerOf(pod: PodExplanation, moment: Moment, { title = null, hasNotes = false }: AnswerForm = {}) {
  return { headline: headline(pod, moment, title), next: nextOf(pod, moment, hasNotes) };
}

export function summaryOf(pod: PodExplanation, moment: Moment): string {
  const { isAbout, sentence } = verdictSentence(pod, moment);
  const main = mainContainer(pod);
  const exit = pod.verdict === "running" || pod.verdict === "pending" ? (main?.lastExit ?? null) : null;
  const happened = exit === null ? "" : `Its last instance ${exitClause(exit)}.`;
  const sentences = [isAbout === "pod" ? `The pod ${sentence}` : sentence, happened, nextOf(pod, moment)];
  return sentences.filter((each) => each !== "").join(" ");
}

function nextOf(pod: PodExplanation, moment: Moment, hasNotes = false): string {
  const main = mainContainer(pod);
  if (pod.verdict === "failed") return nextPodOfJob(pod, moment);
  if (main === undefined || WITHOUT_NEXT.includes(pod.verdict)) return "";
  const { waitsFor: first = main } = main;
  return [nextStart(pod, first, moment, hasNotes), first.knownBug?.sentence ?? ""]
    .filter((each) => each !== "")
    .join(" ");
}

function nextPodOfJob({ ownerEvidence = [] }: PodExplanation, { times }: Moment): string {
  const next = ownerEvidence.find(({ rule }) => rule === "job-back-off");
  return next === undefined ? "" : `${capitalized(times.text(next.text))}.`;
}

export function headline(pod: PodExplanation, moment: Moment, title: string | null = null): string {
  const { isAbout, sentence } = verdictSentence(pod, moment);
  if (title !== null) return `${title}: ${isAbout === "pod" ? `${pod.name} ` : ""}${sentence}`;
  return `${pod.namespace}/${pod.name}${isAbout === "pod" ? "" : ":"} ${sentence}`;
}

/** If `isAbout` is "pod", `sentence` lacks its subject, e.g. the pod's name. */
interface VerdictSentence {
  readonly isAbout: "pod" | "container";
  readonly sentence: string;
}

function verdictSentence(pod: PodExplanation, moment: Moment): VerdictSentence {
  const main = mainContainer(pod);
  const isScheduled = pod.node !== null || (main?.reported ?? null) !== null;
  switch (pod.verdict) {
    case "terminating":
      return ofPod(deletionSentence(pod, moment));
    case "failed": {
      const besideOthers = main === undefined ? null : failureBesideOthers(pod, main, moment);
      return besideOthers === null ? ofPod(failureSentence(pod, main)) : ofContainer(besideOthers);
    }
    case "completed":
      return ofPod(pod.ending === null ? "has completed." : failureSentence(pod, main));
    case "unknown":
      return ofPod("has no usable status.");
    case "pending":
      if (main !== undefined && awaitsRestart(main)) return clauses(pod, main, moment);
      return isScheduled ? pendingSentence(pod, moment) : notScheduled(main);
    case "start-failing":
      return isScheduled ? startFailure(pod, main, moment) : notScheduled(main);
    default:
      return main === undefined ? ofPod(`is ${pod.verdict}.`) : clauses(pod, main, moment);
  }
}

function ofPod(sentence: string): VerdictSentence {
  return { isAbout: "pod", sentence };
}

function ofContainer(sentence: string): VerdictSentence {
  return { isAbout: "container", sentence };
}

function clauses(pod: PodExplanation, main: ContainerExplanation, moment: Moment): VerdictSentence {
  const clause = `${main.name} ${predicateOf(pod, main, moment)}${reportedReason(pod, main.waitsFor ?? main)}`;
  return ofContainer(`${clause}${clauseOfOthers(pod, main)}${gatesClause(pod)}.`);
}

function gatesClause({ unreadyGates }: PodExplanation): string {
  return unreadyGates === undefined ? "" : `; the pod isn't Ready: ${unreadyGates}`;
}

function startFailure(pod: PodExplanation, main: ContainerExplanation | undefined, moment: Moment): VerdictSentence {
  // Whether a hostPath works can depend on the node.
  const where = pod.node !== null && main?.obstacle?.cause.startsWith("hostPath ") === true ? ` on ${pod.node}` : "";
  const clause = `can't start${where}${obstacleWords(main?.obstacle, moment)}`;
  const isAboutPod = main === undefined || pod.containers.filter(isHeldUp).length > 1;
  return isAboutPod ? ofPod(`${clause}.`) : ofContainer(`${main.name} ${clause}${clauseOfOthers(pod, main)}.`);
}

function notScheduled(main: ContainerExplanation | undefined): VerdictSentence {
  const cause = main?.obstacle?.cause ?? "";
  return ofPod(cause === "" ? "is not scheduled yet." : `is not scheduled: ${cause}.`);
}

const ROLES = { app: "", init: "init container ", sidecar: "sidecar ", ephemeral: "ephemeral container " } as const;

function pendingSentence(pod: PodExplanation, { nowMs }: Moment): VerdictSentence {
  const busy = byUrgency(pod.containers).find(({ state }) => state === "starting" || state === "running");
  if (busy === undefined) return ofPod("has no running container yet.");
  if (busy.state === "starting") {
    if (busy.hookRunsSinceMs !== null)
      return ofContainer(
        `${busy.name} has been waiting for its postStart hook for ${formatElapsed(nowMs - busy.hookRunsSinceMs)}.`,
      );
    if (!isSlowToStart(pod, busy, nowMs)) return ofContainer(`${busy.name} is starting.`);
    const ageMs = nowMs - (pod.createdAtMs ?? nowMs);
    return ofContainer(`${busy.name} has not started yet, ${formatElapsed(ageMs)} after the pod was created.`);
  }
  const upMs = nowMs - (busy.history.at(-1)?.startedAtMs ?? Number.POSITIVE_INFINITY);
  const length = isAhead(upMs) ? "" : ` for ${formatElapsed(upMs)}`;
  return ofContainer(`${ROLES[busy.type]}${busy.name} has been running${length}${waitingFor(busy, pod)}.`);
}

function waitingFor({ type }: ContainerExplanation, { containers }: PodExplanation): string {
  const [first, ...more] = containers.filter(({ state }) => state === "blocked");
  if (first === undefined) return "";
  const who = more.length === 0 ? `${first.name} starts` : `${more.length + 1} containers start`;
  return `; ${who} ${type === "init" ? "when it finishes" : "when it has started"}`;
}

function predicateOf(pod: PodExplanation, container: ContainerExplanation, moment: Moment): string {
  const { nowMs } = moment;
  const { state, imagePull, beingKilled } = container;
  const looping = pod.verdict === "crash-looping";
  switch (state) {
    case "backing-off":
      return "is in CrashLoopBackOff";
    case "restarting":
      return restartingClause(container, looping);
    case "starting":
      return imagePull === null
        ? "is starting"
        : `can't start: pulling ${imagePull.image} fails${imagePull.cause && `: ${imagePull.cause}`}`;
    case "running":
      if (beingKilled !== null) return `is being killed: ${KILLED_BECAUSE[beingKilled]}`;
      if (!looping) return runningClause(container);
      // `untilOut` is about the reset of a back-off. A restart by RestartAllContainers begins no back-off.
      return container.lastExit?.cause === "restart-all"
        ? `is up again after ${restarts(container)}; a RestartAllContainers rule restarted the whole pod`
        : `is running again; crash-looping until it has stayed up ${untilOut(pod, container, nowMs)}`;
    case "failed":
    case "completed":
      return `has ${state}`;
    case "blocked":
      return blockedClause(pod, container, moment);
    default:
      return `is ${state}`;
  }
}

function blockedClause(pod: PodExplanation, { waitsFor }: ContainerExplanation, moment: Moment): string {
  if (waitsFor === undefined) return "is blocked";
  const { type, name: first, state } = waitsFor;
  const isAtWork = type === "init" && state === "running" && pod.verdict !== "crash-looping";
  const predicate = isAtWork ? "is running" : predicateOf(pod, waitsFor, moment);
  return `waits for ${ROLES[type]}${first}, which ${predicate}`;
}

function untilOut({ policy }: PodExplanation, { reset }: ContainerExplanation, nowMs: number): string {
  const leftMs = reset === null ? 0 : ceilToSecond(reset.atMs - nowMs);
  return `${formatBriefDuration(policy.resetAfterMs)}${leftMs > 0 ? ` (${formatBriefDuration(leftMs)} to go)` : ""}`;
}

function restartingClause({ nextRestart, overdue }: ContainerExplanation, looping: boolean): string {
  if (overdue !== null) return `${looping ? "is crash-looping" : "has exited"}; its restart is overdue`;
  if (nextRestart === null) return looping ? "is crash-looping and down" : "has exited";
  return looping ? "is crash-looping; its restart is due" : "has exited and is about to restart";
}

function runningClause(container: ContainerExplanation): string {
  const { restartCount, isReady } = container;
  const after = restartCount === 0 ? "" : ` after ${restarts(container)}`;
  return `is running${after}${isReady === false ? ", but not ready" : ""}`;
}

function restarts({ restartCount }: ContainerExplanation): string {
  return restartCount === 1 ? "one restart" : `${restartCount} restarts`;
}

function reportedReason(pod: PodExplanation, container: ContainerExplanation): string {
  const { reported } = container;
  if (reported === null || reported === "Running") return "";
  if (reported === "CrashLoopBackOff" && container.state === "backing-off") return "";
  if (container.imagePull !== null) return ` (${reported})`;
  if (container.type === "init") return ` (kubectl shows "Init:${reported}")`;
  return ` (${isInStatusColumn(pod, container) ? "kubectl shows" : "its status says"} "${reported}")`;
}

/**
 * Approximates the column STATUS of `printPod` (kubernetes v1.37.1, pkg/printers/internalversion/printers.go), which
 * goes by the order of the containers in the pod's status. The kubelet sorts app containers there by name
 * (`SortedContainerStatuses`, v1.37.1, pkg/kubelet/types/types.go).
 */
function isInStatusColumn(pod: PodExplanation, container: ContainerExplanation): boolean {
  const apps = pod.containers.filter(({ type }) => type === "app").toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const first = apps.find(({ reported }) => reported !== null && reported !== "Running");
  if (first?.reported !== "Completed") return first === container;
  const failed = apps.find(({ reported, lastExit }) => reported === lastExit?.reason && lastExit.exitCode !== 0);
  if (failed !== undefined) return failed === container;
  return first === container && !apps.some(({ reported, isReady }) => reported === "Running" && isReady === true);
}

function clauseOfOthers({ containers }: PodExplanation, main: ContainerExplanation): string {
  const rest = containers.filter((other) => other !== main);
  const completed = rest.filter(({ type, state }) => type === "app" && state === "completed");
  const notReady = rest.filter((other) => troubleOf(other) === "not-ready");
  return (
    clauseOf(rest.filter(isDown), `is failing${isDown(main) ? " too" : ""}`, "more containers are failing") ||
    clauseOf(notReady, "is not ready", "more containers are not ready") ||
    clauseOf(main.state === "running" ? completed : [], "has completed", "other containers have completed")
  );
}

function clauseOf(containers: readonly ContainerExplanation[], ofOne: string, ofMany: string): string {
  const [first, ...more] = containers;
  if (first === undefined) return "";
  return more.length === 0 ? `; ${first.name} ${ofOne}` : `; ${containers.length} ${ofMany}`;
}
