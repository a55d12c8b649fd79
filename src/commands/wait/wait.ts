import type { Interfaces } from "@oclif/core";
import * as Flags from "@oclif/core/flags";
import type { Connection } from "../../cluster/connection/connection.ts";
import { realTimers, type Timers } from "../../cluster/connection/timers.ts";
import { UserError } from "../../errors.ts";
import type { PodExplanation } from "../../explain/answer/explanation.ts";
import { explain } from "../../explain/explain.ts";
import {
  conditionFor,
  WAIT_GOALS,
  type WaitCondition,
  type WaitGoal,
  type WaitState,
} from "../../explain/follow/wait-for.ts";
import type { Observation } from "../../explain/observed/observation.ts";
import { overdueLines, timeoutLines, waitLine } from "../../render/watch/live-wait.ts";
import { withOneContainer } from "../base/one-container.ts";
import { type OnePod, OnePodCommand } from "../base/one-pod-command.ts";
import { CLUSTER_FLAGS } from "../flags/connection-flags.ts";
import { WAIT_TIMEOUT } from "../flags/flag-values.ts";
import { containerFlag, kubeletOptions, valueFlagWithDefault } from "../flags/flags.ts";
import { Ending, INTERRUPTED } from "../watch/watch-output.ts";
import { type Frame, WatchSession } from "../watch/watch-session.ts";

const TIMED_OUT = 124;

const IMPOSSIBLE: Readonly<Record<WaitGoal, string>> = {
  restart: "will not restart",
  reset: "will not reset a back-off",
  recovered: "will not recover",
};

/** `kubectl backoff wait`: for scripts, blocks until something about a pod's restarts has happened. */
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

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Wait);
    const timers = realTimers(() => this.localNowMs());
    const endsAtMs = timers.nowMs() + flags.timeout;
    await this.withOnePod(argv.map(String), flags, async (connection, pod) => {
      const leftMs = flags.timeout === 0 ? 0 : Math.max(1, endsAtMs - timers.nowMs());
      this.tell(await this.wait(connection, pod, leftMs, timers, flags), flags);
    });
  }

  private async wait(
    connection: Connection,
    { observation, first }: OnePod,
    timeoutMs: number,
    timers: Timers,
    flags: WaitFlags,
  ): Promise<Waited> {
    const kubelet = kubeletOptions(flags);
    withOneContainer(explain(observation, kubelet), flags.container); // There has to be one of that name.
    const onExplained = (seen: Observation): void => this.trace.explained(seen, kubelet);
    const request = { observation, first, nodeConfig: "auto" as const, followsOwners: false, kubelet, onExplained };
    const session = new WatchSession(connection, request, timers);
    const ending = new Ending();
    void ending.whenEnded.then(() => session.end());
    try {
      const condition = conditionFor(flags.for, flags.container);
      const said = new Set<string>();
      const waited = await waitUntil(session, condition, timeoutMs, timers, ({ pod, atMs }) => {
        for (const line of overdueLines(pod, flags.container, atMs)) {
          if (!said.has(line)) this.note(line);
          said.add(line);
        }
      });
      if (ending.reason() === "interrupted") this.exit(INTERRUPTED);
      return waited;
    } finally {
      ending.close();
    }
  }

  private tell({ state, pod, atMs }: Waited, { for: goal, timeout }: WaitFlags): void {
    if (state.kind === "impossible") throw new UserError("cannotHappen", pod.name, IMPOSSIBLE[goal], state.because);
    if (state.kind === "waiting") {
      for (const line of timeoutLines(goal, pod, timeout, atMs)) this.note(line);
      this.exit(TIMED_OUT);
    }
    this.print(waitLine(goal, pod.name, state, atMs));
  }
}

type WaitFlags = Interfaces.InferredFlags<typeof Wait.flags>;

/** How a wait ended: as the condition says, or waiting still, when time was up or it was stopped. */
export interface Waited {
  readonly state: WaitState;
  /** The pod as it was last seen. */
  readonly pod: PodExplanation;
  readonly atMs: number;
}

/** Looks at every frame until the condition is met, cannot be met any more, or `timeoutMs` are over; 0 looks once. `onWaiting` is told how it goes on. */
async function waitUntil(
  session: WatchSession,
  condition: WaitCondition,
  timeoutMs: number,
  timers: Timers,
  onWaiting: (waited: Waited) => void,
): Promise<Waited> {
  const callOff = timers.after(timeoutMs, () => session.end());
  let last: Waited | null = null;
  try {
    for await (const frame of session.frames()) {
      last = lookAt(frame, condition);
      if (last.state.kind !== "waiting" || timeoutMs === 0) break;
      onWaiting(last);
    }
  } finally {
    callOff();
    session.end();
  }
  if (last === null) throw new Error("a watch without any frame");
  return last;
}

function lookAt({ explanation, observed, end }: Frame, condition: WaitCondition): Waited {
  const { atMs } = explanation;
  const [pod] = explanation.pods;
  if (pod === undefined) throw new Error("a frame without a pod");
  if (end === null) return { state: condition({ observed, explained: pod, atMs }), pod, atMs };
  const because = end === "replaced" ? "it is gone, and another pod has its name" : "it has been deleted";
  return { state: { kind: "impossible", because }, pod, atMs };
}
