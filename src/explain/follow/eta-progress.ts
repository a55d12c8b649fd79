import { type ContainerPlace, ETA_SHARES, type Eta, type EtaQuantile } from "../answer/eta.ts";
import type { ContainerState, ContainerStatus, PodSnapshot } from "../observed/observation.ts";

/** How far the containers that an announcement tells of have come. */
export interface EtaCount {
  readonly announced: number;
  readonly up: number;
  /** Of these, the ones that have ended again. */
  readonly downAgain: number;
  /** How many were announced to be up by now, in the mean. */
  readonly expected: number;
  readonly reached: readonly EtaOutcome[];
}

/** A share that has come up, beside its announcement. */
export interface EtaOutcome {
  readonly announced: EtaQuantile;
  readonly cameAtMs: number;
}

interface Followed {
  readonly container: string;
  upAtMs: number | null;
  isDownAgain: boolean;
}

/** Follows the containers that were down at the announcement, each to its first start since. */
export class EtaProgress {
  readonly #eta: Eta;
  readonly #byPod: ReadonlyMap<string, readonly Followed[]>;

  constructor(eta: Eta) {
    this.#eta = eta;
    const pods = Map.groupBy(eta.down, keyOf);
    const followed = ({ container }: ContainerPlace): Followed => ({ container, upAtMs: null, isDownAgain: false });
    this.#byPod = new Map([...pods].map(([key, containers]) => [key, containers.map(followed)]));
  }

  /** A pod as it is now. */
  take({ statuses, ...pod }: Pick<PodSnapshot, "namespace" | "name" | "statuses">, atMs: number): void {
    for (const one of this.#byPod.get(keyOf({ ...pod, pod: pod.name })) ?? []) {
      const status = statuses.find(({ name }) => name === one.container);
      const startedAtMs = status === undefined ? null : this.#startSince(status);
      if (startedAtMs === null) continue;
      one.upAtMs ??= Math.min(startedAtMs, atMs);
      one.isDownAgain = status?.state?.kind !== "running";
    }
  }

  /** All of this pod is up, or it is gone. */
  up({ namespace, name }: Pick<PodSnapshot, "namespace" | "name">, atMs: number): void {
    for (const one of this.#byPod.get(keyOf({ namespace, pod: name })) ?? []) {
      one.upAtMs ??= atMs;
      one.isDownAgain = false;
    }
  }

  /** All pods of which not everything is up are these: what is not among them is up, or gone. */
  settle(pods: ReadonlySet<string>, atMs: number): void {
    for (const [key, containers] of this.#byPod) if (!pods.has(key)) for (const one of containers) one.upAtMs ??= atMs;
  }

  /** How far it has come. */
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

  /** The start of an instance that is younger than the announcement. */
  #startSince({ state, lastState }: ContainerStatus): number | null {
    const starts = [startOf(state), startOf(lastState)].filter((atMs) => atMs !== null && atMs >= this.#eta.atMs);
    return starts.at(-1) ?? null;
  }
}

/** Whether all shares have come up. */
export function isAllUp({ reached }: EtaCount): boolean {
  return reached.length === ETA_SHARES.length;
}

/** `NAMESPACE/NAME` of a container's pod. */
export function keyOf({ namespace, pod }: Pick<ContainerPlace, "namespace" | "pod">): string {
  return `${namespace}/${pod}`;
}

function startOf(state: ContainerState | null): number | null {
  return state === null || state.kind === "waiting" ? null : state.startedAtMs;
}
