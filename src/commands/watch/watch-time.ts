import type { Timers } from "../../cluster/connection/timers.ts";
import { ServerClock } from "../../cluster/watch/watch-clock.ts";
import type { Observation } from "../../explain/observed/observation.ts";
import type { LiveFrame } from "../../render/watch/live.ts";

/** "Now", and where it is from. */
export type Moment = Pick<Observation, "atMs" | "atBasis">;

type Trouble = LiveFrame["trouble"];

const SECOND_MS = 1_000;

/** The time of a watch: by the server's clock as soon as that has said anything, before by the local one. */
export class WatchTime {
  /** Has to be told what answers say. */
  readonly clock = new ServerClock();
  readonly #timers: Timers;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** In milliseconds since 1970. */
  nowMs(): number {
    return this.#serverMs(this.#timers.nowMs());
  }

  /** Whole seconds, cut off as in everything else that the API says of time: distances are then whole, too. */
  now(): Moment {
    const atMs = Math.floor(this.nowMs() / SECOND_MS) * SECOND_MS;
    return { atMs, atBasis: this.clock.isSet ? "server-clock" : "local-clock" };
  }

  /** Why nothing is heard, and since when; null if something is. It began with the first failure after `before`. */
  troubleAfter(before: Trouble, failure: Error | null, sinceLocalMs: number): Trouble {
    if (failure === null) return null;
    return { sinceMs: before?.sinceMs ?? this.#serverMs(sinceLocalMs), because: failure.message.split("\n")[0] ?? "" };
  }

  #serverMs(localMs: number): number {
    return this.clock.nowMs(localMs) ?? localMs;
  }
}
