import type { Connection } from "../../cluster/connection/connection.ts";
import type { ConnectionValues } from "../flags/connection-options.ts";
import { BackoffCommand } from "./backoff-command.ts";

/** What the commands share that may talk to a cluster. */
export abstract class ClusterCommand extends BackoffCommand {
  /** The connection that the flags ask for; nothing is sent yet. A UserError if there is nothing to connect to. */
  protected async connectTo(flags: ConnectionValues): Promise<Connection> {
    // Here, not at the top: who explains files needs none of it.
    const [{ connect }, { realTimers }, { connectionOptions }] = await Promise.all([
      import("../../cluster/api/connect.ts"),
      import("../../cluster/connection/timers.ts"),
      import("../flags/connection-options.ts"),
    ]);
    const options = connectionOptions(flags, process.env, () => this.localNowMs());
    return this.trace.connection(connect(options, realTimers(monotonicMs)), options);
  }
}

/** A clock that nobody sets; `performance.now` has eleven modules loaded for the same. */
function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}
