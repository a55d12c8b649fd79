import { meaningOfEvent } from "../kubelet/event-messages.ts";
import { delayAfterPulls } from "../kubelet/image-pull.ts";
import { restartWindow } from "../kubelet/restart-window.ts";
import { FLAT_RETRY, longestLatenessMs } from "../kubelet/retry-rule.ts";
import { areEventsComplete } from "./event-budget.ts";
import type { ImagePull, Window } from "./explanation.ts";
import { greatestOf } from "./extremes.ts";
import type { ContainerSpec, EventSnapshot, PodObservation } from "./observation.ts";
import { CONFIDENCE } from "./start-window.ts";

const SECOND_MS = 1_000;
const LATEST_LOOK_MS = longestLatenessMs(FLAT_RETRY, 0);

/**
 * The image's own back-off, from the Pulling, Failed and BackOff events. Once the burst of events is used up pulls leave
 * none: then the cycles since the last one seen are followed, and the window widens with each.
 */
export function imagePullOf(spec: ContainerSpec, observed: PodObservation, atMs: number): ImagePull {
  const own = observed.events.filter((event) => event.container === spec.name);
  const pulling = latest(own.filter((event) => event.reason === "Pulling"));
  const failed = latest(own.filter((event) => meaningOfEvent(event.reason, event.message) === "pull-failure"));
  const pulls = Math.max(pulling?.count ?? 0, failed?.count ?? 0);
  const failedAtMs = failed?.lastAtMs ?? pulling?.lastAtMs ?? null;
  if (pulls === 0 || failedAtMs === null) return { image: spec.image, delayMs: null, nextPull: null };
  const cycle = followCycles(failedAtMs, pulls, atMs);
  const looks = own
    .filter((event) => event.reason === "BackOff" && event.type === "Normal")
    .map((event) => event.lastAtMs ?? 0);
  const lookedAtMs = greatestOf(
    looks.filter((look) => look <= atMs),
    failedAtMs,
  );
  if (cycle.isSeen) {
    const quiet = areEventsComplete(observed.events, "Normal", null);
    const window = retryWindow(cycle.notBeforeMs, lookedAtMs, quiet, atMs);
    return { image: spec.image, delayMs: cycle.delayMs, nextPull: window };
  }
  const notBeforeMs = Math.max(atMs, cycle.notBeforeMs);
  const nextPull = { notBeforeMs, likelyByMs: Math.max(notBeforeMs, cycle.likelyByMs), confidence: CONFIDENCE };
  return { image: spec.image, delayMs: cycle.delayMs, nextPull };
}

function latest(events: readonly EventSnapshot[]): EventSnapshot | undefined {
  return [...events].sort((a, b) => (b.lastAtMs ?? 0) - (a.lastAtMs ?? 0))[0];
}

/** The pull that is due, counted on from the last one seen: each comes at the first look after its delay. */
function followCycles(failedAtMs: number, pulls: number, atMs: number) {
  let [fromMs, toMs, count] = [failedAtMs, failedAtMs + SECOND_MS, pulls];
  const maxCycles = 10_000;
  while (count - pulls < maxCycles && toMs + delayAfterPulls(count) + LATEST_LOOK_MS < atMs) {
    fromMs += delayAfterPulls(count);
    toMs += delayAfterPulls(count) + LATEST_LOOK_MS;
    count += 1;
  }
  const delayMs = delayAfterPulls(count);
  const isSeen = count === pulls;
  return { isSeen, delayMs, notBeforeMs: fromMs + delayMs, likelyByMs: toMs + delayMs + LATEST_LOOK_MS };
}

/**
 * The next attempt after a failed step that has no back-off of its own: the next look. A sibling in back-off may plan it
 * later on ≥ 1.35; that is told where the plan is.
 */
export function flatRetryWindow(spec: ContainerSpec, observed: PodObservation, atMs: number): Window | null {
  const failures = observed.events.filter((event) => event.container === spec.name && event.type === "Warning");
  const lookedAtMs = greatestOf(
    failures.map((event) => event.lastAtMs ?? 0).filter((look) => look <= atMs),
    0,
  );
  const isComplete = areEventsComplete(observed.events, "Warning", null);
  if (lookedAtMs === 0 || !isComplete) {
    return { notBeforeMs: atMs, likelyByMs: atMs + LATEST_LOOK_MS, confidence: CONFIDENCE };
  }
  return retryWindow(lookedAtMs + SECOND_MS, lookedAtMs, isComplete, atMs);
}

function retryWindow(readyAtMs: number, lookedAtMs: number, isQuiet: boolean, atMs: number): Window {
  const wait = {
    readyAtMs,
    plannedAtMs: readyAtMs,
    siblingsPlannedAtMs: [],
    lookedAtMs,
    spreadMs: SECOND_MS,
    noLookUntilMs: isQuiet ? atMs - SECOND_MS : null,
  };
  const window = restartWindow(wait, FLAT_RETRY, atMs, CONFIDENCE);
  if (window !== null) return { ...window, confidence: CONFIDENCE };
  return { notBeforeMs: atMs, likelyByMs: atMs + LATEST_LOOK_MS, confidence: CONFIDENCE };
}
