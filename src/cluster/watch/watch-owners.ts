import type { OwnersObservation, PodSnapshot } from "../../explain/observed/observation.ts";
import { FINE, severityOf } from "../../explain/triage.ts";
import { bestEffort } from "../connection/connection.ts";
import type { JsonObject } from "../objects/json-access.ts";
import { controllerOf } from "../objects/owner-reference.ts";
import { observeOwners } from "../owners/owner-chain.ts";
import { liveSource } from "../owners/workload-source.ts";
import { isRetryable, Pause, REREAD_MS, type Watching } from "./watch-retry.ts";

/** Reads owners only while the pod is not fine, because the explanation of a fine pod does not need them. */
export class OwnerWatch {
  readonly #on: Watching;
  readonly #onOwners: (owners: OwnersObservation) => void;
  #known: OwnersObservation | undefined;
  #pod: { readonly raw: JsonObject; readonly snapshot: PodSnapshot } | null = null;
  #readAtMs: number;
  readonly #pause = new Pause();

  constructor(on: Watching, first: OwnersObservation | undefined, onOwners: (owners: OwnersObservation) => void) {
    this.#on = on;
    this.#known = first;
    this.#onOwners = onOwners;
    const isRead = first !== undefined && (first.workload !== null || first.missing.length > 0);
    this.#readAtMs = isRead ? on.timers.nowMs() : Number.NEGATIVE_INFINITY;
  }

  podChanged(raw: JsonObject, snapshot: PodSnapshot): void {
    this.#pod = { raw, snapshot };
    if (this.#isNeeded()) this.#pause.cutShort();
  }

  async run(): Promise<void> {
    while (!this.#on.signal.aborted) {
      if (this.#isNeeded()) await this.#read();
      await this.#pause.wait(REREAD_MS, this.#on);
    }
  }

  #isNeeded(): boolean {
    const pod = this.#pod;
    const nowMs = this.#on.timers.nowMs();
    // With `Math.abs`, a clock that was set back by hours does not delay the read for hours.
    const isDue = Math.abs(nowMs - this.#readAtMs) >= REREAD_MS;
    return isDue && pod !== null && controllerOf(pod.raw) !== null && severityOf(pod.snapshot, nowMs) !== FINE;
  }

  async #read(): Promise<void> {
    const { connection, signal } = this.#on;
    if (this.#pod === null) return;
    this.#readAtMs = this.#on.timers.nowMs();
    try {
      const owners = await observeOwners(liveSource(bestEffort(connection)), this.#pod.raw);
      if (signal.aborted || owners === undefined) return;
      if (owners.missing.length > 0 && owners.workload === null && this.#known?.workload != null) return;
      this.#known = owners;
      this.#onOwners(owners);
    } catch (error) {
      if (!isRetryable(error)) throw error;
    }
  }
}
