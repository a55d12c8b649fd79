import { kindOfWaiting } from "../kubelet/waiting-reasons.ts";
import type {
  Cause,
  ContainerExplanation,
  Explanation,
  Gap,
  LastExit,
  Overdue,
  PodExplanation,
  State,
  Window,
} from "./answer/explanation.ts";
import type { Observation, OwnerReference } from "./observed/observation.ts";

/** Why a container is down: its last exit's cause, or what keeps it from being started. */
export type ListCause = Cause | "image-pull" | "start-failure";

/** One container that is in back-off, restarting, failing to start, or up in the midst of a crash loop. */
export interface ListItem {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly state: State;
  readonly reported: string | null;
  readonly restartCount: number;
  /** Of the container's back-off; of its image's, where that cannot be pulled. Null if unknown. */
  readonly delayMs: number | null;
  readonly nextRestart: Window | null;
  readonly overdue: Overdue | null;
  readonly cause: ListCause;
  readonly lastExit: Pick<LastExit, "exitCode" | "signal"> | null;
  readonly node: string | null;
  readonly owner: OwnerReference | null;
  readonly createdAtMs: number | null;
}

/** All such containers that were found, at one moment. */
export interface BackoffList {
  readonly atMs: number;
  readonly items: readonly ListItem[];
  /** What could not be seen of their nodes, once each. */
  readonly gaps: readonly Gap[];
}

/** What is worth keeping of pods that have been explained: the containers that are down, and what is not known. */
export function listed({ pods: observed }: Observation, { atMs, pods }: Explanation): BackoffList {
  const found = pods.map((pod, index) => ({
    pod,
    createdAtMs: observed[index]?.pod.createdAtMs ?? null,
    containers: pod.containers.filter((container) => isDown(container) || isUpInLoop(container, pod, atMs)),
  }));
  const matches = found.filter(({ containers }) => containers.length > 0);
  return {
    atMs,
    items: matches.flatMap(({ pod, createdAtMs, containers }) =>
      containers.map((container) => itemOf(pod, container, createdAtMs)),
    ),
    gaps: distinct(matches.flatMap(({ pod }) => pod.gaps.filter(({ code }) => !code.endsWith("-not-asked")))),
  };
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

function itemOf(pod: PodExplanation, container: ContainerExplanation, createdAtMs: number | null): ListItem {
  const { namespace, node, owner } = pod;
  const { name, state, reported, restartCount, imagePull, nextRestart, overdue, lastExit } = container;
  return {
    namespace,
    pod: pod.name,
    container: name,
    state,
    reported,
    restartCount,
    delayMs: imagePull === null ? container.delayMs : imagePull.delayMs,
    nextRestart: imagePull?.nextPull ?? nextRestart,
    overdue,
    cause: causeOf(container),
    lastExit,
    node,
    owner,
    createdAtMs,
  };
}

function causeOf({ state, imagePull, lastExit }: ContainerExplanation): ListCause {
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
    name: nameOf(item),
  }));
  keyed.sort((a, b) => compared(a.order, b.order) || (a.name < b.name ? -1 : Number(a.name > b.name)));
  return { ...list, items: keyed.map(({ item }) => item) };
}

function nameOf({ namespace, pod, container }: ListItem): string {
  return `${namespace}/${pod}/${container}`;
}

/** Infinities are equal to each other, which a difference would not say. */
function compared(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, place) => value !== b[place]);
  return index === -1 ? 0 : (a[index] ?? 0) < (b[index] ?? 0) ? -1 : 1;
}
