import { seenRuns } from "../history/runs.ts";
import type { PodObservation, PodSnapshot } from "../observed/observation.ts";

/** Runs older than so many versions (two to each) are told by restartCount alone: a loop of seconds would fill the memory in a week. */
const MOST_EARLIER = 100;

/** Everything but the pod that is read of a node. */
type NodePart = Pick<PodObservation, "node" | "nodeEvents" | "kubeletConfig" | "missing">;

const OF_NODE: readonly string[] = ["node", "node-events", "node-config"];

/**
 * The observation with a newer version of its pod. The older one is kept if it shows a run, or the end of one, that neither
 * the newer one nor those kept before show: so every run that was seen stays seen, with about one version for each.
 */
export function withPod(observed: PodObservation, pod: PodSnapshot): PodObservation {
  const { pod: superseded, earlier } = observed;
  const shown = shownBy([pod, ...earlier]);
  const tellsMore = recordsOf(superseded).some((record) => !shown.has(record));
  if (!tellsMore) return { ...observed, pod };
  const isSameSpec = superseded.generation !== null && superseded.generation === pod.generation;
  const kept: PodSnapshot = {
    ...superseded,
    conditions: [],
    ...(isSameSpec && { containers: pod.containers }),
  };
  return { ...observed, pod, earlier: [...earlier, kept].slice(-MOST_EARLIER) };
}

/** The observation with the pod's events as they are now. */
export function withEvents(observed: PodObservation, events: PodObservation["events"]): PodObservation {
  return { ...observed, events, missing: observed.missing.filter(({ what }) => what !== "events") };
}

/** The observation with the node as it is now. */
export function withNode(observed: PodObservation, node: NodePart): PodObservation {
  const others = observed.missing.filter(({ what }) => !OF_NODE.includes(what));
  return { ...observed, ...node, missing: [...others, ...node.missing] };
}

/** What a version tells of runs, one text for each start and each end; an end tells of its start too. */
function recordsOf(snapshot: PodSnapshot): string[] {
  return snapshot.statuses.flatMap(({ name }) =>
    seenRuns(name, [snapshot]).map((run) => {
      const id = run.containerID ?? `start ${run.start}`;
      return `${name} ${id} ${run.finishedAtMs === null ? "start" : "end"}`;
    }),
  );
}

function shownBy(snapshots: readonly PodSnapshot[]): ReadonlySet<string> {
  const records = snapshots.flatMap(recordsOf);
  const starts = records.filter((record) => record.endsWith(" end")).map((record) => record.replace(/end$/, "start"));
  return new Set([...records, ...starts]);
}
