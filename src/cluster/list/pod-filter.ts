import type { ContainerStatus } from "../../explain/observed/observation.ts";
import { RESET_AFTER_MS } from "../../kubelet/crash-loop-policy.ts";
import { areAllUp, mayBeDown, mayLoop, type PodRow } from "../objects/pod-table.ts";

/** `text` and `upInText` get the JSON text of a pod. */
export interface PodFilter {
  row(row: PodRow): boolean;
  text(pod: string, nowMs: number | null): boolean;
  upInRow(row: PodRow): number;
  upInText(pod: string): number;
}

export const DOWN_OR_LOOPING: PodFilter = {
  row: (row) => mayBeDown(row) || mayLoop(row),
  // The first pattern only saves time.
  text: (pod, nowMs) =>
    /"ready":\s*false|"restartCount":\s*[1-9]|"phase":\s*"Pending"/.test(pod) &&
    (/"ready":\s*false|"phase":\s*"Pending"/.test(pod) || (nowMs !== null && mentionsYoungRun(pod, nowMs))),
  upInRow: () => 0,
  upInText: () => 0,
};

/** Does not select rows with the status Terminating, because a pod that is being deleted does not come up again. */
export const NOT_UP: PodFilter = {
  row: (row) => row.status !== "Terminating" && !areAllUp(row),
  text: (pod) => /"ready":\s*false|"phase":\s*"Pending"/.test(pod),
  upInRow: (row) => (areAllUp(row) ? Number(row.ready.split("/")[1]) : 0),
  upInText: (pod) => (/"deletionTimestamp":/.test(pod) ? 0 : (pod.match(/"running":\s*\{/g)?.length ?? 0)),
};

export function areUpAndSettled(statuses: readonly ContainerStatus[], nowMs: number): boolean {
  return statuses.length > 0 && statuses.every(({ ready }) => ready) && !hasYoungRun(statuses, nowMs);
}

/** Assumed: the clock of `nowMs` and the node's clock differ by less than a minute. */
const MOST_YOUNG_MS = RESET_AFTER_MS + 60_000;

export function hasYoungRun(statuses: readonly ContainerStatus[], nowMs: number): boolean {
  return statuses.some(({ restartCount, state }) => {
    return restartCount >= 2 && state?.kind === "running" && (state.startedAtMs ?? nowMs) > nowMs - MOST_YOUNG_MS;
  });
}

/**
 * Unlike {@link hasYoungRun}, also true if one container has restarted at least twice, and another has started
 * recently.
 */
export function mentionsYoungRun(pod: string, nowMs: number): boolean {
  if (!/"restartCount":\s*(?:[2-9]|\d\d)/.test(pod)) return false;
  const since = new Date(nowMs - MOST_YOUNG_MS).toISOString();
  const runs = [...pod.matchAll(/"running":\s*\{\s*"startedAt":\s*"([^"]+)"/g)];
  return runs.some(([, startedAt = ""]) => startedAt > since);
}
