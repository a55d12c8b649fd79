import type { OwnersObservation, PodSnapshot } from "../../explain/observed/observation.ts";
import { FINE, severityOf } from "../../explain/triage.ts";
import { bestEffort } from "../connection/connection.ts";
import { controllerOf } from "../objects/owner-reference.ts";
import { observeOwners } from "../owners/owner-chain.ts";
import { liveSource, type RawObject } from "../owners/workload-source.ts";
import { isPassing, Pause, REREAD_MS, type Watching } from "./watch-retry.ts";

/** Reads a pod's owners every few minutes while the pod is failing, because the output shows them only then. */
export class OwnerWatch {
  readonly #on: Watching;
  readonly #onOwners: (owners: OwnersObservation) => void;
  #known: OwnersObservation | undefined;
  #pod: { readonly raw: RawObject; readonly snapshot: PodSnapshot } | null = null;
  #askedAtMs: number;
  readonly #pause = new Pause();

  /** `known` are the owners in the pod's first observation, which the program has just made. */
  constructor(on: Watching, known: OwnersObservation | undefined, onOwners: (owners: OwnersObservation) => void) {
    this.#on = on;
    this.#known = known;
    this.#onOwners = onOwners;
    const isRead = known !== undefined && (known.workload !== null || known.missing.length > 0);
    this.#askedAtMs = isRead ? on.timers.nowMs() : Number.NEGATIVE_INFINITY;
  }

  take(raw: RawObject, snapshot: PodSnapshot): void {
    this.#pod = { raw, snapshot };
    if (this.#isNeeded()) this.#pause.cutShort();
  }

  async run(): Promise<void> {
    while (!this.#on.signal.aborted) {
      if (this.#isNeeded()) await this.#ask();
      await this.#pause.wait(REREAD_MS, this.#on);
    }
  }

  #isNeeded(): boolean {
    const pod = this.#pod;
    const nowMs = this.#on.timers.nowMs();
    // Also due after a clock was set back.
    const isDue = Math.abs(nowMs - this.#askedAtMs) >= REREAD_MS;
    return isDue && pod !== null && controllerOf(pod.raw) !== null && severityOf(pod.snapshot, nowMs) !== FINE;
  }

  async #ask(): Promise<void> {
    const { connection, signal } = this.#on;
    if (this.#pod === null) return;
    this.#askedAtMs = this.#on.timers.nowMs();
    try {
      const owners = await observeOwners(liveSource(bestEffort(connection)), this.#pod.raw);
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
