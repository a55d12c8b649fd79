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
  /** The start of the running instance; null for a container that is down. */
  readonly startedAtMs: number | null;
  /** Null without a status. */
  readonly isReady: boolean | null;
  /** Of the back-off of its image if the pull fails, else of the container's back-off. Null if unknown. */
  readonly delayMs: number | null;
  readonly cause: Cause | "image-pull" | "start-failure";
  readonly lastExit: Pick<LastExit, "exitCode" | "signal"> | null;
  /** The approximate beginning of the failures, inferred; null if unknown. */
  readonly failingSinceMs: number | null;
  /** Null if the node was not read. */
  readonly isNodeReady: boolean | null;
  /** The Deployment or CronJob inferred from names, else the owner. */
  readonly workload: OwnerReference | null;
  readonly createdAtMs: number | null;
}

export interface BackoffList {
  readonly atMs: number;
  readonly items: readonly ListItem[];
  /** The gaps of the listed pods, each once. */
  readonly gaps: readonly Gap[];
  /** The names of all pods that were read; left out if they are in several namespaces. */
  readonly podNames?: readonly string[];
}

/** The list items and gaps of explained pods, without the pods themselves. */
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

/** The list without the containers that crash-loop but are up. */
export function withoutRunning(list: BackoffList): BackoffList {
  return { ...list, items: list.items.filter(({ state }) => state !== "running") };
}

/** The parts of one list as a whole. */
export function joined(atMs: number, parts: readonly BackoffList[]): BackoffList {
  return { atMs, items: parts.flatMap(({ items }) => items), gaps: distinctGaps(parts.flatMap(({ gaps }) => gaps)) };
}

/** A container before its first start counts as down only if something fails. */
function isDown({ state, reported, imagePull }: ContainerExplanation): boolean {
  if (state === "backing-off" || state === "restarting") return true;
  return state === "starting" && (imagePull !== null || kindOfWaiting(reported) !== "pending");
}

/** Running, restarted more than once, and not yet past its reset. RestartAllContainers leaves no entry, so the run's age decides. */
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
 * When the container's first run ended, if the runs before the oldest observed one were as long as the observed ones, with
 * the delays of the curve between them. Wrong if they were longer or shorter: no record of them exists.
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
 * Sorts by `key`: overdue restarts and then the next restart first, longest delay first, most restarts first, youngest pod
 * first. Items with equal or unknown keys are sorted by name. Running containers follow those that are down.
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

/** Not by subtraction, which gives NaN for two infinities. */
function compared(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, place) => value !== b[place]);
  return index === -1 ? 0 : (a[index] ?? 0) < (b[index] ?? 0) ? -1 : 1;
}
