import type { Connection } from "../../cluster/connection/connection.ts";
import { realTimers, type Timers } from "../../cluster/connection/timers.ts";
import type { InputTargets } from "../../cluster/files/target-input.ts";
import type { TargetsObservation } from "../../cluster/pods/found-targets.ts";
import type { TargetsRequest } from "../../cluster/pods/target-observe.ts";
import { harmless } from "../../render/page/harmless.ts";
import { timesAround } from "../../render/page/times.ts";
import type { ConnectionValues } from "../flags/connection-flags.ts";
import type { ExplainFlags } from "../flags/explain-flags.ts";
import { type AnyFlags, BackoffCommand, type CommandInput, type Parsed } from "./backoff-command.ts";
import { noteOnMoment } from "./chosen-moment.ts";
import { withFileWords } from "./file-words.ts";

type ObserveValues = Partial<
  Pick<ExplainFlags, "at" | "filename" | "namespace" | "selector" | "all-namespaces" | "node-config">
>;

export abstract class ClusterCommand extends BackoffCommand {
  protected readonly timers: Timers = realTimers(() => this.localNowMs());

  protected override async parse<Flags extends AnyFlags>(command: CommandInput<Flags>): Promise<Parsed<Flags>> {
    const parsed = await super.parse(command);
    const given = parsed.flags as { readonly filename?: readonly string[] };
    const takesFiles = command.flags !== undefined && "filename" in command.flags;
    const { words, filenames: filename } = withFileWords(parsed.words, given.filename, { takesFiles });
    return { words, flags: { ...parsed.flags, ...(filename && { filename }) } };
  }

  /** Sends no request yet. */
  protected async connectTo(flags: ConnectionValues): Promise<Connection> {
    // Imported here, because `explain -f` needs neither module.
    const [{ connect }, { connectionOptions }] = await Promise.all([
      import("../../cluster/api/connect.ts"),
      import("../flags/connection-options.ts"),
    ]);
    const options = connectionOptions(flags, process.env, () => this.localNowMs());
    const connection = connect(options, realTimers(monotonicMs));
    return this.trace?.traceConnection(connection, options) ?? connection;
  }

  /** Loads modules and makes slow first calls early, e.g. while the command waits for answers. */
  protected warmUp(colorChoice: string, load: () => readonly Promise<unknown>[]): void {
    const nowMs = this.localNowMs();
    const { timeZone } = this.renderOptions(colorChoice);
    const work = (): void => {
      // The command can report a failure when it imports these modules again.
      for (const module of load()) module.catch(() => {});
      timesAround(nowMs, timeZone).instant(nowMs);
      harmless("…");
    };
    // Two turns of the event loop, so that the program can open its connections first.
    setImmediate(() => setImmediate(work));
  }

  protected async observe(
    words: readonly string[],
    flags: ObserveValues,
    connection: Connection | null,
    limits: Pick<InputTargets, "mostPods" | "withJobs"> & Pick<TargetsRequest, "logs" | "mostLogs"> = {},
  ): Promise<TargetsObservation> {
    const { filename: filenames = [], namespace, selector, "node-config": nodeConfig = "auto" } = flags;
    const localNowMs = this.localNowMs();
    const atMs = flags.at?.(localNowMs) ?? null;
    const request = { ...limits, words, selector, allNamespaces: flags["all-namespaces"] ?? false, localNowMs, atMs };
    let observed: TargetsObservation;
    if (connection !== null) {
      const { observeTargets } = await import("../../cluster/pods/target-observe.ts");
      observed = await observeTargets(connection, { ...request, nodeConfig });
    } else {
      const input = { filenames, namespace, stdin: process.stdin, onNote: this.note };
      const { observeTargetsInFiles } = await import("../../cluster/files/target-input.ts");
      observed = await observeTargetsInFiles({ ...input, ...request });
    }
    const note = atMs === null ? null : noteOnMoment(atMs, localNowMs, observed.observation.pods);
    if (note !== null) this.note(note);
    return observed;
  }
}

/** Does not call performance.now(), because that can load more modules of Node. */
function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}
