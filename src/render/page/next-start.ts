import type { ContainerExplanation, Overdue, PodExplanation, State, Window } from "../../explain/answer/explanation.ts";
import { isNodeDown } from "../../explain/answer/node-outage.ts";
import { isFailing } from "../../explain/triage.ts";
import { ceilToSecond, formatBriefDuration } from "../../kubelet/go-duration.ts";
import { probeName } from "../../kubelet/killing-probe.ts";
import { CONFIDENCE_WORDS, formatCountdownTo, formatElapsed, formatWindow } from "./durations.ts";
import type { Moment } from "./page.ts";

/** `hasNotes`: the page has notes that say what follows a kill and what follows an exit (the container's `ways`). */
export function nextStart(
  pod: PodExplanation,
  container: ContainerExplanation,
  moment: Moment,
  hasNotes = false,
): string {
  const { state, obstacle } = container;
  // If the node is the obstacle, the headline can already name the node.
  if (isNodeDown(pod)) return MAY_START.includes(state) && obstacle?.kind !== "node" ? nodeSentence(pod) : "";
  switch (state) {
    case "backing-off":
    case "restarting":
      return startSentence(container, moment);
    case "starting":
      return attemptSentence(container, moment);
    case "running":
      return runningSentence(container, moment, hasNotes);
    default:
      return "";
  }
}

const MAY_START: readonly State[] = ["backing-off", "restarting", "starting", "running"];

function nodeSentence({ node, gaps }: PodExplanation): string {
  const missing = gaps.find(({ code }) => code === "node-not-found");
  if (missing !== undefined) return missing.message;
  return `${node === null ? "Its node" : `Node ${node}`} is NotReady: nothing on it restarts until it is back.`;
}

function startSentence(container: ContainerExplanation, moment: Moment): string {
  const { nextRestart, overdue, delayMs, state, podEndsAtMs } = container;
  if (overdue !== null) return overdueSentence("it should have restarted", container, overdue, moment);
  if (podEndsAtMs !== null) {
    const when = `${moment.times.instant(podEndsAtMs)} (${formatCountdownTo(podEndsAtMs - moment.nowMs)})`;
    return `Will not restart: activeDeadlineSeconds ends the pod at ${when}.`;
  }
  if (nextRestart === null) return NO_DATA;
  const when = windowClause(nextRestart, moment);
  const restarts = container.isDelayDoubtful ? "Probably restarts" : "Restarts";
  if (delayMs === 0) return `${restarts} without delay, ${when}.`;
  if (state !== "restarting" || delayMs === null) return `${restarts} ${when}.`;
  return `Restart due, ${when}: the ${formatBriefDuration(delayMs)} wait is over.`;
}

function overdueSentence(
  what: string,
  { whatToCheck }: ContainerExplanation,
  { expectedByMs }: Overdue,
  { nowMs, times }: Moment,
): string {
  const by = formatElapsed(nowMs - expectedByMs);
  return `Overdue by ${by}: ${what} by ${times.instant(expectedByMs)}; ${times.text(whatToCheck)}.`;
}

function attemptSentence(container: ContainerExplanation, moment: Moment): string {
  const { imagePull, nextRestart, overdue } = container;
  const what = imagePull === null ? "tried to start it again" : `pulled ${imagePull.image} again`;
  if (overdue !== null) return overdueSentence(`the kubelet should have ${what}`, container, overdue, moment);
  const pull = imagePull?.nextPull ?? null;
  if (pull !== null) return `Next pull ${windowClause(pull, moment)}.`;
  if (nextRestart !== null) return `The kubelet retries ${windowClause(nextRestart, moment)}.`;
  return isFailing(container) && container.obstacle === null ? NO_DATA : "";
}

function runningSentence(container: ContainerExplanation, moment: Moment, hasNotes: boolean): string {
  const { forecast, ways, beingKilled, reset } = container;
  if (forecast === null) return "";
  if (beingKilled !== null) return forecast;
  const sentences = [ways === null || !hasNotes ? forecast : "", killSentence(container, moment)];
  if (reset !== null) {
    const until = `${moment.times.instant(reset.atMs)} (${formatCountdownTo(reset.atMs - moment.nowMs)})`;
    sentences.push(`If it is still up at ${until}, the back-off resets and the next restart is immediate.`);
  }
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

const NO_DATA = "Not enough data to predict the next restart.";

function killSentence({ expectedKill }: ContainerExplanation, { nowMs, times }: Moment): string {
  if (expectedKill === null) return "";
  const { probe, notBeforeMs, likelyByMs } = expectedKill;
  const isShort = likelyByMs - notBeforeMs <= SHORT_WINDOW_MS;
  const when = isShort ? `at about ${times.instant(notBeforeMs)}` : times.span(notBeforeMs, likelyByMs);
  const name = probeName(probe);
  const from = formatCountdownTo(notBeforeMs - nowMs);
  return `Its ${name} probe fails again: if it goes on, the kubelet kills it ${when} (${from}).`;
}

const SHORT_WINDOW_MS = 5_000;

export function windowClause(window: Window, { nowMs, times }: Moment): string {
  const { notBeforeMs, likelyByMs } = window;
  const endMs = ceilToSecond(likelyByMs);
  const when = notBeforeMs <= nowMs ? `by ${times.instant(endMs)}` : times.span(notBeforeMs, likelyByMs);
  return `${formatWindow(window, nowMs)} (${when}, ${CONFIDENCE_WORDS})`;
}
