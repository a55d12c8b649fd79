import type { OwnersObservation } from "../../explain/observed/observation.ts";
import { optionally } from "../api/request-places.ts";
import type { Connection } from "../connection/connection.ts";
import type { Timers } from "../connection/timers.ts";
import { controllerOf } from "../objects/owner-reference.ts";
import { toPodSnapshot } from "../objects/pod.ts";
import { observeOwners } from "../owners/owner-chain.ts";
import { liveSource, type RawObject } from "../owners/workload-source.ts";
import { FINE, severityOf } from "../pods/target-choice.ts";
import { isPassing, Pause } from "./watch-retry.ts";

/** A rollout moves slowly, and to read it takes about four requests. */
const REFRESH_MS = 180_000;

/** Reads the owners of a pod again every few minutes while the pod is in trouble: the output shows them only then. */
export class OwnerWatch {
  readonly #connection: Connection;
  readonly #onOwners: (owners: OwnersObservation) => void;
  readonly #timers: Timers;
  #known: OwnersObservation | undefined;
  #pod: RawObject | null = null;
  #askedAtMs: number;
  readonly #pause = new Pause();

  /** `known`: the owners from an observation that has just been made. */
  constructor(
    connection: Connection,
    known: OwnersObservation | undefined,
    onOwners: (owners: OwnersObservation) => void,
    timers: Timers,
  ) {
    this.#connection = optionally(connection);
    this.#known = known;
    this.#onOwners = onOwners;
    this.#timers = timers;
    const isRead = known !== undefined && (known.workload !== null || known.missing.length > 0);
    this.#askedAtMs = isRead ? timers.nowMs() : Number.NEGATIVE_INFINITY;
  }

  take(pod: RawObject): void {
    this.#pod = pod;
    if (this.#isNeeded()) this.#pause.cutShort();
  }

  /** Throws only after a bug. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.#isNeeded()) await this.#ask(signal);
      await this.#pause.wait(this.#timers, REFRESH_MS, signal);
    }
  }

  #isNeeded(): boolean {
    const pod = this.#pod;
    const nowMs = this.#timers.nowMs();
    // Also due after a clock was set back.
    const isDue = Math.abs(nowMs - this.#askedAtMs) >= REFRESH_MS;
    return isDue && pod !== null && controllerOf(pod) !== null && severityOf(toPodSnapshot(pod), nowMs) !== FINE;
  }

  async #ask(signal: AbortSignal): Promise<void> {
    if (this.#pod === null) return;
    this.#askedAtMs = this.#timers.nowMs();
    try {
      const owners = await observeOwners(liveSource(this.#connection), this.#pod);
      if (signal.aborted || owners === undefined) return;
      // After a failure the last known workload still counts.
      if (owners.missing.length > 0 && owners.workload === null && this.#known?.workload != null) return;
      this.#known = owners;
      this.#onOwners(owners);
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
  }
}
