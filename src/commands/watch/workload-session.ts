import type { Connection } from "../../cluster/connection/connection.ts";
import { sleep, type Timers } from "../../cluster/connection/timers.ts";
import { UserError } from "../../errors.ts";
import { inGroups } from "../../explain/groups.ts";
import type { Observation, PodObservation, Selection } from "../../explain/observed/observation.ts";
import { FramePace, WatchTime } from "./watch-pace.ts";
import { type Frame, podOf, type SessionRequest, WatchSession } from "./watch-session.ts";

export interface WorkloadRequest extends Omit<SessionRequest, "first" | "time"> {
  readonly selection: Selection;
  /** Finds the pods again. If this throws a UserError, the watch goes on. */
  readonly find: () => Promise<Observation>;
}

export interface PodsFrame {
  /** The last frame of a pod that is gone is in at most one PodsFrame. */
  readonly frames: readonly Frame[];
  readonly nowMs: number;
}

const FIND_PODS_PAUSE_MS = 30_000;
const FIND_PODS_AFTER_DELETION_MS = 2_000;

export class WorkloadSession {
  readonly #request: WorkloadRequest;
  readonly #timers: Timers;
  readonly #time: WatchTime;
  readonly #pace: FramePace;
  readonly #ending = new AbortController();
  readonly #sessions = new Set<WatchSession>();
  readonly #frames = new Map<WatchSession, Frame>();
  readonly #knownUids = new Set<string | null>();
  readonly #failed = Promise.withResolvers<never>();
  #findSoon = (): void => {};

  constructor(connection: Connection, request: WorkloadRequest, timers: Timers) {
    this.#request = request;
    this.#timers = timers;
    this.#time = new WatchTime(connection, timers);
    this.#pace = new FramePace(timers, () => this.#time.nowMs());
  }

  end(): void {
    this.#ending.abort();
    for (const session of this.#sessions) session.end();
    this.#pace.end();
  }

  async *frames(): AsyncGenerator<PodsFrame> {
    const { observation } = this.#request;
    await Promise.all(observation.pods.map((pod) => this.#follow(observation, pod)));
    try {
      for await (const _ of this.#pace.turns(Promise.race([this.#findAgain(), this.#failed.promise]))) {
        const shown = [...this.#frames];
        yield { frames: this.#inOrder(), nowMs: this.#time.now().atMs };
        for (const [session, { end }] of shown) if (end !== null) this.#frames.delete(session);
      }
    } finally {
      this.end();
    }
  }

  #follow(observation: Observation, first: PodObservation): Promise<void> {
    this.#knownUids.add(first.pod.uid);
    const request = { ...this.#request, observation, first, time: this.#time };
    const session = new WatchSession(this.#time.connection, request, this.#timers);
    this.#sessions.add(session);
    return new Promise((resolve) => {
      this.#take(session, resolve).catch((error) => this.#failed.reject(error));
    });
  }

  async #take(session: WatchSession, onFrame: () => void): Promise<void> {
    for await (const frame of session.frames()) {
      this.#frames.set(session, frame);
      this.#pace.news();
      onFrame();
    }
    this.#sessions.delete(session);
    if (!this.#ending.signal.aborted) this.#findSoon();
  }

  async #findAgain(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      const turn = new AbortController();
      this.#findSoon = () => void this.#timers.after(FIND_PODS_AFTER_DELETION_MS, () => turn.abort());
      await sleep(this.#timers, FIND_PODS_PAUSE_MS, AbortSignal.any([signal, turn.signal]));
      if (signal.aborted) return;
      const found = await this.#request.find().catch((error) => {
        if (!(error instanceof UserError)) throw error;
      });
      if (found === undefined || signal.aborted) continue;
      for (const pod of found.pods) if (!this.#knownUids.has(pod.pod.uid)) void this.#follow(found, pod);
    }
  }

  #inOrder(): Frame[] {
    const frames = [...this.#frames.values()];
    const [first] = frames;
    if (first === undefined) return [];
    const byPod = new Map(frames.map((frame) => [podOf(frame.explanation), frame]));
    const all = { ...first.explanation, pods: [...byPod.keys()] };
    return inGroups(all, this.#request.selection).pods.flatMap((pod) => byPod.get(pod) ?? []);
  }
}
