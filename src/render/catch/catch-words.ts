import type { ContainerExplanation, Explanation, PodExplanation } from "../../explain/answer/explanation.ts";
import { timesWords } from "../../explain/answer/prose.ts";
import type { Catch } from "../../explain/observed/catch.ts";
import { isFailing } from "../../explain/triage.ts";
import { runLength } from "../page/container-words.ts";
import { harmless } from "../page/harmless.ts";
import { nextStart } from "../page/next-start.ts";
import type { Page } from "../page/page.ts";
import { counted } from "../page/paint.ts";

export function waitingLine(pod: PodExplanation, container: string, page: Page): string {
  const explained = pod.containers.find(({ name }) => name === container);
  if (explained?.state !== "running") {
    const when = explained === undefined ? "" : nextStart(pod, explained, page);
    return harmless(`Waiting for ${container} to start. ${when}`);
  }
  const reason = isFailing(explained) ? "" : " It looks fine: it may never restart. ^C ends this.";
  return harmless(`${container} is running: waiting for its next run. Pass --now to catch this one.${reason}`);
}

export function caughtClause(caught: Catch, explanation: Explanation): string {
  const { container, run, ended, log, disconnected } = caught;
  const lost = disconnected.length === 0 ? "" : ` (the connection was lost ${timesWords(disconnected.length)})`;
  if (run === null) {
    const { start, because } = missedStart(explanation.pods[0]?.containers.find(({ name }) => name === container));
    const did = disconnected.length === 0 ? `did not ${start}` : `was not observed to ${start}`;
    return `what happened until now; ${harmless(container)} ${did}${because}${lost}`;
  }
  const length = runLength(run);
  const exit = run.exitCode === null ? UNFINISHED[ended] : `exit code ${run.exitCode}`;
  const facts = length === null ? exit : `${length}, ${exit}`;
  return `restart ${run.start} of ${harmless(container)} (${facts}), ${logClause(log)}${lost}`;
}

function missedStart(container: ContainerExplanation | undefined) {
  if (container?.state === "running") return { start: "restart", because: " (it was running)" };
  const hasRun = container !== undefined && (container.restartCount > 0 || container.lastExit !== null);
  return { start: hasRun ? "restart" : "start", because: "" };
}

const UNFINISHED: Readonly<Record<Catch["ended"], string>> = {
  exited: "its exit was not observed",
  recovered: "recovered",
  deleted: "the pod was deleted",
  "timed-out": "still running at --timeout",
  interrupted: "still running when catch was stopped",
};

function logClause({ lines, leftOut, isComplete, missing }: Catch["log"]): string {
  if (missing !== null) return missing === "forbidden" ? "no log (no permission to read it)" : "no log (not available)";
  const count = counted(lines.length, "log line");
  const before = leftOut.lines === 0 ? "" : `, the last of ${lines.length + leftOut.lines}`;
  return `${count}${before}${isComplete ? "" : ", the end may be missing"}`;
}
