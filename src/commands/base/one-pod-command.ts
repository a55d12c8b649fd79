import { askedTargets } from "../../cluster/api/target-words.ts";
import type { Connection } from "../../cluster/connection/connection.ts";
import { toUserError } from "../../cluster/connection/request-failure.ts";
import { sleep } from "../../cluster/connection/timers.ts";
import { retryPauseMs } from "../../cluster/watch/watch-retry.ts";
import { UserError } from "../../errors.ts";
import type { Observation, PodObservation } from "../../explain/observed/observation.ts";
import type { ConnectionValues } from "../flags/connection-flags.ts";
import { wordArgument } from "../flags/flags.ts";
import { ClusterCommand } from "./cluster-command.ts";

export interface OnePod {
  readonly observation: Observation;
  readonly first: PodObservation;
  /**
   * Waits for another pod of the workload; resolves with null if `signal` is aborted before. Null if the user named the
   * pod itself.
   */
  readonly replacement: ((signal: AbortSignal) => Promise<OnePod | null>) | null;
}

/** The errors after which another search for a replacement would fail, too. */
const FINAL: readonly string[] = ["forbidden", "workloadNotFound"];

export abstract class OnePodCommand extends ClusterCommand {
  // TYPE NAME are two arguments.
  static override strict = false;

  static override args = { pod: wordArgument("A pod, or TYPE/NAME of a workload that has one pod") };

  /** A correct command line for error messages, e.g. "catch POD". */
  protected abstract readonly line: string;

  /**
   * Calls `follow` with the pod that `words` name, then closes the connection. Returns the exit code of `follow`.
   * Throws a usage error unless `words` name exactly one pod, and a UserError if it cannot be read.
   */
  protected async withOnePod(
    words: readonly string[],
    flags: ConnectionValues,
    follow: (connection: Connection, pod: OnePod) => Promise<number>,
  ): Promise<number> {
    const { targets } =
      words.length === 0 ? { targets: [] } : askedTargets({ words, selector: undefined, allNamespaces: false });
    this.requireOne(targets.length);
    const connection = await this.connectTo(flags);
    try {
      const { observation, failures, notes } = await this.observe(words, {}, connection);
      for (const sentence of notes) this.note(sentence);
      const isWorkload = targets[0]?.kind !== "Pod";
      const pods = isWorkload ? withoutLeaving(observation.pods) : observation.pods;
      this.requireOne(pods.length + failures.length);
      const [first] = pods;
      if (first === undefined) throw failures[0];
      const replacement = isWorkload ? this.replacementFor(words, connection, [first]) : null;
      return await follow(connection, { observation: { ...observation, pods }, first, replacement });
    } catch (error) {
      throw toUserError(error, connection);
    } finally {
      connection.close();
    }
  }

  private requireOne(count: number): void {
    const [name = ""] = this.line.split(" ", 1);
    if (count !== 1) throw new UserError("needsOnePod", name, count, this.line);
  }

  /** Returns a function that waits for a pod of the workload that is none of `earlier`. */
  private replacementFor(
    words: readonly string[],
    connection: Connection,
    earlier: readonly PodObservation[],
  ): NonNullable<OnePod["replacement"]> {
    const known = new Set(earlier.map(({ pod }) => pod.uid));
    const find = async (): Promise<OnePod | null> => {
      const { observation } = await this.observe(words, {}, connection);
      const others = observation.pods.filter(({ pod }) => pod.deletionAtMs === null && !known.has(pod.uid));
      const [first] = others.toSorted((a, b) => (b.pod.createdAtMs ?? 0) - (a.pod.createdAtMs ?? 0));
      if (first === undefined) return null;
      const replacement = this.replacementFor(words, connection, [...earlier, first]);
      return { observation: { ...observation, pods: [first] }, first, replacement };
    };
    return async (signal) => {
      for (let failed = 0; !signal.aborted; failed++) {
        const found = await find().catch((error) => {
          if (!(error instanceof UserError) || FINAL.includes(error.code)) throw error;
          return null;
        });
        if (found !== null) return found;
        await sleep(this.timers, retryPauseMs(failed, this.timers), signal);
      }
      return null;
    };
  }
}

/** Leaves out pods that are being deleted, because the workload replaces them. Keeps all if all are being deleted. */
function withoutLeaving(pods: readonly PodObservation[]): readonly PodObservation[] {
  const staying = pods.filter(({ pod }) => pod.deletionAtMs === null);
  return staying.length === 0 ? pods : staying;
}
