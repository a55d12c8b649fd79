import { kindOfWaiting } from "../kubelet/waiting-reasons.ts";
import type {
  Cause,
  ContainerExplanation,
  Explanation,
  Gap,
  LastExit,
  PodExplanation,
  PolicyExplanation,
  Run,
} from "./answer/explanation.ts";
import { waitsOf } from "./history/lifetime.ts";
import { averageRunMs } from "./history/runs.ts";
import { conditionOf, statusOf, takenAtMs } from "./observed/lookups.ts";
import type { Observation, OwnerReference, PodObservation } from "./observed/observation.ts";
import { distinctGaps } from "./words/gaps.ts";

/** A container that is in back-off, restarting or failing to start, or that runs as part of a crash loop. */
export interface ListItem
  extends Pick<PodExplanation, "namespace" | "node" | "owner">,
    Pick<ContainerExplanation, "state" | "reported" | "restartCount" | "nextRestart" | "overdue"> {
  readonly pod: string;
  readonly container: string;
  /** The start of the running instance; null if the container is down or the start is unknown. */
  readonly startedAtMs: number | null;
  readonly isReady: boolean | null;
  /** The delay of the image's back-off if the pull fails, else of the container's back-off; null if unknown. */
  readonly delayMs: number | null;
  readonly cause: Cause | "image-pull" | "start-failure";
  readonly lastExit: Pick<LastExit, "exitCode" | "signal"> | null;
  /** When the failures began, estimated from the observed runs; null if unknown. */
  readonly failingSinceMs: number | null;
  /** Null if the node was not read. */
  readonly isNodeReady: boolean | null;
  /** The Deployment or CronJob, inferred from the pod's name and labels; else the owner. */
  readonly workload: OwnerReference | null;
  readonly createdAtMs: number | null;
}

export interface BackoffList {
  readonly atMs: number;
  readonly items: readonly ListItem[];
  readonly gaps: readonly Gap[];
  /** The names of all pods that were read; left out if they are in several namespaces or the list is incomplete. */
  readonly podNames?: readonly string[];
}

/** Lists the failing containers of explained pods, and the gaps of these pods. */
export function listed({ pods: observed }: Observation, { atMs, pods }: Explanation): BackoffList {
  const items: ListItem[] = [];
  const gaps: Gap[] = [];
  for (const [index, pod] of pods.entries()) {
    const source = observed[index];
    const containers = pod.containers.filter((container) => isDown(container) || isUpInLoop(container, pod, atMs));
    if (source === undefined || containers.length === 0) continue;
    items.push(...containers.map((container) => itemOf(pod, source, container, atMs)));
    gaps.push(...pod.gaps);
  }
  return { atMs, items, gaps: distinctGaps(gaps) };
}

export function withoutRunning(list: BackoffList): BackoffList {
  return { ...list, items: list.items.filter(({ state }) => state !== "running") };
}

export function joined(atMs: number, parts: readonly BackoffList[]): BackoffList {
  return { atMs, items: parts.flatMap(({ items }) => items), gaps: distinctGaps(parts.flatMap(({ gaps }) => gaps)) };
}

/** Whether the container is down. Before its first start it counts as down only if a step of the start fails. */
function isDown({ state, reported, imagePull }: ContainerExplanation): boolean {
  if (state === "backing-off" || state === "restarting") return true;
  return state === "starting" && (imagePull !== null || kindOfWaiting(reported) !== "pending");
}

/** Whether a crash-looping container runs, but not long enough for a reset. RestartAllContainers leaves no `reset`. */
function isUpInLoop(container: ContainerExplanation, { verdict, policy }: PodExplanation, atMs: number): boolean {
  const { state, restartCount, reset, lastExit, history } = container;
  if (verdict !== "crash-looping" || state !== "running" || restartCount < 2) return false;
  const startedAtMs = history.at(-1)?.startedAtMs ?? atMs;
  return reset !== null || (lastExit?.cause === "restart-all" && atMs - startedAtMs < policy.resetAfterMs);
}

function itemOf(pod: PodExplanation, source: PodObservation, container: ContainerExplanation, atMs: number): ListItem {
  const { namespace, node, owner, policy } = pod;
  const { name, state, reported, restartCount, imagePull, nextRestart, overdue, lastExit, history } = container;
  const ready = source.node === null ? undefined : conditionOf(source.node, "Ready");
  const bornAtMs = takenAtMs(source.pod);
  return {
    namespace,
    pod: pod.name,
    container: name,
    state,
    startedAtMs: state === "running" ? (history.at(-1)?.startedAtMs ?? null) : null,
    isReady: statusOf(source.pod, name)?.ready ?? null,
    reported,
    restartCount,
    delayMs: imagePull === null ? container.delayMs : imagePull.delayMs,
    nextRestart: imagePull?.nextPull ?? nextRestart,
    overdue,
    cause: causeOf(container),
    lastExit,
    failingSinceMs: bornAtMs === null ? null : Math.min(atMs, Math.max(bornAtMs, firstExitMs(history, policy))),
    node,
    isNodeReady: ready === undefined ? null : ready.status === "True",
    owner,
    workload: source.workload === undefined ? owner : source.workload,
    createdAtMs: source.pod.createdAtMs,
  };
}

/**
 * Estimates when the container's first run ended. Assumes that the unobserved runs were as long as the observed ones,
 * with the delays of the curve between them. The estimate can be wrong, because the API keeps no record of these runs.
 */
function firstExitMs(history: readonly Run[], policy: PolicyExplanation): number {
  const observed = history.filter(({ basis }) => basis === "observed");
  const [{ start, startedAtMs, finishedAtMs } = { start: 0, startedAtMs: null, finishedAtMs: null }] = observed;
  const oldestAtMs = startedAtMs ?? finishedAtMs;
  if (oldestAtMs === null) return Number.NEGATIVE_INFINITY;
  return oldestAtMs - waitsOf(start, policy) - (start - 1) * (averageRunMs(observed) ?? 0);
}

function causeOf({ state, imagePull, lastExit }: ContainerExplanation): ListItem["cause"] {
  if (imagePull !== null) return "image-pull";
  return state === "starting" ? "start-failure" : (lastExit?.cause ?? "unknown");
}

export const SORT_KEYS = ["next", "delay", "restarts", "name", "age"] as const;

export type SortKey = (typeof SORT_KEYS)[number];

const LAST = Number.POSITIVE_INFINITY;

const ORDERS: Readonly<Record<SortKey, (item: ListItem) => readonly number[]>> = {
  next: ({ nextRestart, overdue }) =>
    overdue === null
      ? [nextRestart?.notBeforeMs ?? LAST, nextRestart?.likelyByMs ?? LAST]
      : [overdue.expectedByMs, overdue.expectedByMs],
  delay: ({ delayMs }) => [-(delayMs ?? -1)],
  restarts: ({ restartCount }) => [-restartCount],
  name: () => [],
  age: ({ createdAtMs }) => [-(createdAtMs ?? -LAST)],
};

/**
 * Sorts containers that are down before running ones, then by `key`: the earliest next restart (overdue ones before
 * it), the longest delay, the most restarts or the youngest pod comes first. Sorts equal and unknown keys by name.
 */
export function sorted(list: BackoffList, key: SortKey): BackoffList {
  const keyed = list.items.map((item) => ({
    item,
    order: [Number(item.state === "running"), ...ORDERS[key](item)],
    name: `${item.namespace}/${item.pod}/${item.container}`,
  }));
  keyed.sort((a, b) => compared(a.order, b.order) || (a.name < b.name ? -1 : Number(a.name > b.name)));
  return { ...list, items: keyed.map(({ item }) => item) };
}

/** Compares two lists number by number. A subtraction would give NaN for two infinities. */
function compared(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, place) => value !== b[place]);
  return index === -1 ? 0 : (a[index] ?? 0) < (b[index] ?? 0) ? -1 : 1;
}
