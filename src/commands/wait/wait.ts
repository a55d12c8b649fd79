import type { Interfaces } from "@oclif/core";
import * as Flags from "@oclif/core/flags";
import { realTimers } from "../../cluster/connection/timers.ts";
import { UserError } from "../../errors.ts";
import { explain } from "../../explain/explain.ts";
import { conditionFor, WAIT_GOALS, type WaitGoal } from "../../explain/follow/wait-for.ts";
import { overdueLines, timeoutLines, waitLine } from "../../render/watch/live-wait.ts";
import { withOneContainer } from "../base/one-container.ts";
import { OnePodCommand } from "../base/one-pod-command.ts";
import { CLUSTER_FLAGS } from "../flags/connection-flags.ts";
import { WAIT_TIMEOUT } from "../flags/flag-values.ts";
import { containerFlag, kubeletOptions, valueFlagWithDefault } from "../flags/flags.ts";
import { Ending, INTERRUPTED } from "../watch/watch-output.ts";
import { type Waited, WatchSession, waitedFor } from "../watch/watch-session.ts";

const TIMED_OUT = 124;

const IMPOSSIBLE: Readonly<Record<WaitGoal, string>> = {
  restart: "will not restart",
  reset: "will not reset a back-off",
  recovered: "will not recover",
};

export default class Wait extends OnePodCommand {
  static override summary = "Wait until a pod restarts, its back-off resets, or it has recovered.";

  static override description =
    "restart: a new instance has started. reset: no container has a back-off left, so the next crash restarts immediately. " +
    "recovered: every container has run past its reset, and the pod is Ready. Prints one line when it has happened. " +
    "Exit code 0: it has happened; 1: it can no longer happen, or the wait failed; 124: the wait timed out.";

  static override examples = [
    "# Read the log of the next instance from its beginning\n" +
      "  kubectl backoff wait web-0 --for=restart --timeout=10m && kubectl logs -f web-0",
    "# Wait until a crash loop is over\n  kubectl backoff wait web-0 --for=recovered --timeout=30m",
  ];

  static override usage = ["wait POD --for=restart|reset|recovered [FLAGS]"];

  static override flags = {
    for: Flags.option({ options: WAIT_GOALS, required: true })({ description: "What to wait for" }),
    container: containerFlag("Watch only this container"),
    timeout: valueFlagWithDefault("DURATION", "How long to wait (0 checks once, -1s waits a week)", WAIT_TIMEOUT, {
      value: 30_000,
      shown: "30s",
    }),
    ...CLUSTER_FLAGS,
  };

  protected override readonly line = "wait POD --for=restart";

  async run(): Promise<number> {
    const { argv, flags } = await this.parse(Wait);
    const timers = realTimers(() => this.localNowMs());
    const endsAtMs = timers.nowMs() + flags.timeout;
    return this.withOnePod(argv.map(String), flags, async (connection, pod) => {
      const kubelet = kubeletOptions(flags);
      // Throws if the pod has no such container.
      withOneContainer(explain(pod.observation, kubelet), flags.container);
      const request = { ...pod, nodeConfig: "auto" as const, followsOwners: false, kubelet, trace: this.trace };
      const session = new WatchSession(connection, request, timers);
      const leftMs = flags.timeout === 0 ? 0 : Math.max(1, endsAtMs - timers.nowMs());
      const callOff = timers.after(leftMs, () => session.end());
      const waited = await this.wait(session, flags).finally(callOff);
      return waited === null ? INTERRUPTED : this.tell(waited, flags);
    });
  }

  /** Returns null after Ctrl-C. */
  private async wait(session: WatchSession, flags: WaitFlags): Promise<Waited | null> {
    const ending = new Ending();
    void ending.whenEnded.then(() => session.end());
    const condition = conditionFor(flags.for, flags.container);
    const noted = new Set<string>();
    let last: Waited | null = null;
    try {
      for await (const frame of session.frames()) {
        last = waitedFor(frame, condition);
        if (last.state.kind !== "waiting" || flags.timeout === 0) break;
        for (const line of overdueLines(last.pod, flags.container, last.atMs)) {
          if (!noted.has(line)) this.note(line);
          noted.add(line);
        }
      }
    } finally {
      session.end();
      ending.close();
    }
    if (ending.reason() === "interrupted") return null;
    if (last === null) throw new Error("a watch without any frame");
    return last;
  }

  private tell({ state, pod, atMs }: Waited, { for: goal, timeout }: WaitFlags): number {
    if (state.kind === "impossible") throw new UserError("cannotHappen", pod.name, IMPOSSIBLE[goal], state.because);
    if (state.kind === "waiting") {
      for (const line of timeoutLines(goal, pod, timeout, atMs)) this.note(line);
      return TIMED_OUT;
    }
    this.print(waitLine(goal, pod.name, state, atMs));
    return 0;
  }
}

type WaitFlags = Interfaces.InferredFlags<typeof Wait.flags>;
