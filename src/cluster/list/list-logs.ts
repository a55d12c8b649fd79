import type { ContainerLog } from "../../explain/observed/observation.ts";
import { bestEffort, type Connection } from "../connection/connection.ts";
import { withoutControllerSuffix } from "../objects/owner-reference.ts";
import { crashLogIn, type PodRow } from "../objects/pod-table.ts";
import { type LogInstance, readLog } from "../pods/observe-logs.ts";

/** The API server must ask a kubelet for each log. */
export const MOST_LOGS = 10;

export interface CrashLog extends LogInstance {
  readonly isOnlyApp: boolean;
}

export class CrashLogs {
  readonly #connection: Connection;
  readonly #tail: number;
  readonly #requested = new Map<string, Promise<ContainerLog["text"]>>();
  readonly #workloads = new Set<string>();
  #asked = 0;

  constructor(connection: Connection, tail: number) {
    this.#connection = bestEffort(connection);
    this.#tail = tail;
  }

  requestAhead(rows: readonly PodRow[]): void {
    for (const row of rows) {
      const { name: pod, namespace } = row;
      const lastExitLog = crashLogIn(row);
      const workload = `${namespace}/${withoutControllerSuffix(pod)}`;
      if (namespace === null || lastExitLog === null || this.#workloads.has(workload) || this.#asked >= MOST_LOGS)
        continue;
      this.#workloads.add(workload);
      const log = { namespace, pod, container: null, isPrevious: lastExitLog === "previous", isOnlyApp: true };
      this.#requested.set(keyOf(log), this.#read(log));
    }
  }

  isRequested(log: CrashLog): boolean {
    return this.#requested.has(keyOf(log));
  }

  async of(log: CrashLog): Promise<ContainerLog["text"]> {
    const requested = this.#requested.get(keyOf(log));
    if (requested !== undefined) return requested;
    return this.#asked >= MOST_LOGS ? { why: "not-asked", message: "" } : this.#read(log);
  }

  #read(log: CrashLog) {
    this.#asked++;
    return readLog(this.#connection, log, { tail: this.#tail, isAsked: false });
  }
}

function keyOf({ namespace, pod, container, isPrevious, isOnlyApp }: CrashLog): string {
  return `${namespace}/${pod} ${isPrevious} ${isOnlyApp ? "" : container}`;
}
