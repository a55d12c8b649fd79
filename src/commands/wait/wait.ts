import type { Interfaces } from "@oclif/core";
import type { Connection } from "../../cluster/connection/connection.ts";
import type { Timers } from "../../cluster/connection/timers.ts";
import { UserError } from "../../errors.ts";
import { explain } from "../../explain/explain.ts";
import { conditionFor, WAIT_GOALS, type WaitGoal, type WaitState } from "../../explain/follow/wait-for.ts";
import { lastingLoss } from "../../render/watch/live.ts";
import { overdueLines, replacedLine, timeoutLines, waitLine } from "../../render/watch/live-wait.ts";
import { withOneContainer } from "../base/one-container.ts";
import { type OnePod, OnePodCommand } from "../base/one-pod-command.ts";
import { CLUSTER_FLAGS } from "../flags/connection-flags.ts";
import { oneOfForm, WAIT_TIMEOUT } from "../flags/flag-values.ts";
import {
  COLOR_FLAG,
  containerFlag,
  kubeletOptions,
  NOTIFY_FLAG,
  requiredFlag,
  valueFlagWithDefault,
} from "../flags/flags.ts";
import { TIMED_OUT } from "../terminal/exit-codes.ts";
import { notify } from "../terminal/notify.ts";
import { connectionNotes, Interruption } from "../watch/watch-output.ts";
import { type Frame, podOf, type SessionRequest, WatchSession, waitedFor } from "../watch/watch-session.ts";

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
    "If you name a workload and its pod is deleted, waits for the pod that replaces it. " +
    "Exit code 0: it has happened; 1: it can no longer happen, or the wait failed; 124: the wait timed out.";

  static override examples = [
    "# Read the log of the next instance from its beginning\n" +
      "  kubectl backoff wait web-0 --for=restart --timeout=10m && kubectl logs -f web-0",
    "# Wait until a crash loop is over\n  kubectl backoff wait web-0 --for=recovered --timeout=30m",
  ];

  static override usage = ["wait POD --for=restart|reset|recovered [FLAGS]"];

  static override flags = {
    for: requiredFlag(WAIT_GOALS.join("|"), "What to wait for", {
      ...oneOfForm(WAIT_GOALS),
      expected: "restart, reset or recovered; for conditions: kubectl wait",
    }),
    container: containerFlag("Watch only this container"),
    timeout: valueFlagWithDefault("DURATION", "How long to wait (0 checks once, -1s waits a week)", WAIT_TIMEOUT, {
      value: 30_000,
      shown: "30s",
    }),
    ...NOTIFY_FLAG,
    ...COLOR_FLAG,
    ...CLUSTER_FLAGS,
  };

  protected override readonly exampleOfUsage = "wait POD --for=restart";

  async run(): Promise<number> {
    const { words, flags } = await this.parse(Wait);
    const endsAtMs = this.timers.nowMs() + flags.timeout;
    return this.withOnePod(words, flags, async (connection, pod) => {
      const kubelet = kubeletOptions(flags);
      // Throws if the pod lacks the container that the user has named.
      withOneContainer(explain(pod.observation, kubelet), flags.container);
      const interruption = new Interruption();
      const request: WaitRequest = {
        ...{ pod, goal: flags.for, container: flags.container, kubelet },
        timeoutMs: this.timeLeftMs(flags.timeout, endsAtMs),
        whenInterrupted: interruption.whenEnded,
        onFrame: this.noting(flags),
        onDeleted: ({ first }) => this.note(replacedLine(first.pod.name)),
      };
      const waited = await waitRun(connection, request, this.timers).finally(() => interruption.close());
      return interruption.exitCode ?? this.tell(waited, flags);
    });
  }

  private noting({ container }: WaitFlags): (frame: Frame) => void {
    const noteLoss = connectionNotes(this.note);
    const noted = new Set<string>();
    return ({ explanation, connectionLoss, nowMs }) => {
      noteLoss(lastingLoss(connectionLoss, nowMs));
      for (const line of overdueLines(podOf(explanation), container, explanation.atMs)) {
        if (!noted.has(line)) this.note(line);
        noted.add(line);
      }
    };
  }

  private tell({ state, frame, replaced }: Waited, flags: WaitFlags): number {
    const { for: goal, timeout, container } = flags;
    const pod = podOf(withOneContainer(frame.explanation, container));
    if (state.kind === "impossible") {
      if (flags.notify) notify(`${pod.name} ${IMPOSSIBLE[goal]} any more`);
      throw new UserError("cannotHappen", pod.name, IMPOSSIBLE[goal], state.because);
    }
    const lines =
      state.kind === "happened"
        ? [waitLine(goal, pod, { ...state, replaced }, frame.nowMs)]
        : timeoutLines(goal, pod, timeout, frame);
    if (flags.notify) notify(lines[0] ?? "");
    if (state.kind === "happened") {
      this.print(lines.join("\n"));
      return 0;
    }
    for (const line of lines) this.note(line);
    return TIMED_OUT;
  }
}

type WaitFlags = Interfaces.InferredFlags<typeof Wait.flags>;

interface WaitRequest extends Pick<SessionRequest, "kubelet"> {
  readonly pod: OnePod;
  readonly goal: WaitGoal;
  readonly container: string | undefined;
  readonly timeoutMs: number;
  readonly whenInterrupted: Promise<void>;
  readonly onFrame: (frame: Frame) => void;
  readonly onDeleted: (pod: OnePod) => void;
}

export interface Waited {
  readonly state: WaitState;
  readonly frame: Frame;
  /** The name of the deleted pod that the pod of `frame` replaces, if any. */
  readonly replaced: string | null;
}

/** Assumed: a check can notice within this time that the API server does not answer. */
const CHECK_SERVER_BEFORE_TIMEOUT_MS = 3_000;

export async function waitRun(connection: Connection, request: WaitRequest, timers: Timers): Promise<Waited> {
  const { timeoutMs, whenInterrupted, kubelet, onDeleted } = request;
  const stop = new AbortController();
  let session: WatchSession | null = null;
  stop.signal.addEventListener("abort", () => session?.end());
  void whenInterrupted.then(() => stop.abort());
  const alarms = [
    timers.after(timeoutMs, () => stop.abort()),
    timers.after(Math.max(0, timeoutMs - CHECK_SERVER_BEFORE_TIMEOUT_MS), () => session?.checkServer()),
  ];
  let replaced: string | null = null;
  try {
    for (let pod = request.pod; ; ) {
      const watched = { ...pod, nodeConfig: "auto" as const, followsOwners: false, kubelet };
      session = new WatchSession(connection, watched, timers);
      const waited: Waited = await waitIn(session, replaced, request);
      const isDeleted = waited.state.kind === "impossible" && waited.state.isDeleted;
      if (!isDeleted || pod.replacement === null || timeoutMs === 0) return waited;
      onDeleted(pod);
      const next: OnePod | null = await pod.replacement(stop.signal);
      if (next === null || stop.signal.aborted) return { ...waited, state: { kind: "waiting" } };
      replaced = pod.first.pod.name;
      pod = next;
    }
  } finally {
    for (const callOff of alarms) callOff();
  }
}

async function waitIn(
  session: WatchSession,
  replaced: string | null,
  { goal, container, timeoutMs, onFrame }: WaitRequest,
): Promise<Waited> {
  const condition = conditionFor(goal, container, replaced !== null);
  let waited: Waited | null = null;
  try {
    for await (const frame of session.frames()) {
      waited = { state: waitedFor(frame, condition), frame, replaced };
      if (waited.state.kind !== "waiting" || timeoutMs === 0) break;
      onFrame(frame);
    }
  } finally {
    session.end();
  }
  if (waited === null) throw new Error("a watch without any frame");
  return waited;
}
