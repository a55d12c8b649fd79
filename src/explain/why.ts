import { delayAfter } from "../backoff/curve.ts";
import { formatBriefDuration } from "../kubelet/go-duration.ts";
import type { CrashLoopPolicy } from "../kubelet/policy.ts";
import type { CurrentWait } from "./current-wait.ts";
import type { Cause, ImagePull, Reset, State } from "./explanation.ts";
import type { ContainerFacts } from "./facts.ts";
import type { PodObservation } from "./observation.ts";
import { pendingKill } from "./pending-kill.ts";
import type { RestartAllCycle } from "./restart-all-cycle.ts";

/** What the explanation of a container has found by the time its mechanism is put into words. */
export interface Findings {
  readonly facts: ContainerFacts;
  readonly observed: PodObservation;
  readonly policy: CrashLoopPolicy;
  readonly state: State;
  readonly wait: CurrentWait | null;
  readonly delayMs: number | null;
  readonly cause: Cause | null;
  readonly reset: Reset | null;
  readonly imagePull: ImagePull | null;
  /** The sidecar that is down and holds it back; null if none does. */
  readonly heldBackBy: string | null;
  /** The container that restarts all others with it, over and over; null if none does. */
  readonly restartAll: RestartAllCycle | null;
}

/** The mechanism with its numbers, in one or two sentences. */
export function whyOf(found: Findings): string {
  const { facts, observed } = found;
  if (observed.pod.deletionAtMs !== null && found.state !== "running")
    return "The pod is being deleted: nothing restarts.";
  switch (found.state) {
    case "backing-off":
      return backingOff(found) + heldBack(found);
    case "restarting":
      return restarting(found) + heldBack(found);
    case "running":
      return running(found);
    case "starting":
      return starting(found);
    case "blocked":
      return "It starts after the init containers and sidecars before it.";
    case "completed":
    case "failed":
      return staysDown(found);
    case "unknown":
      return facts.spec.type === "ephemeral"
        ? "Ephemeral containers never restart."
        : "The API says nothing of it yet.";
  }
}

function backingOff(found: Findings): string {
  const { wait, delayMs } = found;
  if (wait === null || delayMs === null) return "It is in back-off, but when its last instance ended is not known.";
  const delay = formatBriefDuration(delayMs);
  if (wait.wait.droppedAtMs !== null) {
    const ran = formatBriefDuration(wait.wait.droppedAtMs - wait.finishedAtMs);
    return `The delay is ${delay}, but its back-off entry is dropped ${ran} after the exit, ${formatBriefDuration(found.policy.resetAfterMs)} after the last start: it restarts then, with a clean slate.`;
  }
  return `The kubelet waits ${delay} from the exit before it starts the next instance${curvePosition(found, delayMs)}.${lagOf(found)}`;
}

function heldBack({ heldBackBy, restartAll }: Findings): string {
  if (restartAll !== null) {
    const pace = formatBriefDuration(Math.round(restartAll.averageMs / 1000) * 1000);
    return ` It starts earlier if ${restartAll.container} exits: that restarts all containers, so far every ${pace} on average.`;
  }
  if (heldBackBy === null) return "";
  return ` The sidecar ${heldBackBy} is down as well, and kubelets up to v1.36 start no app container before it.`;
}

function curvePosition({ policy }: Findings, delayMs: number): string {
  const max = formatBriefDuration(policy.maxMs);
  if (delayMs >= policy.maxMs) return `, the longest delay on this node (${max})`;
  const nextMs = delayAfter(delayMs, policy);
  return nextMs === policy.maxMs
    ? `; after the next exit it is ${max}, the longest`
    : `; after the next exit it is ${formatBriefDuration(nextMs)}, at most ${max}`;
}

function lagOf({ cause }: Findings): string {
  if (cause !== "liveness-probe" && cause !== "startup-probe") return "";
  return " After a probe kill the kubelet first asks about the exit before, so the delay is one step behind the restarts.";
}

function restarting({ facts, wait, cause, state, observed }: Findings): string {
  if (cause === "restart-all" || facts.decision === "restart-all") {
    return "A restart rule removes all containers of the pod and starts them anew, without any back-off.";
  }
  if (state === "restarting" && wait !== null && wait.wait.delayMs > 0) {
    return `Its wait of ${formatBriefDuration(wait.wait.delayMs)} is over: it starts when the kubelet next looks at the pod.`;
  }
  if (wait?.rules.includes("kubelet-restart") === true)
    return "The kubelet restarted and has forgotten the back-off: it starts at once.";
  const policy = facts.spec.restartPolicy ?? observed.pod.restartPolicy;
  const exit =
    facts.lastExit?.exitCode === 0 ? `Exit code 0 does not matter: restartPolicy ${policy} restarts it. ` : "";
  return `${exit}There is no back-off entry for it, so the kubelet starts it again at once.`;
}

function running(found: Findings): string {
  const kill = pendingKill(found.facts, found.observed);
  if (kill !== null) {
    const probe =
      kill.cause === "spec-change"
        ? "its spec changed"
        : `its ${kill.cause === "liveness-probe" ? "liveness" : "startup"} probe failed`;
    return `It still runs, but the kubelet is stopping it because ${probe}; it has up to ${formatBriefDuration(kill.graceMs)} of grace.`;
  }
  return keepsRunning(found);
}

function keepsRunning({ facts, delayMs, reset, policy }: Findings): string {
  if (facts.status?.state?.kind === "waiting") {
    return "A new instance runs, although the API still shows the old wait: its postStart hook, or the kill after it, blocks the start.";
  }
  if (facts.runs.length <= 1 && (facts.status?.restartCount ?? 0) === 0) return "It runs and has never exited.";
  if (delayMs === 0 && facts.lastExit?.reason === "RestartingAllContainers") {
    return "It runs. A restart rule has restarted all containers of the pod, which leaves no exited instance and so no back-off.";
  }
  if (delayMs === 0) return "It runs and has no back-off entry: after its next exit it would restart at once.";
  if (delayMs === null) return "It runs; what its next exit would have to wait is not known.";
  const until =
    reset === null
      ? ""
      : `, unless it runs for ${formatBriefDuration(policy.resetAfterMs)}: then the delays begin again at ${formatBriefDuration(policy.initialMs)}`;
  return `It runs. Its next exit has to wait ${formatBriefDuration(delayMs)}${until}.`;
}

function starting({ facts, imagePull, observed }: Findings): string {
  if (observed.pod.nodeName === null) return "The pod has no node yet, so no kubelet has it.";
  if (imagePull !== null) {
    const delay =
      imagePull.delayMs === null
        ? ""
        : ` The next one waits ${formatBriefDuration(imagePull.delayMs)} after the last that failed.`;
    return `Its image cannot be pulled${said(facts)} Pulls have a back-off of their own.${delay}`;
  }
  if (facts.waiting === "start-failure" || facts.waiting === "failed-start-with-exit") {
    const exits =
      facts.lastExit === null ? "" : " Each attempt also moves its restart back-off on, as it has run before.";
    return `It fails before a process exists${said(facts)} There is nothing to back off from: the kubelet tries again every 10 to 15 seconds.${exits}`;
  }
  return "It is about to start.";
}

/** The kubelet's own words about the failed step, which name what is missing. */
function said({ status }: ContainerFacts): string {
  const message = status?.state?.kind === "waiting" ? (status.state.message ?? "").trim() : "";
  if (message === "") return ".";
  const line = message.replaceAll(/\s+/g, " ");
  return `: ${line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}\u2026` : line.replace(/[.]$/, "")}.`;
}

/** Some runtimes' errors are pages long. */
const MOST_CHARACTERS = 200;

function staysDown({ facts, observed }: Findings): string {
  const { pod } = observed;
  if (pod.phase === "Succeeded" || pod.phase === "Failed")
    return `The pod's phase is ${pod.phase}: nothing in it restarts.`;
  if (facts.spec.type === "init") return "It has done its part: init containers run to success once.";
  const policy = facts.spec.restartPolicy ?? pod.restartPolicy;
  const exit = facts.lastExit?.exitCode === 0 ? "success" : `exit code ${facts.lastExit?.exitCode}`;
  return `restartPolicy ${policy} does not restart it after ${exit}.`;
}
