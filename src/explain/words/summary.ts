import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { ageIn, KILLED_BECAUSE } from "../answer/excerpt.ts";
import type { ContainerExplanation, Ending, Overdue, Verdict, Window } from "../answer/explanation.ts";
import type { PodObservation, PodSnapshot } from "../observed/observation.ts";
import { isScheduled } from "../prediction/state.ts";
import { awaitsRestart, mainContainer } from "../triage.ts";

/** Returns one or two sentences: the pod's problem, and when something happens next. */
export function summaryOf(
  verdict: Verdict,
  observed: PodObservation,
  containers: readonly ContainerExplanation[],
  ending: Ending | null,
  atMs: number,
): string {
  const { pod } = observed;
  const main = mainContainer({ verdict, containers });
  switch (verdict) {
    case "terminating":
      return `The pod is being deleted${because(ending)}; its containers will not restart.${finalizers(pod)}`;
    case "failed":
      return pod.phase === "Failed" || main === undefined
        ? `The pod has failed${because(ending)}; its containers will not restart.`
        : `${main.name} has failed${lastRun(main)}; it will not restart.`;
    case "completed":
      return "The pod has completed.";
    case "unknown":
      return "The pod has no usable status.";
    case "crash-looping":
      return crashLooping(main, atMs);
    case "image-pull-back-off": {
      const { image = "its image", cause = "" } = main?.imagePull ?? {};
      const fails = `pulling ${image} fails${cause === "" ? "" : `: ${cause}`}`;
      return `${main?.name} can't start: ${fails}${soon(main, atMs, "the next pull")}.`;
    }
    case "start-failing":
      return `${notStarting(main)}${soon(main, atMs, "the next attempt")}.`;
    case "pending":
      return main !== undefined && awaitsRestart(main) ? exited(main, atMs) : pending(main, pod);
    case "running":
      return runningSummary(containers, pod, atMs);
  }
}

function finalizers({ finalizers: names }: PodSnapshot): string {
  return names.length === 0 ? "" : ` It stays until its finalizers are removed: ${names.join(", ")}.`;
}

/** E.g. " (Evicted: The node was low on resource: memory)". */
function because(ending: Ending | null): string {
  return ending === null ? "" : ` (${[ending.reason, ending.message].filter((words) => words !== "").join(": ")})`;
}

function notStarting(container: ContainerExplanation | undefined): string {
  const { cause = "", reason = container?.reported, kind } = container?.obstacle ?? {};
  if (kind === "scheduling") return `The pod is not scheduled${cause === "" ? "" : `: ${cause}`}`;
  return `${container?.name} can't start${cause === "" ? "" : `: ${cause}`} (${reason})`;
}

function pending(container: ContainerExplanation | undefined, pod: PodSnapshot): string {
  if (isScheduled(pod)) return "The pod is starting.";
  const { cause = "" } = container?.obstacle ?? {};
  return cause === "" ? "The pod is not scheduled yet." : `The pod is not scheduled: ${cause}.`;
}

function crashLooping(container: ContainerExplanation | undefined, atMs: number): string {
  if (container === undefined) return "A container of the pod is crash-looping.";
  const { name, state, delayMs, nextRestart, overdue, forecast, beingKilled } = container;
  if (state === "running") {
    const doing = beingKilled === null ? "running right now" : `being killed because ${KILLED_BECAUSE[beingKilled]}`;
    return `${name} is crash-looping but ${doing}.${forecast === null ? "" : ` ${forecast}`}`;
  }
  if (overdue !== null) return `${name} is crash-looping${late(overdue, atMs, "its restart")}.`;
  if (delayMs === 0)
    return `${name} has ${container.lastExit?.exitCode === 0 ? "exited" : "crashed"} again and restarts without delay${within(nextRestart, atMs, "it starts")}.`;
  const delay = delayMs === null ? "" : `, with a delay of ${formatBriefDuration(delayMs)}`;
  return `${name} is in CrashLoopBackOff${delay}${within(nextRestart, atMs, "it restarts")}.`;
}

function exited(container: ContainerExplanation, atMs: number): string {
  const { name, overdue, restartCount } = container;
  if (overdue !== null) return `${name} has exited${late(overdue, atMs, "its restart")}.`;
  const once = restartCount === 0 ? "one exit" : "that";
  return `${name} has exited${lastRun(container)} and restarts; ${once} is not a crash loop.`;
}

function runningSummary(containers: readonly ContainerExplanation[], pod: PodSnapshot, atMs: number): string {
  const [latest] = containers
    .filter(({ state, restartCount }) => state === "running" && restartCount > 0)
    .toSorted((a, b) => (b.lastExit?.finishedAtMs ?? 0) - (a.lastExit?.finishedAtMs ?? 0));
  if (latest === undefined) return "The pod is running; nothing has restarted.";
  const { name, restartCount } = latest;
  const bornAtMs = pod.createdAtMs ?? pod.startedAtMs;
  const restarts = restartCount === 1 ? "one restart" : `${restartCount} restarts`;
  // A static pod's containers can be older than its object in the API.
  const isOlder = bornAtMs === null || (latest.lastExit?.startedAtMs ?? bornAtMs) < bornAtMs;
  const span = isOlder ? "" : ` in ${ageIn(atMs - bornAtMs)}`;
  const exit = lastRun(latest);
  return `${name} runs after ${restarts}${span}${exit === "" ? "" : `; it last exited${exit}`}.`;
}

/** E.g. " with code 1 after 12h". */
function lastRun({ lastExit }: ContainerExplanation): string {
  if (lastExit === null || lastExit.startedAtMs === null || lastExit.finishedAtMs === null) return "";
  return ` with code ${lastExit.exitCode} after ${ageIn(lastExit.finishedAtMs - lastExit.startedAtMs)}`;
}

function soon(container: ContainerExplanation | undefined, atMs: number, what: string): string {
  if (container === undefined) return "";
  const { nextRestart, overdue } = container;
  return overdue === null ? within(nextRestart, atMs, `${what} comes`) : late(overdue, atMs, what);
}

function late({ expectedByMs, check }: Overdue, atMs: number, what: string): string {
  return `; ${what} is overdue by ${ageIn(atMs - expectedByMs)}: ${check}`;
}

function within(window: Window | null, atMs: number, what: string): string {
  if (window === null) return "";
  const fromMs = Math.max(0, Math.floor((window.notBeforeMs - atMs) / 1000)) * 1000;
  const toMs = Math.max(0, Math.ceil((window.likelyByMs - atMs) / 1000)) * 1000;
  return fromMs === 0 || fromMs === toMs
    ? `; ${what} within ${formatBriefDuration(Math.max(toMs, 1000))}`
    : `; ${what} in ${formatBriefDuration(fromMs)} to ${formatBriefDuration(toMs)}`;
}
