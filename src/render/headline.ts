import type { ContainerExplanation, PodExplanation } from "../explain/explanation.ts";
import { exitClause } from "./exit-words.ts";
import { byUrgency, isInTrouble, mainContainer } from "./trouble.ts";

/** The answer in one line: "shop/cart-x2x7p: app is in CrashLoopBackOff (kubectl shows "Error")." */
export function headline(pod: PodExplanation): string {
  return `${pod.namespace}/${pod.name}${verdictSentence(pod)}`;
}

function verdictSentence(pod: PodExplanation): string {
  const main = mainContainer(pod);
  switch (pod.verdict) {
    case "terminating":
      return " is being deleted: nothing in it restarts any more.";
    case "failed":
      return ` has failed for good${failure(main)}; nothing in it restarts.`;
    case "completed":
      return " has completed; nothing in it restarts.";
    case "unknown":
      return " has no status that could be explained.";
    case "pending":
      return pod.node === null ? " waits for a node; nothing in it has started." : pendingSentence(pod);
    default:
      return main === undefined
        ? ` is ${pod.verdict}.`
        : `: ${containerClause(pod, main)}${shown(pod, main)}${others(pod)}.`;
  }
}

function failure(main: ContainerExplanation | undefined): string {
  return main?.state === "failed" && main.lastExit !== null ? ` (${main.name}: ${exitClause(main.lastExit)})` : "";
}

function pendingSentence(pod: PodExplanation): string {
  const blocked = pod.containers.some(({ state }) => state === "blocked");
  const busy = byUrgency(pod.containers).find(({ state }) => state === "starting" || state === "running");
  if (busy === undefined) return " has nothing that runs yet.";
  const doing = busy.state === "starting" ? "is being started" : "is running";
  return `: ${busy.name} ${doing}${blocked ? ", the containers after it wait" : ""}.`;
}

function containerClause(pod: PodExplanation, container: ContainerExplanation): string {
  const { name, state } = container;
  const looping = pod.verdict === "crash-looping";
  switch (state) {
    case "backing-off":
      return `${name} is in CrashLoopBackOff`;
    case "restarting":
      return restartingClause(container, looping);
    case "starting":
      return container.imagePull === null
        ? startingClause(container)
        : `${name} cannot start: its image cannot be pulled`;
    case "running":
      if (container.beingKilled !== null) return `${name} is being stopped: ${KILLS[container.beingKilled]}`;
      return looping ? `${name} is up, but not long enough yet to be out of its crash loop` : runningClause(container);
    case "failed":
      return `${name} has failed for good`;
    case "completed":
      return `${name} has completed`;
    default:
      return `${name} is ${state}`;
  }
}

const KILLS = {
  "liveness-probe": "its liveness probe failed",
  "startup-probe": "its startup probe failed",
  "spec-change": "its spec changed",
} as const;

function restartingClause({ name, overdue }: ContainerExplanation, looping: boolean): string {
  const what = looping ? `${name} crash-loops` : `${name} has exited`;
  if (overdue !== null) return `${what}, and its restart is overdue`;
  return `${what} and is about to ${looping ? "start again" : "restart"}`;
}

function runningClause({ name, restartCount }: ContainerExplanation): string {
  const restarts = restartCount === 1 ? "one restart" : `${restartCount} restarts`;
  return restartCount === 0 ? `${name} is running` : `${name} is running after ${restarts}`;
}

function startingClause(container: ContainerExplanation): string {
  return isInTrouble(container) ? `${container.name} cannot be started` : `${container.name} is being started`;
}

/** What kubectl's STATUS column shows, where that is another word than the headline's. */
function shown(pod: PodExplanation, container: ContainerExplanation): string {
  const { reported } = container;
  if (reported === null || reported === "Running") return "";
  if (reported === "CrashLoopBackOff" && container.state === "backing-off") return "";
  if (container.type === "init") return ` (kubectl shows "Init:${reported}")`;
  return ` (${isInStatusColumn(pod, container) ? "kubectl shows" : "its status says"} "${reported}")`;
}

/**
 * Mirrors `printPod` (kubernetes v1.37.1, pkg/printers/internalversion/printers.go): of the app containers the first that
 * is not running gives the column its word, except that "Completed" yields to the state of the others.
 */
function isInStatusColumn(pod: PodExplanation, container: ContainerExplanation): boolean {
  const apps = pod.containers.filter(({ type }) => type === "app");
  const first = apps.find(({ reported }) => reported !== null && reported !== "Running");
  return first === container && (container.reported !== "Completed" || apps.length === 1);
}

function others(pod: PodExplanation): string {
  const more = pod.containers.filter(isInTrouble).length - 1;
  if (more < 1) return "";
  return more === 1 ? "; one more container is in trouble" : `; ${more} more containers are in trouble`;
}
