import { areAllUp, mayBeDown, mayLoop } from "../objects/pod-table.ts";
import { mentionsYoungRun, type Sieve } from "./list-pages.ts";

/** Pods that may have a container that is down, or that crash-loops but is up. What else is up does not matter. */
export const DOWN_OR_LOOPING: Sieve = {
  row: (row) => mayBeDown(row) || mayLoop(row),
  /**
   * Every container that is down is not ready, and its status says so; one that loops but is up has not been up for long. Most
   * pods have no sign of either, which one look at the text tells.
   */
  text: (pod, nowMs) =>
    /"ready":\s*false|"restartCount":\s*[1-9]/.test(pod) &&
    (/"ready":\s*false/.test(pod) || (nowMs !== null && mentionsYoungRun(pod, nowMs))),
  upInRow: () => 0,
  upInText: () => 0,
};

/** Pods of which not everything is up; one that is being deleted does not come up any more. */
export const NOT_UP: Sieve = {
  row: (row) => row.status !== "Terminating" && !areAllUp(row),
  text: (pod) => /"ready":\s*false|"phase":\s*"Pending"/.test(pod),
  upInRow: (row) => (areAllUp(row) ? Number(row.ready.split("/")[1]) : 0),
  upInText: (pod) => (/"deletionTimestamp":/.test(pod) ? 0 : (pod.match(/"running":\s*\{/g)?.length ?? 0)),
};
