import type { ContainerLog } from "../../explain/observed/observation.ts";
import { bestEffort, type Connection } from "../connection/connection.ts";
import { withoutControllerSuffix } from "../objects/owner-reference.ts";
import { crashLogIn, type PodRow } from "../objects/pod-table.ts";
import { readLog } from "../pods/observe-logs.ts";

/** The maximum number of logs that a list reads. Each is a request that a kubelet answers. */
export const MOST_LOGS = 10;

/** Names the log that has a container's last exit. */
export interface CrashLog {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly lastExitLog: "current" | "previous";
  /** Whether the pod has no other app container, so that the API server needs no name for the log. */
  readonly isOnlyApp: boolean;
}

type InstanceOfPod = Pick<CrashLog, "namespace" | "pod" | "lastExitLog">;

type LogText = ContainerLog["text"];

/**
 * Reads the last lines of crashed containers' logs for a list: of at most {@link MOST_LOGS} logs, in few rounds of
 * requests.
 */
export class CrashLogs {
  readonly #connection: Connection;
  readonly #tail: number;
  readonly #expected = new Map<string, Promise<LogText>>();
  readonly #workloads = new Set<string>();
  #asked = 0;

  constructor(connection: Connection, tail: number) {
    this.#connection = bestEffort(connection);
    this.#tail = tail;
  }

  /**
   * Requests the log of one pod of each workload while the program still reads the pods. Requests only logs of pods
   * with one app container, because the table of pods does not name the containers.
   */
  expect(rows: readonly PodRow[]): void {
    for (const row of rows) {
      const { name: pod, namespace } = row;
      const instance = crashLogIn(row);
      const workload = `${namespace}/${withoutControllerSuffix(pod)}`;
      if (namespace === null || instance === null || this.#workloads.has(workload) || this.#asked >= MOST_LOGS)
        continue;
      this.#workloads.add(workload);
      this.#asked++;
      this.#expected.set(
        keyOf({ namespace, pod, lastExitLog: instance }),
        this.#read({ namespace, pod, lastExitLog: instance }, null),
      );
    }
  }

  /** Whether `expect` has requested the log. */
  isExpected(log: CrashLog): boolean {
    return log.isOnlyApp && this.#expected.has(keyOf(log));
  }

  /**
   * Returns the last lines of a log; null if `MOST_LOGS` others have been requested. Does not throw: if the request
   * fails, `why` is the reason.
   */
  async of(log: CrashLog): Promise<LogText | null> {
    if (this.isExpected(log)) return (await this.#expected.get(keyOf(log))) ?? null;
    if (this.#asked >= MOST_LOGS) return null;
    this.#asked++;
    return this.#read(log, log.container);
  }

  #read({ namespace, pod, lastExitLog }: InstanceOfPod, container: string | null) {
    const instance = { namespace, pod, container, isPrevious: lastExitLog === "previous" };
    return readLog(this.#connection, instance, { tail: this.#tail, isAsked: false });
  }
}

function keyOf({ namespace, pod, lastExitLog }: InstanceOfPod): string {
  return `${namespace}/${pod} ${lastExitLog}`;
}
