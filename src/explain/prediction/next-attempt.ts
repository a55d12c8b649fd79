import { meaningOfEvent } from "../../kubelet/event-messages.ts";
import { restartWindow } from "../../kubelet/restart-window.ts";
import { FLAT_RETRY, longestLatenessMs, nextSyncAfterMs, TICK_MS } from "../../kubelet/retry-rule.ts";
import { delayAfterPulls } from "../../kubelet/start-obstacles.ts";
import { lastClause, quoted } from "../answer/excerpt.ts";
import type { ImagePull, Window } from "../answer/explanation.ts";
import { areEventsComplete } from "../history/events.ts";
import { newestAtMs, newestOf, statusOf } from "../observed/lookups.ts";
import type { ContainerSpec, EventSnapshot, PodObservation } from "../observed/observation.ts";
import type { PodContext } from "./pod-context.ts";
import { CONFIDENCE, dueBy, type NextStart, NO_NEXT_START, SHOWN_AFTER_MS } from "./start-window.ts";

const SECOND_MS = 1_000;
const LATEST_SYNC_MS = longestLatenessMs(FLAT_RETRY, 0);
/** Once the burst of events is used up, the kubelet sends one in this time (see events.ts). */
const NEXT_EVENT_MS = 300_000;
/** A failed pull takes this long at most, from the sync to its event: names are looked up and connections time out. */
const FAILING_PULL_MS = 60_000;

/** A pull that backs off, and when the next one comes. */
interface NextPull extends NextStart {
  readonly imagePull: ImagePull;
}

/**
 * The image's own back-off, from the Pulling, Failed and BackOff events. Once the burst of events is used up pulls leave
 * none: then the cycles since the last one seen are followed, and the window widens with each.
 */
export function nextPull(spec: ContainerSpec, context: PodContext): NextPull {
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
  const isQuiet = areEventsComplete(observed.events, "Normal", context.policy.traits);
  const cycle = followCycles(failedAtMs, pulls, isQuiet ? failedAtMs : atMs);
  const syncs = own.filter((event) => event.reason === "BackOff" && event.type === "Normal");
  const syncedAtMs = Math.max(failedAtMs, newestAtMs(syncs, atMs));
  // Every sync of a container that fails sends an event; any event of the pod may be the one that the budget allows.
  const sentByMs = isQuiet
    ? Math.max(cycle.notBeforeMs, syncedAtMs, pulling?.lastAtMs ?? 0)
    : newestAtMs(observed.events, atMs) + NEXT_EVENT_MS;
  const expectedByMs = sentByMs + LATEST_SYNC_MS + FAILING_PULL_MS;
  const window = cycle.isSeen
    ? retryWindow(cycle.notBeforeMs, syncedAtMs, isQuiet, expectedByMs, atMs)
    : laterWindow(cycle, atMs);
  const next = dueBy(window, expectedByMs, context);
  return { ...next, imagePull: { image, cause, delayMs: cycle.delayMs, nextPull: next.nextRestart } };
}

/** While it backs off, older kubelets repeat nothing of the error in the status; the event of the failure has it. */
function pullCause({ name }: ContainerSpec, { pod }: PodObservation, failed: EventSnapshot | undefined): string {
  const state = statusOf(pod, name)?.state;
  const said = state?.kind === "waiting" ? (state.message ?? "") : "";
  return quoted(lastClause(/^(Back-off pulling image "[^"]*")?$/.test(said) ? (failed?.message ?? "") : said));
}

type Cycle = ReturnType<typeof followCycles>;

function laterWindow(cycle: Cycle, atMs: number): Window {
  const notBeforeMs = Math.max(atMs, cycle.notBeforeMs);
  return { notBeforeMs, likelyByMs: Math.max(notBeforeMs, cycle.likelyByMs), confidence: CONFIDENCE };
}

/** The pull that is due, counted on from the last one seen: each comes at the first sync after its delay. */
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
 * The next attempt after a failed step that has no back-off of its own: the next sync. `isBeside`: a sibling in back-off may
 * plan it later (≥ 1.35); that is told where the plan is.
 */
export function nextAttempt(spec: ContainerSpec, isBeside: boolean, context: PodContext): NextStart {
  const { observed, policy, atMs } = context;
  const failures = observed.events.filter((event) => event.container === spec.name && event.type === "Warning");
  const syncedAtMs = newestAtMs(failures, atMs);
  const anyMoment = { notBeforeMs: atMs, likelyByMs: atMs + LATEST_SYNC_MS, confidence: CONFIDENCE };
  if (syncedAtMs === 0) return { nextRestart: anyMoment, overdue: null };
  const isComplete = areEventsComplete(observed.events, "Warning", policy.traits);
  const [, besideMs] = isBeside ? nextSyncAfterMs(policy.retry, Number.POSITIVE_INFINITY) : [0, 0];
  const sentByMs = isComplete ? syncedAtMs : newestAtMs(observed.events, atMs) + NEXT_EVENT_MS;
  const expectedByMs = sentByMs + SECOND_MS + Math.max(LATEST_SYNC_MS, besideMs + TICK_MS);
  const window = isComplete
    ? retryWindow(syncedAtMs + SECOND_MS, syncedAtMs, isComplete, expectedByMs, atMs)
    : anyMoment;
  return dueBy(window, expectedByMs, context);
}

/** Past the last sync that the rule allows, the attempt takes its time or does not show yet. */
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
  if (window !== null) return { ...window, confidence: CONFIDENCE };
  return { notBeforeMs: atMs, likelyByMs: Math.max(atMs, expectedByMs + SHOWN_AFTER_MS), confidence: CONFIDENCE };
}
