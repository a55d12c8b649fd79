import {
  type BackoffList,
  isDownInList,
  type ListedPod,
  type ListItem,
  type NotReadyPod,
} from "../../explain/answer/backoff-list.ts";
import { workloadKey } from "../../explain/observed/lookups.ts";
import type { OwnerReference } from "../../explain/observed/observation.ts";
import { causeCell } from "./list-causes.ts";

interface Row {
  /** The name of a pod, or of a workload with its kind, e.g. "deploy/web". */
  readonly name: string;
  readonly pods: number;
  /** Counts the pods of a workload, or the containers of a pod; null if unknown. */
  readonly readiness: { readonly ready: number; readonly all: number } | null;
}

type Alike<One> = readonly [One, ...One[]];

/** All `items` have the same {@link causeCell} and {@link phaseOf}. */
export interface ListRow extends Row {
  readonly items: Alike<ListItem>;
}

export interface NotReadyRow extends Row {
  readonly notReady: Alike<NotReadyPod>;
}

export function containerRows(list: BackoffList, isGrouped: boolean, by: string | null = null): ListRow[] {
  const placeOf = ({ node }: ListItem): string => (by === "node" ? (node ?? "") : "");
  const keyOf = (item: ListItem): string =>
    `${placeOf(item)} ${workloadKey(item)} ${item.container} ${phaseOf(item)} ${causeCell(item)}`;
  return rowsOf(list, list.items, isGrouped ? keyOf : null).map(({ alike, ...row }) => ({ ...row, items: alike }));
}

export function notReadyRows(list: BackoffList, isGrouped: boolean): NotReadyRow[] {
  const keyOf = (pod: NotReadyPod): string => `${workloadKey(pod)} ${pod.cause} ${pod.container?.name}`;
  const rows = rowsOf(list, list.notReady, isGrouped ? keyOf : null);
  return rows.map(({ alike, ...row }) => ({ ...row, notReady: alike }));
}

function rowsOf<One extends ListedPod>(
  list: BackoffList,
  all: readonly One[],
  keyOf: ((one: One) => string) | null,
): (Row & { readonly alike: Alike<One> })[] {
  const rowOfPod = ({ pod, readiness }: One): Row => ({ name: pod, pods: 1, readiness });
  if (keyOf === null) return all.map((one) => ({ alike: [one], ...rowOfPod(one) }));
  return [...Map.groupBy(all, keyOf).values()].map((group) => {
    const alike = group as [One, ...One[]];
    return { alike, ...(rowOfWorkload(list, alike) ?? rowOfPod(alike[0])) };
  });
}

export function phaseOf(item: ListItem) {
  const { nextRestart, overdue, isNodeReady, isNodeMissing } = item;
  if (!isDownInList(item)) return "looping";
  if (overdue !== null) return "overdue";
  if (nextRestart !== null) return "looping";
  if (isNodeMissing) return "no such node";
  return isNodeReady === false ? "node not ready" : "unknown";
}

function rowOfWorkload({ allPods }: BackoffList, all: Alike<ListedPod>): Row | null {
  const [{ namespace, workload }] = all;
  if (workload === null) return null;
  const pods = new Set(all.map(({ pod }) => pod)).size;
  const isOfWorkload = isPodOf(workload, all);
  const peers = allPods?.filter((one) => (one.namespace ?? namespace) === namespace && isOfWorkload(one.name)) ?? [];
  // The name of a single pod tells more than the workload's name, unless the pod is the only pod of a Deployment.
  const isOnlyOne = peers.length === 1 && workload.kind === "Deployment";
  if (pods === 1 && !isOnlyOne) return null;
  const readiness = { ready: peers.filter(({ isReady }) => isReady).length, all: peers.length };
  return { name: shortName(workload), pods, readiness: peers.length < pods ? null : readiness };
}

const SHORT_KINDS: Readonly<Record<string, string>> = {
  Deployment: "deploy",
  ReplicaSet: "rs",
  StatefulSet: "sts",
  DaemonSet: "ds",
  CronJob: "cj",
};

export function shortName({ kind, name }: OwnerReference): string {
  return `${SHORT_KINDS[kind] ?? kind.toLowerCase()}/${name}`;
}

/** See `alphanums` (k8s.io/apimachinery v0.37.1, pkg/util/rand/rand.go). */
const RANDOM = "[bcdfghjklmnpqrstvwxz2456789]";

function endingRandomly(before: string): RegExp {
  return new RegExp(`^${before}${RANDOM}{5}$`);
}

/**
 * The ends of pods' names, by the kind of the workload. In a cut name, the last "-" can be missing
 * (`SimpleNameGenerator`, k8s.io/apiserver v0.37.1, pkg/storage/names/generate.go). See `podGenerateNameWithIndex`
 * (v1.37.1, pkg/controller/job/indexed_job_utils.go).
 */
const SUFFIXES: Readonly<Record<string, readonly RegExp[]>> = {
  Deployment: [`-${RANDOM}{1,10}-`, `-${RANDOM}{0,10}`].map(endingRandomly),
  StatefulSet: [/^-\d+$/],
  Job: ["-", "-\\d+-"].map(endingRandomly),
  CronJob: ["-\\d{8}-", "-\\d{8}-\\d+-", "-\\d{1,8}"].map(endingRandomly),
};
const OTHER_SUFFIXES = [endingRandomly("-")];

/** Assumed: other pods of the workload have a suffix of the same form as all pods in `known`. */
function isPodOf({ kind, name }: OwnerReference, known: Alike<ListedPod>): (podName: string) => boolean {
  const has = (podName: string, suffix: RegExp): boolean =>
    podName.startsWith(name) && suffix.test(podName.slice(name.length));
  const suffixes = SUFFIXES[kind] ?? OTHER_SUFFIXES;
  const own = suffixes.find((suffix) => known.every(({ pod }) => has(pod, suffix)));
  return (podName) => own !== undefined && has(podName, own);
}
