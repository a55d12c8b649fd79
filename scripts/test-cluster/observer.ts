import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "../../src/cluster/connection/connection.ts";
import { observeTargets } from "../../src/cluster/pods/target-observe.ts";
import type { ContainerExplanation, Window } from "../../src/explain/answer/explanation.ts";
import { explain } from "../../src/explain/explain.ts";
import type { ContainerStatus, PodSnapshot } from "../../src/explain/observed/observation.ts";

export interface Prediction {
  /** When the prediction was asked for, by the clock of this machine. */
  readonly atMs: number;
  readonly uid: string;
  readonly exitedId: string;
  readonly said: ContainerExplanation;
}

export function waitKey(uid: string, container: string, exitedId: string): string {
  return `${uid} ${container} ${exitedId}`;
}

interface Ask {
  readonly pod: string;
  readonly uid: string;
  readonly container: string;
  readonly exitedId: string;
  readonly dueAtMs: number;
  readonly isFirst: boolean;
}

const TICK_MS = 100;
const MOST_AT_ONCE = 2;

export class Observer {
  readonly failures: string[] = [];
  readonly predictions: Prediction[] = [];
  readonly #connection: Connection;
  readonly #asks: Ask[] = [];
  readonly #seen = new Set<string>();
  #atOnce = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  note(pod: PodSnapshot, atMs: number): void {
    const uid = pod.uid ?? "";
    for (const { name: container, exitedId } of downContainers(pod)) {
      const key = waitKey(uid, container, exitedId);
      if (this.#seen.has(key)) continue;
      this.#seen.add(key);
      const dueAtMs = atMs + FIRST_ASK_AFTER_MS;
      this.#asks.push({ pod: pod.name, uid, container, exitedId, dueAtMs, isFirst: true });
    }
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (let ask = this.#takeDue(); ask !== null; ask = this.#takeDue()) void this.#put(ask);
      await sleep(TICK_MS);
    }
  }

  #takeDue(): Ask | null {
    const nowMs = Date.now();
    const index = this.#atOnce >= MOST_AT_ONCE ? -1 : this.#asks.findIndex(({ dueAtMs }) => dueAtMs <= nowMs);
    return index === -1 ? null : (this.#asks.splice(index, 1)[0] ?? null);
  }

  async #put(ask: Ask): Promise<void> {
    this.#atOnce += 1;
    try {
      const prediction = await this.#predict(ask);
      if (prediction === null) return;
      this.predictions.push(prediction);
      const { state, nextRestart } = prediction.said;
      if (!ask.isFirst || state === "completed" || state === "failed") return;
      const later = laterAsksAt(nextRestart, prediction.atMs);
      this.#asks.push(...later.map((dueAtMs) => ({ ...ask, dueAtMs, isFirst: false })));
    } catch (error) {
      this.failures.push(`${ask.pod}: ${(error as Error).message}`);
    } finally {
      this.#atOnce -= 1;
    }
  }

  async #predict({ pod: name, uid, container, exitedId }: Ask): Promise<Prediction | null> {
    const atMs = Date.now();
    const target = { words: [`pod/${name}`], selector: undefined, allNamespaces: false };
    const request = { ...target, nodeConfig: "auto", atMs: null, localNowMs: atMs } as const;
    const { observation } = await observeTargets(this.#connection, request);
    const pod = observation.pods[0]?.pod;
    const isStill = (down: { name: string; exitedId: string }) => down.name === container && down.exitedId === exitedId;
    if (pod === undefined || pod.uid !== uid || !downContainers(pod).some(isStill)) return null;
    const said = explain(observation, {}).pods[0]?.containers.find((candidate) => candidate.name === container);
    return said === undefined ? null : { atMs, uid, exitedId, said };
  }
}

/**
 * The time from the first sight of an exit to the first question. Assumed: a restart without a wait is over by then.
 */
const FIRST_ASK_AFTER_MS = 500;

const SHARES = [0.3, 0.6, 0.9];
const WITHOUT_WINDOW_MS = [10_000, 30_000, 90_000];
const LEAST_GAP_MS = 2000;

function laterAsksAt(window: Window | null, askedAtMs: number): number[] {
  if (window === null) return WITHOUT_WINDOW_MS.map((afterMs) => askedAtMs + afterMs);
  const middleMs = (window.notBeforeMs + window.likelyByMs) / 2;
  const inside = SHARES.map((share) => askedAtMs + share * (middleMs - askedAtMs));
  let lastMs = askedAtMs;
  return [...inside, window.likelyByMs].filter((atMs) => {
    if (atMs - lastMs < LEAST_GAP_MS) return false;
    lastMs = atMs;
    return true;
  });
}

function downContainers(pod: PodSnapshot): { readonly name: string; readonly exitedId: string }[] {
  return pod.statuses.flatMap((status) => {
    const exitedId = exitedIdOf(status);
    return exitedId === null ? [] : [{ name: status.name, exitedId }];
  });
}

function exitedIdOf({ state, lastState }: ContainerStatus): string | null {
  if (state?.kind === "terminated") return state.containerID;
  return state?.kind === "waiting" ? (lastState?.containerID ?? null) : null;
}
