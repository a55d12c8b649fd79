import type { Connection } from "../../cluster/connection/connection.ts";
import type { Timers } from "../../cluster/connection/timers.ts";
import { conditionFor, type WaitGoal, type WaitState } from "../../explain/follow/wait-for.ts";
import type { OnePod } from "../base/one-pod-command.ts";
import { type Frame, type SessionRequest, WatchSession, waitedFor } from "../watch/watch-session.ts";

export interface WaitRequest extends Pick<SessionRequest, "kubelet"> {
  readonly pod: OnePod;
  readonly goal: WaitGoal;
  readonly container: string | undefined;
  /** 0 checks once. */
  readonly timeoutMs: number;
  readonly whenInterrupted: Promise<void>;
  readonly onFrame: (frame: Frame) => void;
  readonly onDeleted: (pod: OnePod) => void;
}

export interface Waited {
  readonly state: WaitState;
  readonly frame: Frame;
  /** The name of the deleted pod whose replacement the program waited for; null if there is none. */
  readonly replaced: string | null;
}

/** The program makes sure that the API server is still there this long before the end of its time. */
const ASK_BEFORE_MS = 3_000;

/**
 * Waits until a pod, or the one that replaces it, has reached its goal or cannot reach it any more, until time is up,
 * or until the user presses Ctrl-C.
 */
export async function waitRun(connection: Connection, request: WaitRequest, timers: Timers): Promise<Waited> {
  const { timeoutMs, whenInterrupted, kubelet, onDeleted } = request;
  const stop = new AbortController();
  let session: WatchSession | null = null;
  stop.signal.addEventListener("abort", () => session?.end());
  void whenInterrupted.then(() => stop.abort());
  const alarms = [
    timers.after(timeoutMs, () => stop.abort()),
    timers.after(Math.max(0, timeoutMs - ASK_BEFORE_MS), () => session?.ask()),
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
      if (next === null) return { ...waited, state: { kind: "waiting" } };
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
