import type { ContainerExplanation, Overdue, PodExplanation, Window } from "../../explain/answer/explanation.ts";
import { isFailing } from "../../explain/triage.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { confidenceWords, formatCountdownTo, formatElapsed, formatWindow } from "./durations.ts";
import type { Moment } from "./page.ts";

/** Returns when a container starts next or, if it runs, how long it would wait after an exit; "" if neither applies. */
export function nextStart(pod: PodExplanation, container: ContainerExplanation, moment: Moment): string {
  switch (container.state) {
    case "backing-off":
    case "restarting":
      return startSentence(pod, container, moment);
    case "starting":
      return attemptSentence(pod, container, moment);
    case "running":
      return runningSentence(container, moment);
    default:
      return "";
  }
}

function startSentence(pod: PodExplanation, container: ContainerExplanation, moment: Moment): string {
  const { nextRestart, overdue, delayMs, state } = container;
  if (overdue !== null) return overdueSentence("it should have restarted", container, overdue, moment);
  if (nextRestart === null) return unforeseeable(pod);
  const when = windowClause(nextRestart, moment);
  const restarts = container.isDelayDoubtful === true ? "Probably restarts" : "Restarts";
  if (delayMs === 0) return `${restarts} without delay, ${when}.`;
  if (state !== "restarting" || delayMs === null) return `${restarts} ${when}.`;
  return `Restart due, ${when}: the ${formatBriefDuration(delayMs)} wait is over.`;
}

function overdueSentence(
  what: string,
  { whatToCheck = "" }: ContainerExplanation,
  { expectedByMs }: Overdue,
  { nowMs, times }: Moment,
): string {
  const by = formatElapsed(nowMs - expectedByMs);
  return `Overdue by ${by}: ${what} by ${times.instant(expectedByMs)}; ${times.text(whatToCheck)}.`;
}

function attemptSentence(pod: PodExplanation, container: ContainerExplanation, moment: Moment): string {
  const { imagePull, nextRestart, overdue } = container;
  const what = imagePull === null ? "tried to start it again" : `pulled ${imagePull.image} again`;
  if (overdue !== null) return overdueSentence(`the kubelet should have ${what}`, container, overdue, moment);
  const pull = imagePull?.nextPull ?? null;
  if (pull !== null) return `Next pull ${windowClause(pull, moment)}.`;
  if (nextRestart !== null) return `The kubelet retries ${windowClause(nextRestart, moment)}.`;
  return isFailing(container) && (container.obstacle ?? null) === null ? unforeseeable(pod) : "";
}

function runningSentence(container: ContainerExplanation, moment: Moment): string {
  const { forecast, beingKilled, reset } = container;
  if (forecast === null) return "";
  if (reset === null || beingKilled !== null) return forecast;
  const until = `${moment.times.instant(reset.atMs)} (${formatCountdownTo(reset.atMs - moment.nowMs)})`;
  return `${forecast} If it is still up at ${until}, the back-off resets and the next restart is immediate.`;
}

function unforeseeable(pod: PodExplanation): string {
  return pod.gaps.some(({ code }) => code === "node-not-ready")
    ? `Can't predict the restart: ${pod.node === null ? "its node" : `node ${pod.node}`} is NotReady.`
    : "Not enough data to predict the next restart.";
}

/** Returns "in 1m27s-1m57s (14:04:38-14:05:08 GMT+1, 95% confidence)"; in the window, "within 28s (by 14:05:08 …)". */
function windowClause(window: Window, { nowMs, times }: Moment): string {
  const { notBeforeMs, likelyByMs, confidence } = window;
  const endMs = Math.ceil(likelyByMs / 1000) * 1000;
  const when = notBeforeMs <= nowMs ? `by ${times.instant(endMs)}` : times.span(notBeforeMs, likelyByMs);
  return `${formatWindow(window, nowMs)} (${when}, ${confidenceWords(confidence)})`;
}
