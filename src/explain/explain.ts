import type { ContainerExplanation, Explanation, PodExplanation } from "./answer/explanation.ts";
import { endingOf, warningEventsOf } from "./history/events.ts";
import { type Impact, impactOf } from "./impact.ts";
import type { AtBasis, Now, Observation, PodObservation, PodSnapshot } from "./observed/observation.ts";
import { type PodCase, podCaseOf } from "./pod-case.ts";
import { byServerClock } from "./prediction/by-server-clock.ts";
import { failingSince } from "./prediction/failing-since.ts";
import { type Prediction, predict } from "./prediction/prediction.ts";
import { hookRunsSince } from "./prediction/start-pace.ts";
import { startOfEither } from "./prediction/start-window.ts";
import { blockerOf, isOver, reportedOf, verdictOf } from "./prediction/state.ts";
import type { PolicyOverrides } from "./replay/policy-of-pod.ts";
import { evidenceOf, isDelayDoubtful } from "./words/evidence.ts";
import { askedTooEarly, gapsOf, logGaps, openEnded, skewGap } from "./words/gaps.ts";
import { explainedBug } from "./words/known-bug.ts";
import { knownRuns } from "./words/known-runs.ts";
import { explainedExit } from "./words/meaning.ts";
import { forecastOf, waysToEnd } from "./words/next-exit.ts";
import { planOf } from "./words/plan.ts";
import { unreadyGatesOf } from "./words/readiness-gates.ts";
import { settingsOf } from "./words/settings.ts";
import { whatToCheck } from "./words/what-to-check.ts";
import { extended, once, withWhenRead } from "./words/when-read.ts";
import { whyOf } from "./words/why.ts";

export function explain(observation: Observation, options: PolicyOverrides): Explanation {
  return explainWithCases(observation, options).explanation;
}

export interface Explained {
  readonly explanation: Explanation;
  readonly cases: readonly PodCase[];
}

export function explainWithCases({ pods, atMs, atBasis }: Observation, options: PolicyOverrides): Explained {
  const now = { atMs, atBasis };
  const cases = pods.map((observed) => podCaseOf(observed, options, now));
  return { explanation: { ...now, pods: cases.map((podCase) => explainPod(podCase, now)) }, cases };
}

function explainPod(podCase: PodCase, now: Now): PodExplanation {
  const { context, skewMs, policy, inferredVersion } = podCase;
  const { observed } = context;
  const { pod } = observed;
  const { namespace, name, uid, phase, owner, createdAtMs, deletionAtMs, finalizers } = pod;
  const predicted = predictionsOf(podCase);
  const containers = predicted.map((container) => explainContainer(container, now.atBasis, skewMs));
  const hasWindow = containers.some(({ nextRestart }) => nextRestart !== null);
  const verdict = verdictOf(context);
  const ending = endingOf(observed);
  const unreadyGates = isOver(pod) ? null : unreadyGatesOf(pod);
  const early = askedTooEarly(predicted, context.atMs);
  const events = warningEventsOf(observed, context.policy.traits);
  const explanation: Omit<PodExplanation, keyof Impact> = {
    namespace,
    name,
    uid,
    node: pod.nodeName,
    phase,
    owner,
    createdAtMs,
    deletion: deletionAtMs === null ? null : { dueAtMs: deletionAtMs, finalizers },
    verdict,
    ending,
    ...(unreadyGates !== null && { unreadyGates }),
    policy,
    containers: containers.map((one) => withLog(withBlocker(one, containers, pod), observed)),
    plan: early.length > 0 ? [] : planOf(pod, predicted, now.atMs),
    gaps: [
      ...early,
      ...gapsOf(observed, policy, inferredVersion, hasWindow),
      ...skewGap(skewMs),
      ...openEnded(containers, now),
      ...logGaps(observed.logs ?? []),
    ],
    ...(events.length > 0 && { events }),
  };
  const impact = once(() => impactOf(explanation, observed, context.atMs));
  return withWhenRead(explanation, {
    availability: () => impact().availability,
    obstacle: () => impact().obstacle,
  });
}

function predictionsOf({ context, underV134, skewMs }: PodCase): Prediction[] {
  return context.containers.map((own, index) => {
    const newest = predict(own, context);
    const ownUnderV134 = underV134?.containers[index];
    if (underV134 === null || ownUnderV134 === undefined) return byServerClock(newest, skewMs);
    const other = predict(ownUnderV134, underV134);
    const start = startOfEither(newest, other, context.atMs);
    return byServerClock(start === other ? other : { ...newest, ...start }, skewMs);
  });
}

function explainContainer(predicted: Prediction, atBasis: AtBasis, skewMs: number): ContainerExplanation {
  const { facts, state, otherDelaysMs, nextRestart, overdue, reset, ifItExits, imagePull, obstacle } = predicted;
  const { spec, status } = facts;
  const why = once(() => whyOf(predicted));
  const known = {
    name: spec.name,
    type: spec.type,
    image: spec.image,
    state,
    reported: reportedOf(facts),
    restartCount: status?.restartCount ?? 0,
    isReady: status?.ready ?? null,
    isCrashLooping: predicted.isCrashLooping,
    failingSince: failingSince(predicted),
    delayMs: predicted.delayMs,
    ...(otherDelaysMs !== undefined && { otherDelaysMs }),
    delayBasis: predicted.delayBasis,
    nextRestart,
    overdue,
    reset,
    ifItExits,
    podEndsAtMs: predicted.podEndsAtMs,
    hookRunsSinceMs: state === "starting" ? hookRunsSince(facts) : null,
    beingKilled: state === "running" ? (predicted.kill?.cause ?? null) : null,
    expectedKill: predicted.expectedKill,
    lastExit: explainedExit(predicted),
    imagePull,
    obstacle,
  };
  return withWhenRead(known, {
    ...(spec.isFromStatus !== true && { settings: () => settingsOf(spec, predicted.observed.pod) }),
    isDelayDoubtful: () => isDelayDoubtful(predicted),
    whatToCheck: () => whatToCheck(predicted, atBasis, skewMs),
    forecast: () => forecastOf(predicted),
    ways: () => waysToEnd(predicted),
    history: () => knownRuns(predicted),
    waitSentence: () => why().waitSentence,
    why: () => why().why,
    whyWithoutWait: () => why().whyWithoutWait,
    evidence: () => evidenceOf(predicted),
    knownBug: () => explainedBug(predicted),
  });
}

function withBlocker(
  container: ContainerExplanation,
  all: readonly ContainerExplanation[],
  pod: PodSnapshot,
): ContainerExplanation {
  if (container.state !== "blocked") return container;
  const first = blockerOf(container, pod)?.name;
  const waitsFor = all.find(({ name }) => name === first);
  return waitsFor === undefined ? container : extended(container, { waitsFor });
}

function withLog(container: ContainerExplanation, { logs = [] }: PodObservation): ContainerExplanation {
  const log = logs.find(({ container: name }) => name === container.name);
  if (log === undefined || "why" in log.text) return container;
  const { lines, isTruncated } = log.text;
  const shown = log.shownLines === undefined ? lines : lines.slice(-log.shownLines);
  return extended(container, { logs: { instance: log.instance, lines: shown, isTruncated } });
}
