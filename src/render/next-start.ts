import type { ContainerExplanation, PodExplanation, Window } from "../explain/explanation.ts";
import { formatBriefDuration } from "../kubelet/go-duration.ts";
import { formatCountdown, formatCountdownTo } from "./durations.ts";
import { exitClause } from "./exit-words.ts";
import type { Page } from "./page.ts";
import { isInTrouble } from "./trouble.ts";

/** When a container starts next and why then; for a running one, what an exit would cost. Empty if there is nothing to say. */
export function nextStart(pod: PodExplanation, container: ContainerExplanation, page: Page): string {
  switch (container.state) {
    case "backing-off":
    case "restarting":
      return startSentence(pod, container, page);
    case "starting":
      return attemptSentence(pod, container, page);
    case "running":
      return runningSentence(container, page);
    default:
      return "";
  }
}

function startSentence(pod: PodExplanation, container: ContainerExplanation, page: Page): string {
  const { nextRestart, delayMs, state } = container;
  if (nextRestart === null) return unforeseeable(pod);
  const start = `Next start ${windowClause(nextRestart, page)}`;
  if (delayMs === null) return `${start}.`;
  if (delayMs === 0) return `${start}: this restart has no delay.`;
  if (state === "restarting") return `${start}: its wait of ${formatBriefDuration(delayMs)} is over.`;
  return `${start}: ${waitClause(container, delayMs, pod.policy.initialMs, page)}`;
}

function waitClause(container: ContainerExplanation, delayMs: number, initialMs: number, page: Page): string {
  const { lastExit, reset } = container;
  const exit = lastExit === null ? "its last exit" : `its last exit (${exitClause(lastExit)})`;
  if (reset === null) return `${exit} has to wait ${formatBriefDuration(delayMs)}.`;
  const resetAt = page.times.instant(reset.atMs);
  const anew = `and delays begin again at ${formatBriefDuration(initialMs)}`;
  return `${exit} would have to wait ${formatBriefDuration(delayMs)}, but the back-off resets before that, at ${resetAt}, ${anew}.`;
}

function attemptSentence(pod: PodExplanation, container: ContainerExplanation, page: Page): string {
  const { imagePull, nextRestart } = container;
  const pull = imagePull?.nextPull ?? null;
  if (imagePull !== null && pull !== null) {
    const delay =
      imagePull.delayMs === null ? "" : `: after a failed pull it waits ${formatBriefDuration(imagePull.delayMs)}`;
    return `Next pull of ${imagePull.image} ${windowClause(pull, page)}${delay}.`;
  }
  if (nextRestart !== null) return `Next attempt ${windowClause(nextRestart, page)}.`;
  return isInTrouble(container) ? unforeseeable(pod) : "";
}

function runningSentence(container: ContainerExplanation, page: Page): string {
  const { delayMs, reset, restartCount, type, restartingExits } = container;
  if (delayMs === null) return "";
  const onlyFailures = type === "init" || restartingExits === "failures";
  const exits = onlyFailures ? "fails" : "exits";
  if (delayMs === 0) return `If it ${exits}${restartCount > 0 ? " now" : ""}, it restarts at once: it has no back-off.`;
  const exit = `If it ${exits} now, it waits ${formatBriefDuration(delayMs)}.`;
  if (reset === null) return exit;
  const left = formatCountdownTo(reset.atMs - page.nowMs);
  const until = `${page.times.instant(reset.atMs)} (${left})`;
  return `${exit} If it is still up at ${until}, the back-off resets, and the next ${onlyFailures ? "failure" : "exit"} restarts at once.`;
}

function unforeseeable(pod: PodExplanation): string {
  return pod.gaps.some(({ code }) => code === "node-not-ready")
    ? `No next start can be foretold: ${pod.node === null ? "its node" : `node ${pod.node}`} is not ready.`
    : "When it starts next cannot be told from what was seen.";
}

/** "between 14:04:38 and 14:05:08 GMT+1 (in 1m27s to 1m57s, 95 % sure)"; what has begun: "by 14:05:08 GMT+1 (within 28s, …)". */
function windowClause({ notBeforeMs, likelyByMs, confidence }: Window, page: Page): string {
  const distance = formatCountdown(notBeforeMs - page.nowMs, likelyByMs - page.nowMs);
  const sure = `(${distance}, ${Math.round(confidence * 100)} % sure)`;
  const endMs = Math.ceil(likelyByMs / 1000) * 1000;
  if (notBeforeMs <= page.nowMs) return `any moment, by ${page.times.instant(endMs)} ${sure}`;
  if (Math.floor(notBeforeMs / 1000) * 1000 === endMs) return `at ${page.times.instant(endMs)} ${sure}`;
  return `between ${page.times.span(notBeforeMs, "and", likelyByMs)} ${sure}`;
}
