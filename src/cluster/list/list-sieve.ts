import type { ContainerStatus } from "../../explain/observed/observation.ts";
import { areAllUp, mayBeDown, mayLoop, type PodRow } from "../objects/pod-table.ts";

/** Selects the pods to read whole, by their row in a table or by their JSON, and counts the containers of the others that are up. */
export interface Sieve {
  row(row: PodRow): boolean;
  /** `pod` is JSON that the program does not parse. `nowMs`: null if the server does not say. */
  text(pod: string, nowMs: number | null): boolean;
  upInRow(row: PodRow): number;
  upInText(pod: string): number;
}

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

/** The run after which the kubelet resets the back-off (`backOffReset`, 600 s), and a minute by which clocks may differ. */
const YOUNG_MS = 660_000;

/** Whether a container runs again and started so recently that it may crash-loop. */
export function hasYoungRun(statuses: readonly ContainerStatus[], nowMs: number): boolean {
  return statuses.some(({ restartCount, state }) => {
    return restartCount >= 2 && state?.kind === "running" && (state.startedAtMs ?? nowMs) > nowMs - YOUNG_MS;
  });
}

/** Like {@link hasYoungRun}, for a pod's JSON, which the program does not parse. */
export function mentionsYoungRun(pod: string, nowMs: number): boolean {
  if (!/"restartCount":\s*(?:[2-9]|\d\d)/.test(pod)) return false;
  const since = new Date(nowMs - YOUNG_MS).toISOString();
  const runs = [...pod.matchAll(/"running":\s*\{\s*"startedAt":\s*"([^"]+)"/g)];
  return runs.some(([, startedAt = ""]) => startedAt > since);
}
