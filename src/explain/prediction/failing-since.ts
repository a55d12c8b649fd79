import { delaysOf } from "../../backoff/curve.ts";
import type { CrashLoopPolicy } from "../../kubelet/crash-loop-policy.ts";
import type { FailingSince } from "../answer/explanation.ts";
import { isBackOffEvent } from "../history/events.ts";
import { averageRunMs, type ObservedRun, runLengthMs } from "../history/runs.ts";
import { killOf } from "../history/suspected-kill.ts";
import { FIRST_START_MS, hasTimeForWaits, totalWaitsMs, usualWaitsMs } from "../history/unobserved-period.ts";
import { countsForReady, falseSinceMs, oldestStartAtMs } from "../observed/lookups.ts";
import { leastOf } from "../observed/max-min.ts";
import type { EventSnapshot, PodSnapshot } from "../observed/observation.ts";
import type { Prediction } from "./prediction.ts";

/** Assumed: on average, the restarts of a crash loop come at most this long after their usual waits. */
const LATER_THAN_USUAL_MS = 20_000;

/**
 * Returns the end of the last observed run that was long enough to reset the back-off, else an observed or estimated
 * beginning of the crash loop.
 */
export function failingSince(predicted: Prediction): FailingSince | null {
  const { facts, observed, policy } = predicted;
  const bornAtMs = oldestStartAtMs(observed.pod);
  const healthy = facts.runs.findLast((run) => runLengthMs(run) >= policy.resetAfterMs);
  if (healthy?.finishedAtMs != null) return { atMs: healthy.finishedAtMs, basis: "observed" };
  const [oldest] = facts.runs;
  const oldestAtMs = oldest?.startedAtMs ?? oldest?.finishedAtMs ?? null;
  if (oldest === undefined || oldestAtMs === null)
    return bornAtMs === null ? null : { atMs: bornAtMs, basis: "observed" };
  if (oldest.start === 0) return { atMs: oldestAtMs, basis: "observed" };
  const notReadyAtMs = notReadySince(predicted);
  if (notReadyAtMs !== null && notReadyAtMs <= oldestAtMs) return { atMs: notReadyAtMs, basis: "observed" };
  if (bornAtMs !== null && oldestAtMs - bornAtMs <= longestLoopMs(oldest.start, facts.runs, policy))
    return sinceLongFirstRun(predicted, oldest.start, oldestAtMs, bornAtMs) ?? { atMs: bornAtMs, basis: "inferred" };
  const counted = sinceFirstExit(predicted, oldest.start, oldestAtMs);
  return counted.isUpperBound === true ? (sinceFirstEvent(predicted, bornAtMs, counted.atMs) ?? counted) : counted;
}

/**
 * Assumed: if the first BackOff or Killing event came late, the first run was long, and the crash loop began at this
 * event or before it.
 */
function sinceLongFirstRun(
  { facts: { events, runs }, policy }: Prediction,
  oldestStart: number,
  oldestAtMs: number,
  bornAtMs: number,
): FailingSince | null {
  const usualMs = bornAtMs + FIRST_START_MS;
  const countsFirstStart = ({ reason, count, firstAtMs }: EventSnapshot): boolean =>
    reason === "Started" && (count > oldestStart || (firstAtMs ?? usualMs) < usualMs);
  const shownMs = firstAtMsIn(events.filter(countsFirstStart));
  const startedAtMs = Number.isFinite(shownMs) ? shownMs : usualMs;
  const atMs = firstAtMsIn(events.filter((event) => isBackOffEvent(event) || killOf(event) !== null));
  // The first restart has no wait, so the first BackOff event comes after the second run.
  const shortRunsMs = 2 * ((averageRunMs(runs) ?? 0) + LATER_THAN_USUAL_MS);
  const isOfLoop = Number.isFinite(atMs) && hasTimeForWaits(oldestAtMs - atMs, oldestStart, policy);
  return isOfLoop && atMs > startedAtMs + shortRunsMs ? { atMs, basis: "inferred", isUpperBound: true } : null;
}

function firstAtMsIn(events: readonly EventSnapshot[]): number {
  return leastOf(events.flatMap(({ firstAtMs }) => firstAtMs ?? []));
}

const ESTIMATE_SLACK_MS = 20_000;

const RESTART_REASONS: readonly string[] = ["Created", "Started", "BackOff"];

/** Assumed: an event that the API server created this long after its first time had expired before. */
const CREATED_AGAIN_MS = 600_000;

/** The kubelet can create an expired event again with its old first time (`recordEvent`, client-go v0.37.1). */
function isCreatedAgain({ createdAtMs, firstAtMs }: EventSnapshot): boolean {
  return createdAtMs !== null && firstAtMs !== null && createdAtMs - firstAtMs >= CREATED_AGAIN_MS;
}

/**
 * The API server deletes old events (--event-ttl), so after a long first run, the oldest event that is left can be the
 * first of the crash loop.
 */
function sinceFirstEvent({ facts }: Prediction, bornAtMs: number | null, latestMs: number): FailingSince | null {
  const own = facts.events.filter((event) => RESTART_REASONS.includes(event.reason) && !isCreatedAgain(event));
  const atMs = firstAtMsIn(own);
  const isOfLoop = atMs >= (bornAtMs ?? 0) + FIRST_START_MS && atMs <= latestMs + ESTIMATE_SLACK_MS;
  return isOfLoop ? { atMs, basis: "inferred" } : null;
}

function sinceFirstExit(
  { facts, policy, ...delay }: Prediction,
  oldestStart: number,
  oldestAtMs: number,
): FailingSince {
  const exits = isFreeAfterKill(delay, facts) ? null : exitsBefore(delay, policy);
  const ended = facts.runs.findLast(({ finishedAtMs }) => finishedAtMs !== null);
  if (exits === null || ended === undefined) return { atMs: oldestAtMs, basis: "inferred", isUpperBound: true };
  const first = Math.max(0, ended.start + 1 - exits);
  if (first > 0 && delay.delayMs === policy.maxMs)
    return { atMs: oldestAtMs - totalWaitsMs(oldestStart, policy), basis: "inferred", isUpperBound: true };
  const restarts = Math.max(0, oldestStart - first);
  const runsMs = Math.max(0, restarts - 1) * (averageRunMs(facts.runs) ?? 0);
  const atMs = oldestAtMs - usualWaitsMs(restarts, policy) - runsMs;
  return { atMs, basis: "inferred", ...(delay.otherDelaysMs !== undefined && { isUpperBound: true }) };
}

/**
 * After a failed probe or a changed spec, the sync that kills a container can restart it without a wait. So a delay of
 * 0 does not show how many restarts there were.
 */
function isFreeAfterKill({ delayMs }: Pick<Prediction, "delayMs">, { lastCause }: Prediction["facts"]): boolean {
  return delayMs === 0 && (lastCause?.killedBySync ?? 0) > 0.5;
}

function exitsBefore(
  { delayMs, state }: Pick<Prediction, "delayMs" | "state">,
  policy: CrashLoopPolicy,
): number | null {
  if (delayMs === null) return null;
  const step = delayMs === 0 ? -1 : delaysOf(policy).indexOf(delayMs);
  if (step === -1 && delayMs !== 0) return null;
  // While the container runs, `delayMs` is the delay after its next exit.
  return step + (state === "running" ? 1 : 2);
}

function longestLoopMs(restarts: number, runs: readonly ObservedRun[], policy: CrashLoopPolicy): number {
  return usualWaitsMs(restarts, policy) + restarts * ((averageRunMs(runs) ?? 0) + LATER_THAN_USUAL_MS) + FIRST_START_MS;
}

/**
 * A container without a readiness probe is usually ready in each run. So the condition ContainersReady can date from
 * the container's last exit instead of its first exit.
 */
function notReadySince({ facts, observed }: Prediction): number | null {
  const { pod } = observed;
  if (facts.spec.readinessProbe === null || !isOnlyOneNotReady(pod, facts.spec.name)) return null;
  return falseSinceMs(pod, "ContainersReady");
}

function isOnlyOneNotReady({ containers, statuses }: PodSnapshot, name: string): boolean {
  const counting = containers.filter(countsForReady).map((spec) => spec.name);
  const unready = statuses.filter((status) => !status.ready && counting.includes(status.name));
  return unready.length === 1 && unready[0]?.name === name;
}
