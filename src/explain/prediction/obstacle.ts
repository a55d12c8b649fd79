import { delayAtStep } from "../../backoff/curve.ts";
import { failureIn, meaningOfEvent } from "../../kubelet/event-messages.ts";
import { SECOND_MS } from "../../kubelet/go-duration.ts";
import { FLAT_RETRY, nextSyncAfterMs, TICK_MS } from "../../kubelet/retry-rule.ts";
import { windowFrom } from "../../kubelet/start-distribution.ts";
import {
  causeIn,
  MOUNT_CURVE,
  OBSTACLE_KINDS,
  type ObstacleKind,
  saysOnlyThatVolumesAreMissing,
} from "../../kubelet/start-obstacles.ts";
import type { KubeletTraits } from "../../kubelet/traits.ts";
import { kindOfWaiting } from "../../kubelet/waiting-reasons.ts";
import { quoted } from "../answer/excerpt.ts";
import type { Gap, Obstacle, State, Window } from "../answer/explanation.ts";
import { EVENT_PERIOD_MS, hasAllEvents } from "../history/events.ts";
import { conditionOf, newestAtMs, newestOf, notReadyOf } from "../observed/lookups.ts";
import { greatestOf } from "../observed/max-min.ts";
import type { EventSnapshot, PodObservation, PodSnapshot } from "../observed/observation.ts";
import type { ReplayedContainer } from "../replay/replayed-container.ts";
import type { PodContext } from "./pod-context.ts";
import { isOver, isScheduled } from "./state.ts";

export function isPredictable({ observed }: PodContext): boolean {
  return nodeOutage(observed) === null && !isOver(observed.pod) && isScheduled(observed.pod);
}

export function isFailingToStart({ waiting }: ReplayedContainer): boolean {
  return waiting === "start-failure" || waiting === "failed-start-with-exit";
}

export function hasNeverRun({ runs, lastExit, status }: ReplayedContainer): boolean {
  return runs.length === 0 && lastExit === null && status?.restartCount === 0;
}

/** Leaves out failed image pulls, whose events have the reason Failed, too. */
export function failuresToStart(events: readonly EventSnapshot[]): EventSnapshot[] {
  return events.filter((event) => {
    const isFailure = event.type === "Warning" && event.reason === "Failed";
    return isFailure && !isOfImagePull(event);
  });
}

/** The kubelet can send two events about a failed pull: one about the pull, and one such as "Error: ErrImagePull". */
function isOfImagePull(event: EventSnapshot): boolean {
  const [waitingReason = ""] = /^\w+/.exec(failureIn(event.message)) ?? [];
  return isFailedPull(event) || kindOfWaiting(waitingReason) === "image-pull";
}

function isFailedPull({ reason, message }: EventSnapshot): boolean {
  return meaningOfEvent(reason, message) === "pull-failure";
}

export function newestFailedPull(events: readonly EventSnapshot[]): EventSnapshot | undefined {
  return newestOf(events.filter(isFailedPull));
}

function failureBeforeRun({ events }: ReplayedContainer): Obstacle {
  const event = newestOf(failuresToStart(events));
  const reason = "CrashLoopBackOff";
  if (event === undefined) return { kind: "container", ...inWords("", reason) };
  const { count, firstAtMs, lastAtMs } = event;
  return { kind: "container", ...inWords(failureIn(event.message), reason), repeated: { count, firstAtMs, lastAtMs } };
}

/** A failed image pull is no obstacle here, because `ContainerExplanation.imagePull` has it. */
export function obstacleOf(facts: ReplayedContainer, state: State, ofPod: Obstacle | null): Obstacle | null {
  if (state === "backing-off" && hasNeverRun(facts)) return failureBeforeRun(facts);
  if (state !== "starting") return null;
  const status = facts.status?.state;
  if (status?.kind !== "waiting" || !isFailingToStart(facts)) return facts.waiting === "image-pull" ? null : ofPod;
  return { kind: "container", ...inWords(status.message ?? "", status.reason ?? "Waiting") };
}

export function podObstacle(observed: PodObservation, traits: KubeletTraits): Obstacle | null {
  if (!isScheduled(observed.pod)) return notScheduled(observed);
  if (isNodeMissing(observed)) return { kind: "node", ...inWords(missingNodeWords(observed), NODE_NOT_FOUND) };
  const notReady = nodeNotReadyWords(observed);
  if (notReady !== null) return { kind: "node", ...inWords(notReady, "NodeNotReady") };
  const event = openObstacle(observed);
  if (event === null) return null;
  const isHeldBack = !hasAllEvents(observed, "Warning", traits);
  return fromEvent(event.kind, event, event.message, isHeldBack);
}

function inWords(message: string, reason: string): Pick<Obstacle, "reason" | "message" | "cause"> {
  return { reason, message: quoted(message), cause: quoted(causeIn(message)) };
}

function fromEvent(kind: ObstacleKind, event: EventSnapshot, message = event.message, isLowerBound = false): Obstacle {
  const { reason, count, firstAtMs, lastAtMs } = event;
  const repeated = { count, firstAtMs, lastAtMs, ...(isLowerBound && { isLowerBound }) };
  return { kind, ...inWords(message, reason), repeated };
}

/** Assumed: the message of the condition PodScheduled is newer than that of the event FailedScheduling. */
function notScheduled({ pod, events }: PodObservation): Obstacle | null {
  const condition = conditionOf(pod, "PodScheduled");
  const said = condition?.status === "False" ? (condition.message ?? "") : "";
  if (condition?.reason === "SchedulingGated") {
    const { schedulingGates: gates = [] } = pod;
    const words = gates.length === 0 ? said : `${said}: ${gates.join(", ")}`;
    return { kind: "gates", ...inWords(words, "SchedulingGated") };
  }
  const event = newestOf(events.filter(({ reason, container }) => reason === "FailedScheduling" && container === null));
  if (event !== undefined) return fromEvent("scheduling", event, said || event.message);
  return said === "" ? null : { kind: "scheduling", ...inWords(said, condition?.reason ?? "Unschedulable") };
}

type ObstacleEvent = EventSnapshot & { readonly kind: ObstacleKind };

/** Assumed maximum time between two events about the same error of a volume. */
const LONGEST_EVENT_GAP_MS = 2 * EVENT_PERIOD_MS;

function openObstacle(observed: PodObservation): ObstacleEvent | null {
  const { pod, events } = observed;
  const isPossible = possibleKinds(pod);
  const found = events.flatMap((event): ObstacleEvent[] => {
    const kind = event.type === "Warning" && event.container === null ? OBSTACLE_KINDS.get(event.reason) : undefined;
    return kind === undefined || !isPossible(kind) ? [] : [{ ...event, kind }];
  });
  const open = found.filter(isOpenIn(observed, found));
  const newest = newestOf(open);
  if (newest === undefined || !saysOnlyThatVolumesAreMissing(newest.message)) return newest ?? null;
  const errors = open.filter(({ kind, message, lastAtMs }) => {
    if (saysOnlyThatVolumesAreMissing(message)) return false;
    // The attach-detach controller may send only one event about a volume that is in use on another node.
    return kind === "attach" || (kind === "volume" && (newest.lastAtMs ?? 0) - (lastAtMs ?? 0) <= LONGEST_EVENT_GAP_MS);
  });
  return newestOf(errors) ?? newest;
}

/**
 * Assumed: once a container of the pod runs or its sandbox is ready, no obstacle of `OBSTACLE_KINDS` is left. Also
 * assumed, if the kubelet does not report whether the sandbox is ready: once a container has run, only the sandbox can
 * still fail.
 */
function possibleKinds(pod: PodSnapshot): (kind: ObstacleKind) => boolean {
  const ready = conditionOf(pod, "PodReadyToStartContainers");
  const isRunning = pod.statuses.some(({ state }) => state?.kind === "running");
  if (isRunning || ready?.status === "True") return () => false;
  const hasRun = pod.statuses.some(({ containerID, lastState }) => containerID !== null || lastState !== null);
  return ready === undefined && hasRun ? (kind) => kind === "sandbox" : () => true;
}

/**
 * The kubelet mounts volumes, then creates the sandbox, then the containers. Assumed: a newer event about a later step
 * shows that the earlier steps succeeded.
 */
function isOpenIn({ pod, events }: PodObservation, found: readonly ObstacleEvent[]): (event: ObstacleEvent) => boolean {
  const starts = pod.statuses.flatMap(({ state, lastState }) => [
    state === null || state.kind === "waiting" ? 0 : (state.startedAtMs ?? 0),
    lastState?.startedAtMs ?? 0,
  ]);
  const ofContainers = events.filter(({ container }) => container !== null);
  const startedAtMs = greatestOf(starts, newestAtMs(ofContainers));
  const sandboxAtMs = newestAtMs(found.filter(({ kind }) => kind === "sandbox"));
  const attachedAtMs = newestAtMs(events.filter(({ reason }) => reason === "SuccessfulAttachVolume"));
  return ({ kind, lastAtMs }) => {
    const afterVolumes = kind === "sandbox" ? 0 : sandboxAtMs;
    return (lastAtMs ?? 0) > Math.max(startedAtMs, afterVolumes, kind === "attach" ? attachedAtMs : 0);
  };
}

/** Null if the next attempt is unknown, or if the kubelet seems to be trying now. */
export function obstacleWindow(obstacle: Obstacle | null, { observed, policy, atMs }: PodContext): Window | null {
  if (obstacle === null || obstacle.repeated === undefined) return null;
  const { count, firstAtMs, lastAtMs } = obstacle.repeated;
  const waitMs = waitAfterFailure(obstacle, count, observed);
  if (lastAtMs === null || waitMs === null) return null;
  const [leastMs, mostMs] = waitMs;
  const dueByMs = lastAtMs + SECOND_MS + mostMs + TICK_MS;
  if (atMs <= dueByMs) return windowFrom(Math.max(atMs, lastAtMs + leastMs), dueByMs);
  if (hasAllEvents(observed, "Warning", policy.traits)) return null;
  // The kubelet may hold events back. Assumed: the failures go on at their average pace.
  const paceMs = count < 2 || firstAtMs === null ? 0 : (lastAtMs - firstAtMs) / (count - 1);
  return windowFrom(atMs, atMs + Math.max(mostMs, paceMs) + SECOND_MS + TICK_MS);
}

function waitAfterFailure({ kind, message }: Obstacle, count: number, { events }: PodObservation) {
  if (kind === "sandbox") return nextSyncAfterMs(FLAT_RETRY, 0);
  if (kind !== "volume" || saysOnlyThatVolumesAreMissing(message)) return null;
  // Mount failures with another message may have lengthened this back-off, too.
  const all = events.filter(({ reason, container }) => reason === "FailedMount" && container === null);
  const most = all.reduce((sum, event) => sum + event.count, 0);
  return [delayAtStep(count - 1, MOUNT_CURVE), delayAtStep(Math.max(count, most) - 1, MOUNT_CURVE)] as const;
}

export const NODE_NOT_FOUND = "NodeNotFound";

/** `gcCheckPeriod` is 20 s, and `quarantineTime` is 40 s (v1.37.1, pkg/controller/podgc/gc_controller.go). */
export const WITHOUT_NODE =
  "No kubelet starts the pod's containers until a node of that name joins; the pod garbage collector usually deletes the pod within 2m.";

/** Returns the gap about a node that is NotReady or does not exist. Assumed: no container starts on this node. */
export function nodeOutage(observed: PodObservation): Gap | null {
  if (isNodeMissing(observed)) {
    const words = missingNodeWords(observed);
    return { code: "node-not-found", message: `N${words.slice(1)}. ${WITHOUT_NODE}` };
  }
  const words = nodeNotReadyWords(observed);
  if (words === null) return null;
  return { code: "node-not-ready", message: `N${words.slice(1)}. Nothing on it restarts until it is back.` };
}

export function isNodeMissing({ pod, node, missing }: PodObservation): boolean {
  const isNotFound = missing.some(({ what, why }) => what === "node" && why === "not-found");
  return pod.nodeName !== null && node === null && isNotFound;
}

function missingNodeWords({ pod }: PodObservation): string {
  return `node ${pod.nodeName} does not exist`;
}

function nodeNotReadyWords(observed: PodObservation): string | null {
  const notReady = notReadyOf(observed.node);
  if (notReady === null) return null;
  const said =
    notReady.status === "Unknown"
      ? "kubelet not responding"
      : `its kubelet says: ${quoted(notReady.message ?? notReady.reason ?? "not ready")}`;
  return `node ${observed.node?.name} is NotReady (${said})`;
}
