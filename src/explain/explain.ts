import type { ContainerExplanation, Explanation, PodExplanation } from "./answer/explanation.ts";
import { explainContainer } from "./container.ts";
import { containerByServerClock, skewGap } from "./history/clock-skew.ts";
import { endingOf, warningEventsOf } from "./history/events.ts";
import { type JudgedPod, judgeAsOlderKubelet, judgePod, withOlderWindows } from "./judged-pod.ts";
import type { Now, Observation, PodObservation } from "./observed/observation.ts";
import { verdictOf } from "./prediction/state.ts";
import type { ContainerFacts } from "./replay/facts.ts";
import type { PolicyOverrides } from "./replay/policy.ts";
import { askedTooEarly, gapsOf, logGaps, openEnded } from "./words/gaps.ts";
import { type PlannedContainer, planOf } from "./words/plan.ts";
import { summaryOf } from "./words/summary.ts";

/** What the user says of the kubelet: it overrides what was seen. */
export type ExplainOptions = PolicyOverrides;

/** Explains what was seen: pure, so that the same observation always gives the same answer. */
export function explain(observation: Observation, options: ExplainOptions): Explanation {
  const { atMs, atBasis } = observation;
  return { atMs, atBasis, pods: observation.pods.map((observed) => explainPod(observed, options, { atMs, atBasis })) };
}

/**
 * One pod: the histories of its containers are replayed, what comes next is predicted, and all of it is put into words; the rest
 * is about the pod as a whole.
 */
function explainPod(observed: PodObservation, options: ExplainOptions, now: Now): PodExplanation {
  const { pod } = observed;
  const { atMs } = now;
  const replayed = judgePod(observed, options, now);
  const { skewMs, explained, context, judged, bySyncs, isVersionOpen } = replayed;
  const facts = judged.map((container) => container.facts);
  const newest = containersOf(replayed);
  const hasWindow = newest.some(({ nextRestart }) => nextRestart !== null);
  const isDue = newest.some(({ nextRestart, overdue }) => nextRestart !== null || overdue !== null);
  const containers =
    isVersionOpen && isDue
      ? withOlderWindows(newest, containersOf(judgeAsOlderKubelet(observed, options, now)))
      : newest;
  const verdict = verdictOf(judged, context);
  const ending = endingOf(observed);
  const events = warningEventsOf(observed);
  return {
    namespace: pod.namespace,
    name: pod.name,
    uid: pod.uid,
    node: pod.nodeName,
    phase: pod.phase,
    owner: pod.owner,
    createdAtMs: pod.createdAtMs,
    deletion: pod.deletionAtMs === null ? null : { dueAtMs: pod.deletionAtMs, finalizers: pod.finalizers },
    verdict,
    ending,
    summary: summaryOf(verdict, observed, containers, ending, atMs),
    policy: explained,
    containers: containers.map((container) => withLog(container, observed)),
    plan: planOf(observed, paired(facts, containers), atMs),
    gaps: [
      ...gapsOf(observed, explained, { bySyncs, hasWindow }),
      ...skewGap(skewMs),
      ...askedTooEarly(facts, context.atMs),
      ...openEnded(containers, now),
      ...logGaps(observed.logs ?? []),
    ],
    ...(events.length > 0 && { events }),
  };
}

function withLog(container: ContainerExplanation, { logs = [] }: PodObservation): ContainerExplanation {
  const log = logs.find(({ container: name }) => name === container.name);
  if (log === undefined || "why" in log.text) return container;
  return { ...container, logs: { instance: log.instance, ...log.text } };
}

function containersOf({ judged, context, skewMs }: JudgedPod): ContainerExplanation[] {
  return judged.map((container) => {
    const siblings = judged.filter((other) => other !== container);
    return containerByServerClock(explainContainer(container, siblings, context), skewMs);
  });
}

function paired(facts: readonly ContainerFacts[], containers: readonly ContainerExplanation[]): PlannedContainer[] {
  return containers.flatMap((explained, index) => {
    const fact = facts[index];
    return fact === undefined ? [] : [{ facts: fact, explained }];
  });
}
