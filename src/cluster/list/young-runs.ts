import type { ContainerStatus } from "../../explain/observed/observation.ts";

/** A run of this length outlives its back-off (`backOffReset` of the kubelet, 600 s); and a minute, by which clocks may differ. */
const YOUNG_MS = 660_000;

/** Whether one of these containers is up again so shortly that it may crash-loop. */
export function hasYoungRun(statuses: readonly ContainerStatus[], nowMs: number): boolean {
  return statuses.some(({ restartCount, state }) => {
    return restartCount >= 2 && state?.kind === "running" && (state.startedAtMs ?? nowMs) > nowMs - YOUNG_MS;
  });
}

/** The same of a pod's JSON, without parsing it. */
export function mentionsYoungRun(pod: string, nowMs: number): boolean {
  if (!/"restartCount":\s*(?:[2-9]|\d\d)/.test(pod)) return false;
  const since = new Date(nowMs - YOUNG_MS).toISOString();
  const runs = [...pod.matchAll(/"running":\s*\{\s*"startedAt":\s*"([^"]+)"/g)];
  return runs.some(([, startedAt = ""]) => startedAt > since);
}
