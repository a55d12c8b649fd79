import type { ContainerExplanation, PodExplanation, WarningEvent } from "../../explain/answer/explanation.ts";
import { awaitsRestart, byUrgency, isFailing } from "../../explain/triage.ts";
import { formatBriefDuration, roundToSecond } from "../../kubelet/go-duration.ts";
import { roleSuffix, stateTone, stateWords } from "../page/container-words.ts";
import { CONFIDENCE_WORDS, formatCountdown, formatElapsed } from "../page/durations.ts";
import type { Moment, Page } from "../page/page.ts";
import { counted } from "../page/paint.ts";
import { runsOf } from "./lane-runs.ts";
import type { Lane, LaneRun, LaneWait, Timeline } from "./timeline.ts";

export interface LogTimes {
  readonly container: string;
  readonly linesAtMs: readonly number[];
}

export function timelineOf(pod: PodExplanation, page: Page, log?: LogTimes): Timeline {
  const { nowMs, timeZone } = page;
  const lanes = byUrgency(pod.containers).map((container) =>
    laneOf(container, page, pod.events, log?.container === container.name ? log.linesAtMs : []),
  );
  return { lanes, nowMs, clock: { kind: "zone", timeZone } };
}

export function laneOf(
  container: ContainerExplanation,
  moment: Moment,
  events: readonly WarningEvent[] = [],
  logLinesAtMs: readonly number[] = [],
): Lane {
  const runs = runsOf(container, moment);
  const failures = failedStarts(container, events);
  return {
    name: container.name,
    role: roleSuffix(container),
    state: stateText(container),
    tone: stateTone(container),
    isCalm: !isFailing(container),
    remark: remarkOf(container, failures, moment),
    runs,
    waits: waitsOf(container, runs, moment),
    attempts: attemptsOf(failures, moment),
    logLinesAtMs,
    next: nextOf(container, moment),
    reset: resetOf(container, moment),
  };
}

function remarkOf({ overdue }: ContainerExplanation, failures: readonly WarningEvent[], { nowMs }: Moment): string {
  if (overdue !== null) return `overdue by ${formatElapsed(nowMs - overdue.expectedByMs)}`;
  return failures[0]?.message.replace(/^Error: /, "") ?? "";
}

function failedStarts(
  { name, state, imagePull }: ContainerExplanation,
  events: readonly WarningEvent[],
): WarningEvent[] {
  if (state !== "starting" || imagePull !== null) return [];
  return events.filter(
    ({ reason, container, lastAtMs }) => reason === "Failed" && container === name && lastAtMs !== null,
  );
}

function attemptsOf(failures: readonly WarningEvent[], { times }: Moment): Lane["attempts"] {
  const instants = failures.flatMap(({ firstAtMs, lastAtMs }) => [firstAtMs ?? lastAtMs, lastAtMs]);
  const known = instants.filter((atMs) => atMs !== null).sort((a, b) => a - b);
  const [firstAtMs, newestAtMs] = [known[0], known.at(-1)];
  if (firstAtMs === undefined || newestAtMs === undefined) return null;
  const count = failures.reduce((sum, failure) => sum + failure.count, 0);
  const least = failures.some(({ isLowerBound }) => isLowerBound) ? "at least " : "";
  const label = `${least}${counted(count, "failed attempt")}`;
  const title = `${label}: ${times.span(firstAtMs, newestAtMs)}. ${failures[0]?.message}`;
  return { firstAtMs, newestAtMs, label, title };
}

function stateText({ state, restartCount }: ContainerExplanation): string {
  return stateWords(state) + (restartCount === 0 ? "" : `, ${counted(restartCount, "restart")}`);
}

function nextOf({ nextRestart, imagePull, state }: ContainerExplanation, { nowMs, times }: Moment): Lane["next"] {
  if (nextRestart === null) return null;
  const { notBeforeMs: fromMs, likelyByMs: toMs } = nextRestart;
  const what = imagePull === null ? (state === "starting" ? "Next attempt" : "Next restart") : "Next pull";
  const countdown = formatCountdown(fromMs - nowMs, toMs - nowMs);
  const title = `${what}: ${times.span(fromMs, toMs)} (${CONFIDENCE_WORDS})`;
  const label = `${what.toLowerCase().slice("next ".length)} ${countdown}`;
  return { fromMs, toMs, label, title };
}

function resetOf({ reset }: ContainerExplanation, { times }: Moment): Lane["reset"] {
  if (reset === null) return null;
  const { atMs, how } = reset;
  const condition = how === "if-it-keeps-running" ? "if it is still up then" : "although it still waits then";
  return { atMs, label: "reset", title: `The back-off resets at ${times.instant(atMs)}, ${condition}` };
}

function waitsOf(container: ContainerExplanation, runs: readonly LaneRun[], moment: Moment): LaneWait[] {
  const past = runs.slice(1).flatMap((later, index) => {
    const earlier = runs[index];
    return earlier === undefined || later.startMs <= earlier.endMs ? [] : [pastWait(earlier, later, moment)];
  });
  return [...past, ...drawnWait(container, moment), ...pullWait(container, moment)];
}

function pastWait(earlier: LaneRun, later: LaneRun, { times }: Moment): LaneWait {
  const [startMs, endMs] = [earlier.endMs, later.startMs];
  const isObserved = earlier.basis === "observed" && later.basis === "observed";
  const length = formatBriefDuration(roundToSecond(endMs - startMs));
  return {
    startMs,
    endMs,
    wouldEndMs: null,
    crashLoopBackOffMs: null,
    basis: isObserved ? "observed" : "inferred",
    label: isObserved ? `waited ${length}` : "",
    title: isObserved
      ? `Waited ${length}, the delay and the time to the kubelet's next sync: ${times.span(startMs, endMs)}`
      : `Not observed. A wait of ${length}, if the runs before and after it are placed right.`,
  };
}

function drawnWait(container: ContainerExplanation, { nowMs, times }: Moment): LaneWait[] {
  const { lastExit, nextRestart, delayMs, reset } = container;
  const startMs = lastExit?.finishedAtMs ?? null;
  if (startMs === null || !awaitsRestart(container)) return [];
  const endMs = Math.max(startMs, nextRestart?.notBeforeMs ?? nowMs);
  const isCut = reset?.how === "during-the-wait" && delayMs !== null && startMs + delayMs > endMs;
  const length = delayMs === null ? "unknown" : formatBriefDuration(delayMs);
  const cut = isCut ? ", but the back-off resets before that" : "";
  return [
    {
      startMs,
      endMs,
      wouldEndMs: isCut ? startMs + delayMs : null,
      crashLoopBackOffMs: null,
      basis: "observed",
      label: delayMs === null || delayMs === 0 ? "" : `delay ${length}`,
      title: `In back-off since its exit at ${times.instant(startMs)}; delay ${length}${cut}`,
    },
  ];
}

/** The start of the wait is inferred, because the pod's status does not say when a pull failed. */
function pullWait({ imagePull }: ContainerExplanation, { nowMs }: Moment): LaneWait[] {
  const { nextPull = null, delayMs = null } = imagePull ?? {};
  if (nextPull === null || delayMs === null || nextPull.notBeforeMs <= nowMs) return [];
  const label = `delay ${formatBriefDuration(delayMs)}`;
  const [startMs, endMs] = [Math.min(nowMs, nextPull.notBeforeMs - delayMs), nextPull.notBeforeMs];
  const title = `Waits for the next pull; ${label}`;
  return [{ startMs, endMs, wouldEndMs: null, crashLoopBackOffMs: null, basis: "inferred", label, title }];
}
