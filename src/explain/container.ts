import type { CrashLoopPolicy } from "../kubelet/policy.ts";
import { instantIn } from "./answer/excerpt.ts";
import type { ContainerExplanation, LastExit } from "./answer/explanation.ts";
import type { PodObservation, TerminatedState } from "./observed/observation.ts";
import { delayOf, ifItExitsOf, resetOf, UNKNOWN_DELAY } from "./prediction/entry-now.ts";
import type { JudgedWait } from "./prediction/judged-wait.ts";
import { nextPull } from "./prediction/next-attempt.ts";
import { pendingKill } from "./prediction/next-exit.ts";
import { nextPullOf, nextRestartOf } from "./prediction/next-restart.ts";
import type { PodContext } from "./prediction/pod-context.ts";
import { holdingSidecar, restartAllCycle } from "./prediction/sibling-starts.ts";
import { runtimePace } from "./prediction/start-pace.ts";
import { isCrashLooping, isOver, reportedOf } from "./prediction/state.ts";
import type { ContainerFacts } from "./replay/facts.ts";
import { evidenceOf } from "./words/evidence.ts";
import type { Findings } from "./words/findings.ts";
import { historyOf } from "./words/history.ts";
import { meaningOfExit } from "./words/meaning.ts";
import { waitOf, whyOf } from "./words/why.ts";
import { afterKill, forecastOf } from "./words/why-running.ts";

/** Explains one container, with the waits of the pod's other containers at hand. */
export function explainContainer(
  judged: JudgedWait,
  siblings: readonly JudgedWait[],
  context: PodContext,
): ContainerExplanation {
  const { observed, policy } = context;
  const { facts, state } = judged;
  const ifItExits = isOver(observed.pod) ? null : ifItExitsOf(judged, context);
  const delay = isOver(observed.pod) ? UNKNOWN_DELAY : delayOf(judged, ifItExits);
  const lastExit = lastExitOf(facts, observed, policy);
  const pull = state === "starting" && facts.waiting === "image-pull" ? nextPull(facts.spec, context) : null;
  const next = pull === null ? nextRestartOf(judged, siblings, context) : nextPullOf(pull, context);
  const imagePull = pull?.imagePull ?? null;
  const found = findingsOf(judged, siblings, context, { ...delay, ...next, ifItExits, imagePull }, lastExit);
  const { reset } = found;
  return {
    name: facts.spec.name,
    type: facts.spec.type,
    image: facts.spec.image,
    state,
    reported: reportedOf(facts),
    restartCount: facts.status?.restartCount ?? 0,
    ...(facts.spec.isFromStatus !== true && { settings: facts.spec }),
    isReady: facts.status?.ready ?? null,
    isCrashLooping: isCrashLooping(judged, observed.pod, policy, context.atMs),
    ...delay,
    ...next,
    restartingExits: facts.restartingExits,
    reset,
    ifItExits,
    forecast: forecastIn(found),
    beingKilled: state === "running" ? (found.kill?.cause ?? null) : null,
    lastExit,
    history: historyOf(facts, observed, policy),
    imagePull,
    obstacle: judged.obstacle,
    wait: waitOf(found),
    why: whyOf(found),
    evidence: evidenceOf(found),
  };
}

/** Of a kill in progress what comes after it. */
function forecastIn({ facts, kill, ifItExits }: Findings): string | null {
  const [next] = ifItExits ?? [];
  if (next === undefined) return null;
  return kill === null ? forecastOf(ifItExits, facts) : afterKill(next);
}

function findingsOf(
  judged: JudgedWait,
  siblings: readonly JudgedWait[],
  context: PodContext,
  { delayMs, ifItExits, overdue, imagePull }: Pick<Findings, "delayMs" | "ifItExits" | "overdue" | "imagePull">,
  lastExit: LastExit | null,
): Findings {
  const { observed, policy, atMs } = context;
  return {
    ...judged,
    observed,
    policy,
    runtime: runtimePace([judged.facts, ...siblings.map(({ facts }) => facts)], context),
    kill: pendingKill(judged.facts, observed),
    delayMs,
    ifItExits,
    cause: lastExit?.cause ?? null,
    reset: isOver(observed.pod) ? null : resetOf(judged, policy, atMs),
    imagePull,
    overdue,
    heldBackBy: heldBackBy(judged, siblings, policy),
    restartAll: judged.wait === null && judged.state !== "running" ? null : restartAllCycle(siblings, context),
  };
}

/** The sidecar without which the container does not start, if that is down. */
function heldBackBy(judged: JudgedWait, siblings: readonly JudgedWait[], policy: CrashLoopPolicy): string | null {
  const sidecar = judged.wait === null ? null : holdingSidecar(judged, siblings, policy);
  return sidecar === null || sidecar.facts.isRunning ? null : sidecar.facts.spec.name;
}

function lastExitOf(facts: ContainerFacts, observed: PodObservation, { traits }: CrashLoopPolicy): LastExit | null {
  const exit = facts.lastExit;
  if (exit === null) return null;
  const run = facts.runs.findLast(
    (candidate) => candidate.finishedAtMs === exit.finishedAtMs && candidate.exit !== null,
  );
  const made = exit.reason === "RestartingAllContainers" ? ("restart-all" as const) : ("unknown" as const);
  const cause = run?.cause.cause ?? made;
  const { startedAtMs, finishedAtMs, exitCode, signal, reason, message } = exit;
  const causeBasis = run?.cause.basis ?? "observed";
  const { stoppedWith } = run?.cause ?? {};
  const why = { cause, basis: causeBasis, ...(stoppedWith && { stoppedWith }) };
  const meaning = meaningOfExit(exit, why, facts.spec, observed, traits) + lastOnRecord(facts, exit);
  return { startedAtMs, finishedAtMs, exitCode, signal, reason, message, cause, causeBasis, meaning };
}

/** The exit before one that the kubelet has made up. */
function lastOnRecord({ runs }: ContainerFacts, { reason }: TerminatedState): string {
  const last = runs.findLast(({ exit }) => exit !== null)?.exit;
  if (reason !== "ContainerStatusUnknown" || last === undefined || last === null) return "";
  const at = last.finishedAtMs === null ? "" : ` at ${instantIn(last.finishedAtMs)}`;
  return ` The last exit on record has code ${last.exitCode}${last.reason === null ? "" : ` (${last.reason})`}${at}.`;
}
