import { askedTargets } from "../../cluster/api/target-words.ts";
import type { Connection } from "../../cluster/connection/connection.ts";
import { toUserError } from "../../cluster/connection/request-failure.ts";
import { UserError } from "../../errors.ts";
import type { Observation, PodObservation } from "../../explain/observed/observation.ts";
import type { ConnectionValues } from "../flags/connection-flags.ts";
import { wordArgument } from "../flags/flags.ts";
import { ClusterCommand } from "./cluster-command.ts";

export interface OnePod {
  readonly observation: Observation;
  readonly first: PodObservation;
}

export abstract class OnePodCommand extends ClusterCommand {
  // TYPE NAME are two arguments.
  static override strict = false;

  static override args = { pod: wordArgument("A pod, or TYPE/NAME of a workload that has one pod") };

  /** A correct command line for error messages, e.g. "catch POD". */
  protected abstract readonly line: string;

  /** Calls `follow` with the pod that `words` name. Throws a usage error if they name none or several. */
  protected async withOnePod(
    words: readonly string[],
    flags: ConnectionValues,
    follow: (connection: Connection, pod: OnePod) => Promise<number>,
  ): Promise<number> {
    this.requireOne(
      words.length === 0 ? 0 : askedTargets({ words, selector: undefined, allNamespaces: false }).targets.length,
    );
    const connection = await this.connectTo(flags);
    try {
      const { observation, failures, notes } = await this.observe(words, {}, connection);
      for (const sentence of notes) this.note(sentence);
      this.requireOne(observation.pods.length + failures.length);
      const [first] = observation.pods;
      if (first === undefined) throw failures[0];
      return await follow(connection, { observation, first });
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
}
