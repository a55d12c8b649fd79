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
  /** The last frame of the last pod. */
  readonly frame: Frame;
  /** The name of the deleted pod whose replacement the program waited for; null if there is none. */
  readonly replaced: string | null;
}

/** The program makes sure that the API server is still there this long before the end of its time. */
const ASK_BEFORE_MS = 3_000;

/**
 * Waits until a pod has reached its goal or cannot reach it any more, until time is up, or until the user presses
 * Ctrl-C.
 */
export function waitRun(connection: Connection, request: WaitRequest, timers: Timers): Promise<Waited> {
  return new Waiting(connection, request, timers).run();
}

class Waiting {
  readonly #connection: Connection;
  readonly #request: WaitRequest;
  readonly #timers: Timers;
  readonly #stop = new AbortController();
  #session: WatchSession | null = null;

  constructor(connection: Connection, request: WaitRequest, timers: Timers) {
    this.#connection = connection;
    this.#request = request;
    this.#timers = timers;
    this.#stop.signal.addEventListener("abort", () => this.#session?.end());
  }

  async run(): Promise<Waited> {
    const { timeoutMs, whenInterrupted } = this.#request;
    void whenInterrupted.then(() => this.#stop.abort());
    const alarms = [
      this.#timers.after(timeoutMs, () => this.#stop.abort()),
      this.#timers.after(Math.max(0, timeoutMs - ASK_BEFORE_MS), () => this.#session?.ask()),
    ];
    try {
      return await this.#waitFor(this.#request.pod, null);
    } finally {
      for (const callOff of alarms) callOff();
    }
  }

  async #waitFor(pod: OnePod, replaced: string | null): Promise<Waited> {
    const waited = await this.#waitOnce(pod, replaced);
    if (waited.state.kind !== "impossible" || !waited.state.isDeleted || pod.replacement === null) return waited;
    if (this.#request.timeoutMs === 0) return waited;
    this.#request.onDeleted(pod);
    const next = await pod.replacement(this.#stop.signal);
    if (next === null) return { ...waited, state: { kind: "waiting" } };
    return this.#waitFor(next, pod.first.pod.name);
  }

  async #waitOnce(pod: OnePod, replaced: string | null): Promise<Waited> {
    const { goal, container, timeoutMs, kubelet, onFrame } = this.#request;
    const watched = { ...pod, nodeConfig: "auto" as const, followsOwners: false, kubelet };
    const session = new WatchSession(this.#connection, watched, this.#timers);
    this.#session = session;
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
}
