import type { ContainerStatus } from "../../explain/observed/observation.ts";
import { RESET_AFTER_MS } from "../../kubelet/crash-loop-policy.ts";
import { areAllUp, mayBeDown, mayLoop, type PodRow } from "../objects/pod-table.ts";

/** Selects pods by their table row or their JSON. Can count the containers that are up in the other pods. */
export interface PodFilter {
  row(row: PodRow): boolean;
  /** Whether to read the pod with this JSON text. `nowMs` is the time of the API server; null if it is unknown. */
  text(pod: string, nowMs: number | null): boolean;
  upInRow(row: PodRow): number;
  upInText(pod: string): number;
}

export const DOWN_OR_LOOPING: PodFilter = {
  row: (row) => mayBeDown(row) || mayLoop(row),
  // A container that is down is not ready, and a pod without a node is Pending. A looping container that is up has
  // restarted, and has not run for long. The first pattern, which most pods do not match, only saves time.
  text: (pod, nowMs) =>
    /"ready":\s*false|"restartCount":\s*[1-9]|"phase":\s*"Pending"/.test(pod) &&
    (/"ready":\s*false|"phase":\s*"Pending"/.test(pod) || (nowMs !== null && mentionsYoungRun(pod, nowMs))),
  upInRow: () => 0,
  upInText: () => 0,
};

/** Selects pods that may have a container that is not up. Leaves out Terminating rows, which do not come up again. */
export const NOT_UP: PodFilter = {
  row: (row) => row.status !== "Terminating" && !areAllUp(row),
  text: (pod) => /"ready":\s*false|"phase":\s*"Pending"/.test(pod),
  upInRow: (row) => (areAllUp(row) ? Number(row.ready.split("/")[1]) : 0),
  upInText: (pod) => (/"deletionTimestamp":/.test(pod) ? 0 : (pod.match(/"running":\s*\{/g)?.length ?? 0)),
};

/** The run that resets the back-off, and a minute for clock skew. */
const MOST_YOUNG_MS = RESET_AFTER_MS + 60_000;

/** Whether a container has restarted at least twice, and has run so briefly since that it may crash-loop. */
export function hasYoungRun(statuses: readonly ContainerStatus[], nowMs: number): boolean {
  return statuses.some(({ restartCount, state }) => {
    return restartCount >= 2 && state?.kind === "running" && (state.startedAtMs ?? nowMs) > nowMs - MOST_YOUNG_MS;
  });
}

/** Reads unparsed JSON. Also true if one container has restarted and another container has a young run. */
export function mentionsYoungRun(pod: string, nowMs: number): boolean {
  if (!/"restartCount":\s*(?:[2-9]|\d\d)/.test(pod)) return false;
  const since = new Date(nowMs - MOST_YOUNG_MS).toISOString();
  const runs = [...pod.matchAll(/"running":\s*\{\s*"startedAt":\s*"([^"]+)"/g)];
  return runs.some(([, startedAt = ""]) => startedAt > since);
}
