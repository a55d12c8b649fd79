import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { ageIn, KILLED_BECAUSE } from "../answer/excerpt.ts";
import type { ContainerExplanation, Ending, Overdue, Verdict, Window } from "../answer/explanation.ts";
import type { PodObservation } from "../observed/observation.ts";

/** One sentence that a person can read aloud: what is the matter with the pod, and when something happens. */
export function summaryOf(
  verdict: Verdict,
  observed: PodObservation,
  containers: readonly ContainerExplanation[],
  ending: Ending | null,
  atMs: number,
): string {
  const { pod } = observed;
  const of = (...states: ContainerExplanation["state"][]) => containers.find(({ state }) => states.includes(state));
  switch (verdict) {
    case "terminating":
      return `The pod is being deleted${because(ending)}; its containers will not restart.`;
    case "failed":
      return `The pod has failed${because(ending)}; its containers will not restart.`;
    case "completed":
      return "The pod has completed.";
    case "unknown":
      return "The pod has no usable status.";
    case "crash-looping":
      return crashLooping(of("backing-off") ?? of("restarting") ?? youngest(containers), atMs);
    case "image-pull-back-off": {
      const container = containers.find(({ imagePull }) => imagePull !== null);
      return `${container?.name} can't start: ${pullWords(container)}${soon(container, atMs, "the next pull")}.`;
    }
    case "start-failing": {
      const container = of("starting");
      return `${notStarting(container)}${soon(container, atMs, "the next attempt")}.`;
    }
    case "pending":
      return pending(of("starting"), pod.nodeName);
    case "running":
      return runningSummary(of("backing-off", "restarting"), containers, atMs);
  }
}

/** "pulling registry.example/app:v1 fails: not found". */
function pullWords(container: ContainerExplanation | undefined): string {
  const { image = "its image", cause = "" } = container?.imagePull ?? {};
  return `pulling ${image} fails${cause === "" ? "" : `: ${cause}`}`;
}

/** " (Evicted: The node was low on resource: memory)". */
function because(ending: Ending | null): string {
  return ending === null ? "" : ` (${[ending.reason, ending.message].filter((words) => words !== "").join(": ")})`;
}

function notStarting(container: ContainerExplanation | undefined): string {
  const { cause = "", reason = container?.reported, kind } = container?.obstacle ?? {};
  if (kind === "scheduling") return `The pod is not scheduled${cause === "" ? "" : `: ${cause}`}`;
  return `${container?.name} can't start${cause === "" ? "" : `: ${cause}`} (${reason})`;
}

function pending(container: ContainerExplanation | undefined, nodeName: string | null): string {
  if (nodeName !== null) return "The pod is starting.";
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

function youngest(containers: readonly ContainerExplanation[]): ContainerExplanation | undefined {
  return [...containers].sort((a, b) => b.restartCount - a.restartCount)[0];
}

function runningSummary(
  down: ContainerExplanation | undefined,
  containers: readonly ContainerExplanation[],
  atMs: number,
): string {
  if (down !== undefined && down.overdue !== null)
    return `${down.name} has exited${late(down.overdue, atMs, "its restart")}.`;
  if (down !== undefined) return `${down.name} has exited and restarts; this is no crash loop.`;
  const restarts = containers.reduce((sum, { restartCount }) => sum + restartCount, 0);
  return restarts === 0 ? "The pod is running; nothing has restarted." : "The pod is running and is not crash-looping.";
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
  const from = Math.max(0, Math.floor((window.notBeforeMs - atMs) / 1000)) * 1000;
  const to = Math.max(0, Math.ceil((window.likelyByMs - atMs) / 1000)) * 1000;
  if (from === to) return `; ${what} within ${formatBriefDuration(Math.max(to, 1000))}`;
  return from === 0
    ? `; ${what} within ${formatBriefDuration(to)}`
    : `; ${what} in ${formatBriefDuration(from)} to ${formatBriefDuration(to)}`;
}
