import { isOnlyApp, lastEnded, lastExitLog, likenessOf, notReadyOf } from "../../explain/observed/lookups.ts";
import type { ContainerStatus, PodObservation } from "../../explain/observed/observation.ts";
import { troubleInStatus } from "../../explain/triage.ts";
import { bestEffort, type Connection } from "../connection/connection.ts";
import { liveNeeds, needReader } from "../pods/observe-needs.ts";
import { type CrashLog, type CrashLogs, MOST_LOGS } from "./list-logs.ts";

/**
 * Containers that wait for a restart and have ended alike, e.g. in the pods of one ReplicaSet. Assumed: their logs name
 * the same cause, so the log of one container is enough.
 */
interface CrashGroup {
  readonly pod: PodObservation;
  readonly status: ContainerStatus;
  readonly log: CrashLog;
  count: number;
}

export class CrashGroups {
  readonly #logs: CrashLogs;
  readonly #groups = new Map<string, CrashGroup>();

  constructor(logs: CrashLogs) {
    this.#logs = logs;
  }

  add(pods: readonly PodObservation[], atMs: number): void {
    for (const pod of pods)
      for (const status of pod.pod.statuses) {
        const log = troubleInStatus(status, pod.pod, atMs) === "awaiting-restart" ? crashLogOf(pod, status) : null;
        if (log === null) continue;
        const key = likenessOf(pod.pod, status.name);
        const known = this.#groups.get(key);
        const isBetter = known === undefined || (!this.#logs.isRequested(known.log) && this.#logs.isRequested(log));
        this.#groups.set(key, { ...(isBetter ? { pod, status, log } : known), count: (known?.count ?? 0) + 1 });
      }
  }

  clear(): void {
    this.#groups.clear();
  }

  async needs(connection: Connection, atMs: number): Promise<PodObservation[]> {
    const largest = [...this.#groups.values()].toSorted((a, b) => b.count - a.count).slice(0, MOST_LOGS);
    const needsOf = needReader(liveNeeds(bestEffort(connection), null), atMs);
    const found = largest.map(async ({ pod: observed, status, log }) => {
      const text = await this.#logs.of(log);
      const own = { ...observed.pod, statuses: [status] };
      return { ...observed, needs: await needsOf(own, [{ container: status.name, instance: "last-exit", text }]) };
    });
    return (await Promise.all(found)).filter(({ needs }) => needs.length > 0);
  }
}

function crashLogOf({ pod, node }: PodObservation, status: ContainerStatus): CrashLog | null {
  const lastExit = lastExitLog(status);
  // The kubelet of a node that is not ready may not answer, and the user would have to wait.
  if (lastExit === null || notReadyOf(node) !== null) return null;
  // An OOM kill comes without warning, so the log usually does not show a cause.
  if (lastEnded(status)?.reason === "OOMKilled") return null;
  return {
    namespace: pod.namespace,
    pod: pod.name,
    container: status.name,
    isPrevious: lastExit === "previous",
    isOnlyApp: isOnlyApp(status.name, pod),
  };
}
