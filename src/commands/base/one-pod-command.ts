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
  /** Null if the user did not name a workload. Can resolve with null after `signal` is aborted. */
  readonly replacement: ((signal: AbortSignal) => Promise<OnePod | null>) | null;
}

const FINAL_ERRORS: readonly string[] = ["forbidden", "workloadNotFound"];

export abstract class OnePodCommand extends ClusterCommand {
  // If `strict` were true, oclif would refuse `TYPE NAME`, because `args` has only one argument.
  static override strict = false;

  static override args = { pod: wordArgument("A pod, or TYPE/NAME of a workload that has one pod") };

  protected abstract readonly exampleOfUsage: string;

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
      const pods = isWorkload ? withoutDeleted(observation.pods) : observation.pods;
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

  /** Returns 0 only if `timeoutMs` is 0, because 0 means that the command checks only once. */
  protected timeLeftMs(timeoutMs: number, endsAtMs: number): number {
    return timeoutMs === 0 ? 0 : Math.max(1, endsAtMs - this.timers.nowMs());
  }

  private requireOne(count: number): void {
    const [name = ""] = this.exampleOfUsage.split(" ", 1);
    if (count !== 1) throw new UserError("needsOnePod", name, count, this.exampleOfUsage);
  }

  private replacementFor(
    words: readonly string[],
    connection: Connection,
    earlier: readonly PodObservation[],
  ): NonNullable<OnePod["replacement"]> {
    const known = new Set(earlier.map(({ pod }) => pod.uid));
    const findReplacement = async (): Promise<OnePod | null> => {
      const { observation } = await this.observe(words, {}, connection);
      const others = observation.pods.filter(({ pod }) => pod.deletionAtMs === null && !known.has(pod.uid));
      const [first] = others.toSorted((a, b) => (b.pod.createdAtMs ?? 0) - (a.pod.createdAtMs ?? 0));
      if (first === undefined) return null;
      const next = this.replacementFor(words, connection, [...earlier, first]);
      return { observation: { ...observation, pods: [first] }, first, replacement: next };
    };
    return async (signal) => {
      for (let failed = 0; !signal.aborted; failed++) {
        const replacement = await findReplacement().catch((error) => {
          if (!(error instanceof UserError) || FINAL_ERRORS.includes(error.code)) throw error;
          return null;
        });
        if (replacement !== null) return replacement;
        await sleep(this.timers, retryPauseMs(failed, this.timers), signal);
      }
      return null;
    };
  }
}

/** A workload usually replaces a pod that is being deleted. */
function withoutDeleted(pods: readonly PodObservation[]): readonly PodObservation[] {
  const staying = pods.filter(({ pod }) => pod.deletionAtMs === null);
  return staying.length === 0 ? pods : staying;
}
