import type { BackoffEntry } from "../../backoff/backoff.ts";
import type { CrashLoopPolicy } from "../../kubelet/crash-loop-policy.ts";
import { liveAt } from "../../kubelet/do-backoff.ts";
import { type ContainerHistory, historyOf } from "../history/container-history.ts";
import { EVENT_PERIOD_MS, isBackOffEvent } from "../history/events.ts";
import { startsBefore } from "../history/resets.ts";
import { hasRestartedAll, restartAllsOf } from "../history/restart-rules.ts";
import { specChangesOf } from "../history/spec-change.ts";
import { periodBeforeRuns, periodSinceCountedStart } from "../history/unobserved-period.ts";
import { acceptedAtMs } from "../observed/lookups.ts";
import type { ContainerSpec, EventSnapshot, PodObservation } from "../observed/observation.ts";
import { likeliestBelief, type Replayed } from "./beliefs.ts";
import type { PriorEvidence } from "./prior-beliefs.ts";
import { agreeingWith, replay } from "./replay.ts";

export interface ReplayedContainer extends ContainerHistory, Replayed {}

export function replayedContainer(
  spec: ContainerSpec,
  observed: PodObservation,
  policy: CrashLoopPolicy,
): ReplayedContainer {
  const history = historyOf(spec, observed, policy);
  const { runs, messageDelayMs } = history;
  const all = replay(runs, priorEvidence(history, observed, policy), policy);
  const last = runs.at(-1);
  const isNamed = messageDelayMs !== null && last !== undefined;
  return { ...history, ...(isNamed ? agreeingWith(messageDelayMs, all, last, policy) : all) };
}

/** Returns a running container's likeliest back-off record; undefined if there is none, null if unknown. */
export function runningEntry(
  { runs, status, beliefs }: ReplayedContainer,
  policy: CrashLoopPolicy,
  atMs: number,
): BackoffEntry | undefined | null {
  const run = runs.at(-1);
  if (run === undefined) return status?.restartCount === 0 ? undefined : null;
  const likeliest = likeliestBelief(beliefs);
  if (likeliest === null) return null;
  return run.isRecordLost ? undefined : liveAt(likeliest.entry, atMs, policy);
}

function priorEvidence(history: ContainerHistory, observed: PodObservation, policy: CrashLoopPolicy): PriorEvidence {
  const { status, events, runs, resets } = history;
  const { pod, missing } = observed;
  const restartAlls = restartAllsOf(observed, policy);
  const [first] = runs;
  const unobserved = restartAlls.count > 0 ? null : periodBeforeRuns(runs, pod);
  const imageChanges = resets.filter(({ kind }) => kind === "image-change").length;
  return {
    starts: startsBefore(events, resets, runs),
    unobserved,
    sinceCounted:
      unobserved === null || first === undefined ? null : periodSinceCountedStart(unobserved, first, events),
    restartAlls,
    bornAtMs: acceptedAtMs(pod),
    wasInBackOff: events.some((event) => isBackOffEvent(event) && isOfWaitBefore(event, first?.startedAtMs ?? 0)),
    specChanges: Math.max(0, specChangesOf(pod) - imageChanges),
    areNodeEventsRead: !missing.some(({ what }) => what === "node-events"),
    // A BackOff event is a sign of a back-off record. Assumed: RestartAllContainers does not delete this record.
    hasNoEntry: hasRestartedAll(status) && !events.some(isBackOffEvent),
  };
}

/** Assumed: a start is at most `EVENT_PERIOD_MS` + `EVENT_SLACK_MS` after the last BackOff event of the wait before. */
const EVENT_SLACK_MS = 30_000;

function isOfWaitBefore({ firstAtMs, lastAtMs }: EventSnapshot, startedAtMs: number): boolean {
  return (firstAtMs ?? 0) <= startedAtMs && (lastAtMs ?? 0) >= startedAtMs - EVENT_PERIOD_MS - EVENT_SLACK_MS;
}
