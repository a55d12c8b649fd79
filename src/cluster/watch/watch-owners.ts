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

/** A rollout moves slowly, and each look at one takes four requests or so. */
const REFRESH_MS = 180_000;

/** Keeps what is known of the objects above a pod fresh, for as long as that pod is in trouble: only then it is told. */
export class OwnerWatch {
  readonly #connection: Connection;
  readonly #onOwners: (owners: OwnersObservation) => void;
  readonly #timers: Timers;
  #known: OwnersObservation | undefined;
  #pod: RawObject | null = null;
  #askedAtMs: number;
  readonly #pause = new Pause();

  /** `known` is what the first observation found, just now. */
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

  /** The pod has changed. */
  take(pod: RawObject): void {
    this.#pod = pod;
    if (this.#isNeeded()) this.#pause.cutShort();
  }

  /** Until `signal` ends it. What it throws is a bug. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.#isNeeded()) await this.#ask(signal);
      await this.#pause.wait(this.#timers, REFRESH_MS, signal);
    }
  }

  #isNeeded(): boolean {
    const pod = this.#pod;
    // A clock that was set back keeps nobody waiting.
    const isDue = Math.abs(this.#timers.nowMs() - this.#askedAtMs) >= REFRESH_MS;
    return (
      isDue &&
      pod !== null &&
      controllerOf(pod) !== null &&
      severityOf(toPodSnapshot(pod), this.#timers.nowMs()) !== FINE
    );
  }

  async #ask(signal: AbortSignal): Promise<void> {
    if (this.#pod === null) return;
    this.#askedAtMs = this.#timers.nowMs();
    try {
      const owners = await observeOwners(liveSource(this.#connection), this.#pod);
      if (!signal.aborted && owners !== undefined) this.#take(owners);
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
  }

  /** What could not be read this time is still as true as it was the last time. */
  #take(owners: OwnersObservation): void {
    const isLess = owners.missing.length > 0 && owners.workload === null && this.#known?.workload != null;
    if (isLess) return;
    this.#known = owners;
    this.#onOwners(owners);
  }
}
