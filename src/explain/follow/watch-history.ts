import { ALL_RESTARTING } from "../history/restart-rules.ts";
import { observedRuns } from "../history/runs.ts";
import type { PodObservation, PodSnapshot } from "../observed/observation.ts";

/** Without a limit, the kept versions of a crash-looping pod would need more and more memory. */
const MOST_EARLIER = 100;

/** Keeps the old version of the pod in `earlier` if it shows a start or an end of a run that no other version shows. */
export function withPod(observed: PodObservation, pod: PodSnapshot): PodObservation {
  const { pod: old, earlier } = observed;
  const shown = new Set([pod, ...earlier].flatMap(recordsOf));
  if (recordsOf(old).every((record) => shown.has(record))) return { ...observed, pod };
  const isSameSpec = old.generation !== null && old.generation === pod.generation;
  // To save memory, `kept` has at most one condition and, if the spec is the same, shares the `containers` of `pod`.
  const conditions = old.conditions.filter(({ type }) => type === ALL_RESTARTING);
  const kept = { ...old, conditions, containers: isSameSpec ? pod.containers : old.containers };
  return { ...observed, pod, earlier: [...earlier, kept].slice(-MOST_EARLIER) };
}

export function withEvents(observed: PodObservation, events: PodObservation["events"]): PodObservation {
  return { ...observed, events, missing: observed.missing.filter(({ what }) => what !== "events") };
}

export function withNode(
  observed: PodObservation,
  node: Pick<PodObservation, "node" | "nodeEvents" | "kubeletConfig" | "missing">,
): PodObservation {
  // Drops the old entries about the node: these are all entries of `observed.missing` except "events".
  const others = observed.missing.filter(({ what }) => what === "events");
  return { ...observed, ...node, missing: [...others, ...node.missing] };
}

function recordsOf(snapshot: PodSnapshot): string[] {
  return snapshot.statuses.flatMap(({ name }) =>
    observedRuns(name, [snapshot]).flatMap(({ containerID, start, finishedAtMs }) => {
      const run = `${name} ${containerID ?? `start ${start}`}`;
      return finishedAtMs === null ? [`${run} start`] : [`${run} start`, `${run} end`];
    }),
  );
}
