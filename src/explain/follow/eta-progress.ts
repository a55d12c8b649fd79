import { type ContainerPlace, ETA_SHARES, type Eta, type EtaQuantile } from "../answer/eta.ts";
import type { ContainerStatus, PodSnapshot } from "../observed/observation.ts";

/** The recovery so far, compared with the predicted one. */
export interface EtaCount {
  readonly announced: number;
  readonly up: number;
  /** The number of containers in `up` that have ended again. */
  readonly downAgain: number;
  /** The predicted mean of `up` at this moment. */
  readonly expected: number;
  readonly reached: readonly EtaOutcome[];
}

/** A share of the containers that has come up, with the prediction for it. */
export interface EtaOutcome {
  readonly announced: EtaQuantile;
  readonly cameAtMs: number;
}

interface Followed {
  readonly container: string;
  upAtMs: number | null;
  isDownAgain: boolean;
}

/** Follows the containers that were down at the prediction `eta`, each to its first start since. */
export class EtaProgress {
  readonly #eta: Eta;
  readonly #byPod: ReadonlyMap<string, readonly Followed[]>;

  constructor(eta: Eta) {
    this.#eta = eta;
    const pods = Map.groupBy(eta.down, keyOf);
    const followed = ({ container }: ContainerPlace): Followed => ({ container, upAtMs: null, isDownAgain: false });
    this.#byPod = new Map([...pods].map(([key, containers]) => [key, containers.map(followed)]));
  }

  /** Records a new version of a pod. */
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

  /** Records that `pods` are all pods with a container that is not up: the others are up or gone. */
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

  /** The first start since the prediction that the status shows; null if there is none. */
  #startSince({ state, lastState }: ContainerStatus): number | null {
    const starts = [lastState, state].map((one) => (one === null || one.kind === "waiting" ? null : one.startedAtMs));
    return starts.find((atMs) => atMs !== null && atMs >= this.#eta.atMs) ?? null;
  }
}

export function isAllUp({ reached }: EtaCount): boolean {
  return reached.length === ETA_SHARES.length;
}

/** `NAMESPACE/NAME` of a container's pod. */
export function keyOf({ namespace, pod }: Pick<ContainerPlace, "namespace" | "pod">): string {
  return `${namespace}/${pod}`;
}
