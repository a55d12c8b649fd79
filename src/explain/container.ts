import type { ContainerExplanation } from "./answer/explanation.ts";
import type { JudgedWait, PodContext } from "./prediction/pod-context.ts";
import { predict } from "./prediction/prediction.ts";
import { isCrashLooping, reportedOf } from "./prediction/state.ts";
import { evidenceOf } from "./words/evidence.ts";
import { knownRuns } from "./words/known-runs.ts";
import { explainedExit } from "./words/meaning.ts";
import { waitOf, whyOf } from "./words/why.ts";
import { forecastOf } from "./words/why-running.ts";

/** Explains one container whose history has been replayed: predicts what comes, and puts it into words. */
export function explainContainer(
  judged: JudgedWait,
  siblings: readonly JudgedWait[],
  context: PodContext,
): ContainerExplanation {
  const { observed, policy } = context;
  const predicted = predict(judged, siblings, context);
  const { facts, state, delayMs, delayBasis, nextRestart, overdue, reset, ifItExits, imagePull, obstacle } = predicted;
  const { spec, status } = facts;
  return {
    name: spec.name,
    type: spec.type,
    image: spec.image,
    state,
    reported: reportedOf(facts),
    restartCount: status?.restartCount ?? 0,
    ...(spec.isFromStatus !== true && { settings: spec }),
    isReady: status?.ready ?? null,
    isCrashLooping: isCrashLooping(judged, context),
    delayMs,
    delayBasis,
    nextRestart,
    overdue,
    restartingExits: facts.restartingExits,
    reset,
    ifItExits,
    forecast: forecastOf(predicted),
    beingKilled: state === "running" ? (predicted.kill?.cause ?? null) : null,
    lastExit: explainedExit(predicted),
    history: knownRuns(facts, observed, policy),
    imagePull,
    obstacle,
    wait: waitOf(predicted),
    why: whyOf(predicted),
    evidence: evidenceOf(predicted),
  };
}
