import { kindOfWaiting } from "../kubelet/waiting-reasons.ts";
import type {
  Cause,
  ContainerExplanation,
  Explanation,
  Gap,
  LastExit,
  Overdue,
  PodExplanation,
  PolicyExplanation,
  Run,
  State,
  Window,
} from "./answer/explanation.ts";
import { waitsOf } from "./history/lifetime.ts";
import { conditionOf, statusOf, takenAtMs } from "./observed/lookups.ts";
import type { Observation, OwnerReference, PodObservation } from "./observed/observation.ts";

/** Why a container is down: its last exit's cause, or what keeps it from being started. */
type ListCause = Cause | "image-pull" | "start-failure";

/** One container that is in back-off, restarting, failing to start, or up in the midst of a crash loop. */
export interface ListItem {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly state: State;
  /** When the instance that is up started; null for a container that is down. */
  readonly startedAtMs: number | null;
  /** As its status says; null without one. */
  readonly isReady: boolean | null;
  readonly reported: string | null;
  readonly restartCount: number;
  /** Of the container's back-off; of its image's, where that cannot be pulled. Null if unknown. */
  readonly delayMs: number | null;
  readonly nextRestart: Window | null;
  readonly overdue: Overdue | null;
  readonly cause: ListCause;
  readonly lastExit: Pick<LastExit, "exitCode" | "signal"> | null;
  /** About since when it has been failing, inferred; null if nothing is known of it. */
  readonly failingSinceMs: number | null;
  readonly node: string | null;
  /** Null if the node was not read. */
  readonly isNodeReady: boolean | null;
  readonly owner: OwnerReference | null;
  /** The Deployment or CronJob that names tell of, else the owner: what the pods of a fleet have in common. */
  readonly workload: OwnerReference | null;
  readonly createdAtMs: number | null;
}

/** All such containers that were found, at one moment. */
export interface BackoffList {
  readonly atMs: number;
  readonly items: readonly ListItem[];
  /** What could not be seen of their nodes, once each. */
  readonly gaps: readonly Gap[];
  /** The names of all pods that were read, of one namespace; left out where there are several. */
  readonly podNames?: readonly string[];
}

/** What is worth keeping of pods that have been explained: the containers that are down, and what is not known. */
export function listed({ pods: observed }: Observation, { atMs, pods }: Explanation): BackoffList {
  const matches = pods.flatMap((pod, index) => {
    const source = observed[index];
    const containers = pod.containers.filter((container) => isDown(container) || isUpInLoop(container, pod, atMs));
    return source === undefined || containers.length === 0 ? [] : [{ pod, source, containers }];
  });
  return {
    atMs,
    items: matches.flatMap(({ pod, source, containers }) =>
      containers.map((container) => itemOf(pod, source, container, atMs)),
    ),
    gaps: distinct(matches.flatMap(({ pod }) => pod.gaps.filter(({ code }) => !code.endsWith("-not-asked")))),
  };
}

/** The list without the containers that crash-loop but are up. */
export function withoutRunning(list: BackoffList): BackoffList {
  return { ...list, items: list.items.filter(({ state }) => state !== "running") };
}

/** Parts of one list, as one of that moment. */
export function joined(atMs: number, parts: readonly BackoffList[]): BackoffList {
  return { atMs, items: parts.flatMap(({ items }) => items), gaps: distinct(parts.flatMap(({ gaps }) => gaps)) };
}

/** A container whose start is simply before it is not failing. */
function isDown({ state, reported, imagePull }: ContainerExplanation): boolean {
  if (state === "backing-off" || state === "restarting") return true;
  return state === "starting" && (imagePull !== null || kindOfWaiting(reported) !== "pending");
}

/** It has been restarted more than once, and its run has not outlived the back-off; restarts of all have none, so time tells. */
function isUpInLoop(
  { state, restartCount, reset, lastExit, history }: ContainerExplanation,
  { verdict, policy }: PodExplanation,
  atMs: number,
): boolean {
  if (verdict !== "crash-looping" || state !== "running" || restartCount < 2) return false;
  const startedAtMs = history.at(-1)?.startedAtMs ?? atMs;
  return reset !== null || (lastExit?.cause === "restart-all" && atMs - startedAtMs < policy.resetAfterMs);
}

function itemOf(
  pod: PodExplanation,
  { pod: snapshot, node: observedNode, workload = pod.owner }: PodObservation,
  container: ContainerExplanation,
  atMs: number,
): ListItem {
  const { namespace, node, owner, policy } = pod;
  const { name, state, reported, restartCount, imagePull, nextRestart, overdue, lastExit, history } = container;
  const ready = observedNode === null ? undefined : conditionOf(observedNode, "Ready");
  const bornAtMs = takenAtMs(snapshot);
  return {
    namespace,
    pod: pod.name,
    container: name,
    state,
    startedAtMs: state === "running" ? (history.at(-1)?.startedAtMs ?? null) : null,
    isReady: statusOf(snapshot, name)?.ready ?? null,
    reported,
    restartCount,
    delayMs: imagePull === null ? container.delayMs : imagePull.delayMs,
    nextRestart: imagePull?.nextPull ?? nextRestart,
    overdue,
    cause: listCauseOf(container),
    lastExit,
    failingSinceMs: bornAtMs === null ? null : Math.min(atMs, Math.max(bornAtMs, firstExitMs(history, policy))),
    node,
    isNodeReady: ready === undefined ? null : ready.status === "True",
    owner,
    workload,
    createdAtMs: snapshot.createdAtMs,
  };
}

/**
 * When the first of the container's runs ended, if those before the oldest observed one were as long as the observed ones, and
 * followed each other by the delays of the curve. Longer or shorter ones make this wrong: nothing tells of them.
 */
function firstExitMs(history: readonly Run[], policy: PolicyExplanation): number {
  const observed = history.filter(({ basis }) => basis === "observed");
  const [{ start, startedAtMs, finishedAtMs } = { start: 0, startedAtMs: null, finishedAtMs: null }] = observed;
  const oldestAtMs = startedAtMs ?? finishedAtMs;
  if (oldestAtMs === null) return Number.NEGATIVE_INFINITY;
  const lengths = observed.flatMap((run) =>
    run.startedAtMs === null || run.finishedAtMs === null ? [] : [run.finishedAtMs - run.startedAtMs],
  );
  const runMs = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  return oldestAtMs - waitsOf(start, policy) - (start - 1) * runMs;
}

function listCauseOf({ state, imagePull, lastExit }: ContainerExplanation): ListCause {
  if (imagePull !== null) return "image-pull";
  return state === "starting" ? "start-failure" : (lastExit?.cause ?? "unknown");
}

function distinct(gaps: readonly Gap[]): Gap[] {
  return [...new Map(gaps.map((gap) => [gap.message, gap])).values()];
}

/** What a list can be sorted by. */
export const SORT_KEYS = ["next", "delay", "restarts", "name", "age"] as const;

/** One of {@link SORT_KEYS}. */
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
 * Next restart first, and what is overdue before it; longest delay first, most restarts first, youngest pod first; what is equal
 * or unknown by name. What is up follows what is down.
 */
export function sorted(list: BackoffList, key: SortKey): BackoffList {
  const keyed = list.items.map((item) => ({
    item,
    order: [Number(item.state === "running"), ...ORDERS[key](item)],
    name: qualifiedName(item),
  }));
  keyed.sort((a, b) => compared(a.order, b.order) || (a.name < b.name ? -1 : Number(a.name > b.name)));
  return { ...list, items: keyed.map(({ item }) => item) };
}

function qualifiedName({ namespace, pod, container }: ListItem): string {
  return `${namespace}/${pod}/${container}`;
}

/** Infinities are equal to each other, which a difference would not say. */
function compared(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, place) => value !== b[place]);
  return index === -1 ? 0 : (a[index] ?? 0) < (b[index] ?? 0) ? -1 : 1;
}
