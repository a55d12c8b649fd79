import type { CrashLoopPolicy } from "../kubelet/policy.ts";
import { type CurrentWait, currentWait } from "./current-wait.ts";
import { evidenceOf } from "./evidence.ts";
import type { ContainerExplanation, ImagePull, LastExit, Reset, State, Window } from "./explanation.ts";
import { type ContainerFacts, likeliestEntry } from "./facts.ts";
import { nodeNotReady } from "./gaps.ts";
import { historyOf } from "./history.ts";
import { knownLooks } from "./looks.ts";
import { meaningOfExit } from "./meaning.ts";
import { flatRetryWindow, imagePullOf } from "./next-attempt.ts";
import type { PodObservation } from "./observation.ts";
import { CONFIDENCE, startWindow } from "./start-window.ts";
import { isOver, reportedOf, stateOf } from "./state.ts";
import { type Findings, whyOf } from "./why.ts";

/** A container on its way to an explanation: facts, state and wait, before the siblings' waits are taken into account. */
export interface JudgedWait {
  readonly facts: ContainerFacts;
  readonly state: State;
  readonly wait: CurrentWait | null;
}

/** State and wait of one container. */
export function judge(
  facts: ContainerFacts,
  observed: PodObservation,
  policy: CrashLoopPolicy,
  atMs: number,
): JudgedWait {
  const isDown = !facts.isRunning && !isOver(observed.pod);
  const wait = isDown && facts.decision === "restart" ? currentWait(facts, policy, atMs) : null;
  return { facts, state: stateOf(facts, observed.pod, wait, atMs), wait };
}

/** Explains one container, with the waits of the pod's other containers at hand. */
export function explainContainer(
  judged: JudgedWait,
  siblings: readonly JudgedWait[],
  observed: PodObservation,
  policy: CrashLoopPolicy,
  atMs: number,
): ContainerExplanation {
  const { facts, state, wait } = judged;
  const imagePull =
    state === "starting" && facts.waiting === "image-pull" ? imagePullOf(facts.spec, observed, atMs) : null;
  const delay = isOver(observed.pod) ? UNKNOWN_DELAY : delayOf(judged, policy, atMs);
  const reset = isOver(observed.pod) ? null : resetOf(judged, policy, atMs);
  const lastExit = lastExitOf(facts, observed);
  const found: Findings = {
    ...judged,
    observed,
    policy,
    delayMs: delay.delayMs,
    cause: lastExit?.cause ?? null,
    reset,
    imagePull,
  };
  return {
    name: facts.spec.name,
    type: facts.spec.type,
    image: facts.spec.image,
    state,
    reported: reportedOf(facts),
    restartCount: facts.status?.restartCount ?? 0,
    ...delay,
    nextRestart: nextRestartOf(judged, siblings, observed, policy, atMs, imagePull),
    reset,
    lastExit,
    history: historyOf(facts, observed, policy),
    imagePull,
    why: whyOf(found),
    evidence: evidenceOf({ ...found, wait }),
  };
}

type Delay = Pick<ContainerExplanation, "delayMs" | "delayBasis">;

function delayOf({ facts, state, wait }: JudgedWait, policy: CrashLoopPolicy, atMs: number): Delay {
  if (state === "backing-off" || state === "restarting") {
    if (facts.decision === "restart-all") return { delayMs: 0, delayBasis: "inferred" };
    if (wait !== null) return { delayMs: wait.wait.delayMs, delayBasis: wait.basis };
    return { delayMs: facts.messageDelayMs, delayBasis: facts.messageDelayMs === null ? null : "observed" };
  }
  if (state === "running") {
    const entry = runningEntry(facts, policy, atMs);
    return entry === null ? UNKNOWN_DELAY : { delayMs: entry.delayMs, delayBasis: "inferred" };
  }
  if (state === "starting" && facts.lastExit === null) return { delayMs: 0, delayBasis: "inferred" };
  return UNKNOWN_DELAY;
}

const UNKNOWN_DELAY: Delay = { delayMs: null, delayBasis: null };
const NO_ENTRY = { delayMs: 0, lastUpdateMs: null };

/** The entry of a running container, as it stands now: gone once it has outlived itself. Null if nothing is known. */
function runningEntry(facts: ContainerFacts, policy: CrashLoopPolicy, atMs: number) {
  const run = facts.runs.at(-1);
  if (run === undefined) return facts.status?.restartCount === 0 ? NO_ENTRY : null;
  const likeliest = likeliestEntry(facts.beliefs);
  if (likeliest === null) return null;
  const forgotten = facts.resets.some(
    (reset) => reset.kind !== "image-change" && reset.atMs > (run.startedAtMs ?? 0) + 2_000,
  );
  const { entry } = likeliest;
  if (entry === undefined || forgotten || atMs - entry.lastUpdateMs > policy.resetAfterMs) return NO_ENTRY;
  return entry;
}

function resetOf({ facts, state, wait }: JudgedWait, policy: CrashLoopPolicy, atMs: number): Reset | null {
  if (state === "backing-off" && wait !== null && wait.wait.droppedAtMs !== null) {
    return { atMs: wait.wait.droppedAtMs, how: "during-the-wait" };
  }
  if (state !== "running") return null;
  const entry = runningEntry(facts, policy, atMs);
  if (entry === null || entry.lastUpdateMs === null) return null;
  return { atMs: entry.lastUpdateMs + policy.resetAfterMs, how: "if-it-keeps-running" };
}

function lastExitOf(facts: ContainerFacts, observed: PodObservation): LastExit | null {
  const exit = facts.lastExit;
  if (exit === null) return null;
  const run = facts.runs.findLast((candidate) => candidate.exit === exit);
  const made = exit.reason === "RestartingAllContainers" ? ("restart-all" as const) : ("unknown" as const);
  const cause = run?.cause.cause ?? made;
  const { startedAtMs, finishedAtMs, exitCode, signal, reason, message } = exit;
  const causeBasis = run?.cause.basis ?? "observed";
  const meaning = meaningOfExit(exit, cause, facts.spec, observed);
  return { startedAtMs, finishedAtMs, exitCode, signal, reason, message, cause, causeBasis, meaning };
}

function isFailingToStart(facts: ContainerFacts): boolean {
  return facts.waiting === "start-failure" || facts.waiting === "failed-start-with-exit";
}

/** RestartAllContainers takes 2–3 s where containers stop when asked (measured on v1.37.1), else their grace period. */
const RESTART_ALL_MS = 6_000;

function nextRestartOf(
  judged: JudgedWait,
  siblings: readonly JudgedWait[],
  observed: PodObservation,
  policy: CrashLoopPolicy,
  atMs: number,
  imagePull: ImagePull | null,
): Window | null {
  const { facts, state, wait } = judged;
  if (nodeNotReady(observed) !== null || isOver(observed.pod) || observed.pod.nodeName === null) return null;
  if (imagePull !== null) return imagePull.nextPull;
  if (state === "starting") return isFailingToStart(facts) ? flatRetryWindow(facts.spec, observed, atMs) : null;
  if (state !== "backing-off" && state !== "restarting") return null;
  if (facts.decision === "restart-all") {
    const fromMs = facts.runs.at(-1)?.finishedAtMs ?? atMs;
    return { notBeforeMs: atMs, likelyByMs: Math.max(fromMs, atMs - 3_000) + RESTART_ALL_MS, confidence: CONFIDENCE };
  }
  if (wait === null) return null;
  const planned = siblings.flatMap((sibling) => (sibling.wait === null ? [] : [sibling.wait.wait.plannedAtMs]));
  const runs = siblings.flatMap((sibling) => sibling.facts.runs);
  const isFirstLook = facts.status?.state?.kind === "terminated";
  const looks = knownLooks(observed, [...runs, ...facts.runs], wait.finishedAtMs, isFirstLook, atMs);
  return startWindow(wait, looks, planned, policy, atMs);
}
