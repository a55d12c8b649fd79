import { areAllUp, mayBeDown, mayLoop } from "../objects/pod-table.ts";
import { mentionsYoungRun, type Sieve } from "./list-pages.ts";

/** Pods that may have a container that is down, or that crash-loops but is up. Counts no containers of the others. */
export const DOWN_OR_LOOPING: Sieve = {
  row: (row) => mayBeDown(row) || mayLoop(row),
  // A container that is down is not ready; one that loops but is up has not been up for long. Most pods have no sign of either,
  // so the first pattern is enough.
  text: (pod, nowMs) =>
    /"ready":\s*false|"restartCount":\s*[1-9]/.test(pod) &&
    (/"ready":\s*false/.test(pod) || (nowMs !== null && mentionsYoungRun(pod, nowMs))),
  upInRow: () => 0,
  upInText: () => 0,
};

/** Pods with a container that is not up; a pod that is being deleted does not come up any more. */
export const NOT_UP: Sieve = {
  row: (row) => row.status !== "Terminating" && !areAllUp(row),
  text: (pod) => /"ready":\s*false|"phase":\s*"Pending"/.test(pod),
  upInRow: (row) => (areAllUp(row) ? Number(row.ready.split("/")[1]) : 0),
  upInText: (pod) => (/"deletionTimestamp":/.test(pod) ? 0 : (pod.match(/"running":\s*\{/g)?.length ?? 0)),
};
