import type { BackoffList, ListItem } from "../../explain/list.ts";
import type { OwnerReference } from "../../explain/observed/observation.ts";
import { type Alike, causeCell, kindOfNext } from "./list-cells.ts";

/** One line of a list: a container, or the containers of a workload that are alike. */
export interface ListRow {
  readonly items: Alike;
  /** The pod, or the workload as kubectl takes it: "deploy/web". */
  readonly name: string;
  /** How many of the workload's pods are in the row, and of how many if that is known: "12/14". */
  readonly pods: string;
}

/** kubectl's short names. */
const SHORT_KINDS: Readonly<Record<string, string>> = {
  Deployment: "deploy",
  ReplicaSet: "rs",
  StatefulSet: "sts",
  DaemonSet: "ds",
  CronJob: "cj",
};

/** A row for each container, in the list's order. */
export function singleRows({ items }: BackoffList): ListRow[] {
  return items.map((item) => ({ items: [item], name: item.pod, pods: "1" }));
}

/** One row for the containers of several pods that have workload, name and cause in common, at the place of the first. */
export function groupedRows(list: BackoffList): ListRow[] {
  return [...Map.groupBy(list.items, likeness).values()].flatMap(([first, ...others]): ListRow[] => {
    if (first === undefined) return [];
    const items: Alike = [first, ...others];
    const { workload } = first;
    const pods = new Set(items.map(({ pod }) => pod)).size;
    if (workload === null || pods === 1) return singleRows({ ...list, items });
    const all = list.podNames?.filter(isPodOf(workload)).length ?? 0;
    const kind = SHORT_KINDS[workload.kind] ?? workload.kind.toLowerCase();
    return [{ items, name: `${kind}/${workload.name}`, pods: all < pods ? `${pods}` : `${pods}/${all}` }];
  });
}

function likeness(item: ListItem): string {
  const { namespace, pod, container, workload } = item;
  const owner = workload === null ? pod : [workload.kind, workload.name];
  return JSON.stringify([namespace, owner, container, kindOfNext(item), causeCell(item)]);
}

/** What Kubernetes makes random suffixes and hashes of (`SafeEncodeString`, k8s.io/apimachinery v0.37.1, pkg/util/rand/rand.go). */
const RANDOM = "[bcdfghjklmnpqrstvwxz2456789]";

/** What the controllers put behind the workload's name in the names of its pods; the others put a random suffix there. */
const SUFFIXES: Readonly<Record<string, RegExp>> = {
  Deployment: new RegExp(`^-${RANDOM}{1,10}-${RANDOM}{5}$`),
  StatefulSet: /^-\d+$/,
  CronJob: new RegExp(`^-\\d{8}-${RANDOM}{5}$`),
};
const OTHER_SUFFIX = new RegExp(`^-${RANDOM}{5}$`);

function isPodOf({ kind, name }: OwnerReference): (podName: string) => boolean {
  const suffix = SUFFIXES[kind] ?? OTHER_SUFFIX;
  return (podName) => podName.startsWith(name) && suffix.test(podName.slice(name.length));
}
