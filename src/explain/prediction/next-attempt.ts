import { SECOND_MS } from "../../kubelet/go-duration.ts";
import { FLAT_RETRY, longestLatenessMs, nextSyncAfterMs, TICK_MS } from "../../kubelet/retry-rule.ts";
import { windowFrom } from "../../kubelet/start-distribution.ts";
import { delayAfterPulls } from "../../kubelet/start-obstacles.ts";
import { startsAfter } from "../../kubelet/starts-after.ts";
import { lastClause, quoted } from "../answer/excerpt.ts";
import type { ImagePull, Window } from "../answer/explanation.ts";
import { EVENT_PERIOD_MS, hasAllEvents } from "../history/events.ts";
import { newestAtMs, newestOf, statusOf } from "../observed/lookups.ts";
import type { ContainerSpec, EventSnapshot, PodObservation } from "../observed/observation.ts";
import type { ReplayedContainer } from "../replay/replayed-container.ts";
import { failuresToStart, hasNeverRun, isPredictable, newestFailedPull } from "./obstacle.ts";
import type { ContainerCase, PodContext } from "./pod-context.ts";
import { dueBy, type NextStart, NO_NEXT_START, SHOWN_AFTER_MS, windowOf } from "./start-window.ts";

const LATEST_SYNC_MS = longestLatenessMs(FLAT_RETRY, 0);
/** Assumed maximum time from the sync that begins a pull to the event of the pull's failure, e.g. after a timeout. */
const FAILING_PULL_MS = 60_000;

export function nextPull(
  { spec, events }: ReplayedContainer,
  context: PodContext,
): NextStart & { readonly imagePull: ImagePull } {
  const { observed, atMs } = context;
  const { image } = spec;
  const pulling = newestOf(events.filter((event) => event.reason === "Pulling"));
  const failed = newestFailedPull(events);
  const cause = pullCause(spec, observed, failed);
  const pulls = Math.max(pulling?.count ?? 0, failed?.count ?? 0);
  const failedAtMs = failed?.lastAtMs ?? pulling?.lastAtMs ?? null;
  if (pulls === 0 || failedAtMs === null)
    return { ...NO_NEXT_START, imagePull: { image, cause, delayMs: null, nextPull: null } };
  const isQuiet = hasAllEvents(observed, "Normal", context.policy.traits);
  const { isAfterLastKnown, delayMs, notBeforeMs, likelyByMs } = followCycles(
    failedAtMs,
    pulls,
    isQuiet ? failedAtMs : atMs,
  );
  const syncs = events.filter((event) => event.reason === "BackOff" && event.type === "Normal");
  const syncedAtMs = Math.max(failedAtMs, newestAtMs(syncs, atMs));
  // A kubelet that holds events back can still send one event about the pod in each `EVENT_PERIOD_MS`.
  const sentByMs = isQuiet
    ? Math.max(notBeforeMs, syncedAtMs, pulling?.lastAtMs ?? 0)
    : newestAtMs(observed.events, atMs) + EVENT_PERIOD_MS;
  const expectedByMs = sentByMs + LATEST_SYNC_MS + FAILING_PULL_MS;
  const window = isAfterLastKnown
    ? retryWindow(notBeforeMs, syncedAtMs, isQuiet, expectedByMs, atMs)
    : windowFrom(Math.max(atMs, notBeforeMs), likelyByMs);
  const next = dueBy(window, expectedByMs, context);
  const imagePull = { image, cause, delayMs, nextPull: next.nextRestart };
  return { ...(isPredictable(context) ? next : NO_NEXT_START), imagePull };
}

/** While a pull backs off, the status from kubelets v1.31 and older does not have the pull's error. */
function pullCause({ name }: ContainerSpec, { pod }: PodObservation, failed: EventSnapshot | undefined): string {
  const state = statusOf(pod, name)?.state;
  const said = state?.kind === "waiting" ? (state.message ?? "") : "";
  return quoted(lastClause(/^(Back-off pulling image "[^"]*")?$/.test(said) ? (failed?.message ?? "") : said));
}

/** Assumes that each pull since the last known pull came at the first sync after its delay. */
function followCycles(failedAtMs: number, pulls: number, atMs: number) {
  let [fromMs, toMs, count] = [failedAtMs, failedAtMs + SECOND_MS, pulls];
  const maxCycles = 10_000;
  while (count - pulls < maxCycles && toMs + delayAfterPulls(count) + LATEST_SYNC_MS < atMs) {
    fromMs += delayAfterPulls(count);
    toMs += delayAfterPulls(count) + LATEST_SYNC_MS;
    count += 1;
  }
  const delayMs = delayAfterPulls(count);
  const isAfterLastKnown = count === pulls;
  return { isAfterLastKnown, delayMs, notBeforeMs: fromMs + delayMs, likelyByMs: toMs + delayMs + LATEST_SYNC_MS };
}

/**
 * Assumed: after a failed start, the kubelet tries again at its next sync. While another container is in back-off,
 * kubelets v1.35 and newer may sync later.
 */
export function nextAttempt({ events }: ReplayedContainer, isSiblingWaiting: boolean, context: PodContext): NextStart {
  const { observed, policy, atMs } = context;
  const failures = events.filter(({ type }) => type === "Warning");
  const syncedAtMs = newestAtMs(failures, atMs);
  const anyMoment = windowFrom(atMs, atMs + LATEST_SYNC_MS);
  if (syncedAtMs === 0) return { nextRestart: anyMoment, overdue: null };
  const isComplete = hasAllEvents(observed, "Warning", policy.traits);
  const [, siblingSyncMs] = isSiblingWaiting ? nextSyncAfterMs(policy.retry, Number.POSITIVE_INFINITY) : [0, 0];
  const sentByMs = isComplete ? syncedAtMs : newestAtMs(observed.events, atMs) + EVENT_PERIOD_MS;
  const expectedByMs = sentByMs + SECOND_MS + Math.max(LATEST_SYNC_MS, siblingSyncMs + TICK_MS);
  const window = isComplete ? retryWindow(syncedAtMs + SECOND_MS, syncedAtMs, true, expectedByMs, atMs) : anyMoment;
  return dueBy(window, expectedByMs, context);
}

function retryWindow(
  readyAtMs: number,
  syncedAtMs: number,
  isQuiet: boolean,
  expectedByMs: number,
  atMs: number,
): Window {
  const noSyncUntilMs = isQuiet ? atMs - SECOND_MS : null;
  const syncs = { syncedAtMs, spreadMs: SECOND_MS, noSyncUntilMs, siblingsPlannedAtMs: [] };
  const starts = startsAfter({ readyAtMs, plannedAtMs: readyAtMs }, syncs, FLAT_RETRY).given(atMs);
  return starts === null ? windowFrom(atMs, expectedByMs + SHOWN_AFTER_MS) : windowOf(starts, atMs);
}

/**
 * Assumed: with kubernetes/kubernetes#142033, the delay of a container that has never run counts from the last failed
 * attempt.
 */
export function startWithoutExit({ facts }: ContainerCase, context: PodContext): NextStart {
  const { observed, policy, atMs } = context;
  const { messageDelayMs } = facts;
  if (messageDelayMs === null) return NO_NEXT_START;
  const latestMs = messageDelayMs + longestLatenessMs(policy.retry, messageDelayMs);
  const isShown = hasNeverRun(facts) && hasAllEvents(observed, "Warning", policy.traits);
  const failedAtMs = isShown ? newestAtMs(failuresToStart(facts.events)) : 0;
  if (failedAtMs === 0) {
    const isCurrent = context.atBasis === "server-clock";
    return isCurrent ? { nextRestart: windowFrom(atMs, atMs + latestMs), overdue: null } : NO_NEXT_START;
  }
  const dueByMs = failedAtMs + SECOND_MS + latestMs;
  const window = windowFrom(Math.max(atMs, failedAtMs + messageDelayMs), Math.max(atMs, dueByMs) + SECOND_MS);
  return dueBy(window, dueByMs, context);
}
