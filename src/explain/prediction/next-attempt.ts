import { meaningOfEvent } from "../../kubelet/event-messages.ts";
import { restartWindow } from "../../kubelet/restart-window.ts";
import { FLAT_RETRY, longestLatenessMs, nextSyncAfterMs, SECOND_MS, TICK_MS } from "../../kubelet/retry-rule.ts";
import { delayAfterPulls } from "../../kubelet/start-obstacles.ts";
import { lastClause, quoted } from "../answer/excerpt.ts";
import type { ImagePull, Window } from "../answer/explanation.ts";
import { EVENT_PERIOD_MS, hasAllEvents } from "../history/events.ts";
import { newestAtMs, newestOf, statusOf } from "../observed/lookups.ts";
import type { ContainerSpec, EventSnapshot, PodObservation } from "../observed/observation.ts";
import { isPredictable } from "./obstacle.ts";
import type { PodContext } from "./pod-context.ts";
import { CONFIDENCE, dueBy, type NextStart, NO_NEXT_START, SHOWN_AFTER_MS, windowFrom } from "./start-window.ts";

const LATEST_SYNC_MS = longestLatenessMs(FLAT_RETRY, 0);
/** A failed pull takes this long at most, from the sync to its event: names are looked up and connections time out. */
const FAILING_PULL_MS = 60_000;

/**
 * The next pull by the image's own back-off, from the events Pulling, Failed and BackOff. Once the burst of events is used up,
 * pulls leave no events: then this function follows the cycles since the last known one, and the window widens with each.
 */
export function nextPull(spec: ContainerSpec, context: PodContext): NextStart & { readonly imagePull: ImagePull } {
  const { observed, atMs } = context;
  const { image } = spec;
  const own = observed.events.filter((event) => event.container === spec.name);
  const pulling = newestOf(own.filter((event) => event.reason === "Pulling"));
  const failed = newestOf(own.filter((event) => meaningOfEvent(event.reason, event.message) === "pull-failure"));
  const cause = pullCause(spec, observed, failed);
  const pulls = Math.max(pulling?.count ?? 0, failed?.count ?? 0);
  const failedAtMs = failed?.lastAtMs ?? pulling?.lastAtMs ?? null;
  if (pulls === 0 || failedAtMs === null)
    return { ...NO_NEXT_START, imagePull: { image, cause, delayMs: null, nextPull: null } };
  const isQuiet = hasAllEvents(observed, "Normal", context.policy.traits);
  const { isSeen, delayMs, notBeforeMs, likelyByMs } = followCycles(failedAtMs, pulls, isQuiet ? failedAtMs : atMs);
  const syncs = own.filter((event) => event.reason === "BackOff" && event.type === "Normal");
  const syncedAtMs = Math.max(failedAtMs, newestAtMs(syncs, atMs));
  // Every sync of a container that fails sends an event; any event of the pod may be the one that the budget allows.
  const sentByMs = isQuiet
    ? Math.max(notBeforeMs, syncedAtMs, pulling?.lastAtMs ?? 0)
    : newestAtMs(observed.events, atMs) + EVENT_PERIOD_MS;
  const expectedByMs = sentByMs + LATEST_SYNC_MS + FAILING_PULL_MS;
  const window = isSeen
    ? retryWindow(notBeforeMs, syncedAtMs, isQuiet, expectedByMs, atMs)
    : windowFrom(Math.max(atMs, notBeforeMs), likelyByMs);
  const next = dueBy(window, expectedByMs, context);
  const imagePull = { image, cause, delayMs, nextPull: next.nextRestart };
  return { ...(isPredictable(context) ? next : NO_NEXT_START), imagePull };
}

/** While an image pull backs off, older kubelets leave the error out of the status; the event of the failure has it. */
function pullCause({ name }: ContainerSpec, { pod }: PodObservation, failed: EventSnapshot | undefined): string {
  const state = statusOf(pod, name)?.state;
  const said = state?.kind === "waiting" ? (state.message ?? "") : "";
  return quoted(lastClause(/^(Back-off pulling image "[^"]*")?$/.test(said) ? (failed?.message ?? "") : said));
}

/** The next pull, if each pull since the last known one came at the first sync after its delay. */
function followCycles(failedAtMs: number, pulls: number, atMs: number) {
  let [fromMs, toMs, count] = [failedAtMs, failedAtMs + SECOND_MS, pulls];
  const maxCycles = 10_000;
  while (count - pulls < maxCycles && toMs + delayAfterPulls(count) + LATEST_SYNC_MS < atMs) {
    fromMs += delayAfterPulls(count);
    toMs += delayAfterPulls(count) + LATEST_SYNC_MS;
    count += 1;
  }
  const delayMs = delayAfterPulls(count);
  const isSeen = count === pulls;
  return { isSeen, delayMs, notBeforeMs: fromMs + delayMs, likelyByMs: toMs + delayMs + LATEST_SYNC_MS };
}

/**
 * The next attempt after a failed step that has no back-off of its own: the next sync. `isBeside`: a sibling is in back-off and
 * may plan that sync later (≥ 1.35); the window does not allow for it, `overdue` does.
 */
export function nextAttempt(spec: ContainerSpec, isBeside: boolean, context: PodContext): NextStart {
  const { observed, policy, atMs } = context;
  const failures = observed.events.filter((event) => event.container === spec.name && event.type === "Warning");
  const syncedAtMs = newestAtMs(failures, atMs);
  const anyMoment = windowFrom(atMs, atMs + LATEST_SYNC_MS);
  if (syncedAtMs === 0) return { nextRestart: anyMoment, overdue: null };
  const isComplete = hasAllEvents(observed, "Warning", policy.traits);
  const [, besideMs] = isBeside ? nextSyncAfterMs(policy.retry, Number.POSITIVE_INFINITY) : [0, 0];
  const sentByMs = isComplete ? syncedAtMs : newestAtMs(observed.events, atMs) + EVENT_PERIOD_MS;
  const expectedByMs = sentByMs + SECOND_MS + Math.max(LATEST_SYNC_MS, besideMs + TICK_MS);
  const window = isComplete ? retryWindow(syncedAtMs + SECOND_MS, syncedAtMs, true, expectedByMs, atMs) : anyMoment;
  return dueBy(window, expectedByMs, context);
}

/** The next attempt by the retry rule. After the rule's latest sync the attempt is slow, or does not show yet. */
function retryWindow(
  readyAtMs: number,
  syncedAtMs: number,
  isQuiet: boolean,
  expectedByMs: number,
  atMs: number,
): Window {
  const wait = {
    readyAtMs,
    plannedAtMs: readyAtMs,
    siblingsPlannedAtMs: [],
    syncedAtMs,
    spreadMs: SECOND_MS,
    noSyncUntilMs: isQuiet ? atMs - SECOND_MS : null,
  };
  const window = restartWindow(wait, FLAT_RETRY, atMs, CONFIDENCE);
  return window === null ? windowFrom(atMs, expectedByMs + SHOWN_AFTER_MS) : { ...window, confidence: CONFIDENCE };
}
