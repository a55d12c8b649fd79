import { type ContainerPlace, ETA_SHARES, type Eta, type EtaQuantile } from "../answer/eta.ts";
import type { ContainerStatus, PodSnapshot } from "../observed/observation.ts";

/** The number of containers that are up again after an outage, next to the number that the prediction expected. */
export interface EtaCount {
  readonly announced: number;
  readonly up: number;
  readonly downAgain: number;
  /** The mean of `up` that the prediction gave for this moment. */
  readonly expected: number;
  readonly reached: readonly EtaOutcome[];
}

/** A predicted share of the containers (e.g. half) that has come up, and when it did. */
export interface EtaOutcome {
  readonly announced: EtaQuantile;
  readonly cameAtMs: number;
}

interface Followed {
  readonly container: string;
  upAtMs: number | null;
  isDownAgain: boolean;
}

/** Records when each container that was down at the prediction `eta` first starts after the prediction. */
export class EtaProgress {
  readonly #eta: Eta;
  readonly #byPod: ReadonlyMap<string, readonly Followed[]>;

  constructor(eta: Eta) {
    this.#eta = eta;
    const pods = Map.groupBy(eta.down, keyOf);
    const followed = ({ container }: ContainerPlace): Followed => ({ container, upAtMs: null, isDownAgain: false });
    this.#byPod = new Map([...pods].map(([key, containers]) => [key, containers.map(followed)]));
  }

  /** Records the container starts that a new version of a pod shows. */
  take({ statuses, ...pod }: Pick<PodSnapshot, "namespace" | "name" | "statuses">, atMs: number): void {
    for (const one of this.#byPod.get(keyOf({ ...pod, pod: pod.name })) ?? []) {
      const status = statuses.find(({ name }) => name === one.container);
      const startedAtMs = status === undefined ? null : this.#startSince(status);
      if (startedAtMs === null) continue;
      one.upAtMs ??= Math.min(startedAtMs, atMs);
      one.isDownAgain = status?.state?.kind !== "running";
    }
  }

  /** Records that all containers of the pod are up, or that the pod is gone. */
  up({ namespace, name }: Pick<PodSnapshot, "namespace" | "name">, atMs: number): void {
    for (const one of this.#byPod.get(keyOf({ namespace, pod: name })) ?? []) {
      one.upAtMs ??= atMs;
      one.isDownAgain = false;
    }
  }

  /** Records that in every pod whose key is not in `pods`, all containers are up or the pod is gone. */
  settle(pods: ReadonlySet<string>, atMs: number): void {
    for (const [key, containers] of this.#byPod) if (!pods.has(key)) for (const one of containers) one.upAtMs ??= atMs;
  }

  count(atMs: number): EtaCount {
    const all = [...this.#byPod.values()].flat();
    const cameAtMs = all.flatMap(({ upAtMs }) => upAtMs ?? []).sort((a, b) => a - b);
    const reached = this.#eta.quantilesOfDown.flatMap((announced): EtaOutcome[] => {
      const came = cameAtMs[announced.count - 1];
      return came === undefined ? [] : [{ announced, cameAtMs: came }];
    });
    const point = this.#eta.curve.findLast((candidate) => candidate.atMs <= atMs);
    const downAgain = all.filter(({ isDownAgain }) => isDownAgain).length;
    return { announced: all.length, up: cameAtMs.length, downAgain, expected: point?.up ?? 0, reached };
  }

  /** Returns the first start after the prediction that the status shows; null if it shows none. */
  #startSince({ state, lastState }: ContainerStatus): number | null {
    const starts = [lastState, state].map((one) => (one === null || one.kind === "waiting" ? null : one.startedAtMs));
    return starts.find((atMs) => atMs !== null && atMs >= this.#eta.atMs) ?? null;
  }
}

export function isAllUp({ reached }: EtaCount): boolean {
  return reached.length === ETA_SHARES.length;
}

export function keyOf({ namespace, pod }: Pick<ContainerPlace, "namespace" | "pod">): string {
  return `${namespace}/${pod}`;
}
