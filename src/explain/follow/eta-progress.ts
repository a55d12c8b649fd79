import { RESET_AFTER_MS } from "../../kubelet/policy.ts";
import { type ContainerPlace, distinctQuantiles, type Eta, type EtaQuantile } from "../answer/eta.ts";
import type { ContainerStatus, PodSnapshot } from "../observed/observation.ts";

/** The number of containers that are up again after an outage, next to the number that the prediction expected. */
export interface EtaCount {
  readonly announced: number;
  /** Containers that have come up since the prediction, even if they have exited again. */
  readonly up: number;
  readonly upNow: number;
  /** Containers that have exited since they came up, and have not yet run for longer than their last run. */
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
  isUp: boolean;
  /** Set if the container has exited since it came up; until `staysUpAtMs`, it may do so again. */
  hasExited: boolean;
  staysUpAtMs: number;
}

/** Records when each container that was down at the prediction `eta` first starts after the prediction. */
export class EtaProgress {
  readonly #eta: Eta;
  readonly #byPod: ReadonlyMap<string, readonly Followed[]>;

  constructor(eta: Eta) {
    this.#eta = eta;
    const pods = Map.groupBy(eta.down, keyOf);
    const followed = ({ container }: ContainerPlace): Followed => ({
      container,
      upAtMs: null,
      isUp: false,
      hasExited: false,
      staysUpAtMs: 0,
    });
    this.#byPod = new Map([...pods].map(([key, containers]) => [key, containers.map(followed)]));
  }

  /** Records the container starts that a new version of a pod shows. */
  take({ statuses, ...pod }: Pick<PodSnapshot, "namespace" | "name" | "statuses">, atMs: number): void {
    for (const one of this.#byPod.get(keyOf({ ...pod, pod: pod.name })) ?? []) {
      const status = statuses.find(({ name }) => name === one.container);
      const startedAtMs = status === undefined ? null : this.#startSince(status);
      if (startedAtMs === null) continue;
      one.upAtMs ??= Math.min(startedAtMs, atMs);
      one.isUp = status?.state?.kind === "running";
      one.staysUpAtMs = this.#staysUpAtMs(status);
      one.hasExited ||= one.staysUpAtMs > startedAtMs;
    }
  }

  /** Records that all containers of the pod are up, or that the pod is gone. */
  up({ namespace, name }: Pick<PodSnapshot, "namespace" | "name">, atMs: number): void {
    for (const one of this.#byPod.get(keyOf({ namespace, pod: name })) ?? []) {
      hold(one, atMs);
    }
  }

  /** Records that in every pod whose key is not in `pods`, all containers are up or the pod is gone. */
  settle(pods: ReadonlySet<string>, atMs: number): void {
    for (const [key, containers] of this.#byPod) if (!pods.has(key)) for (const one of containers) hold(one, atMs);
  }

  count(atMs: number): EtaCount {
    const all = [...this.#byPod.values()].flat();
    const cameAtMs = all.flatMap(({ upAtMs }) => upAtMs ?? []).sort((a, b) => a - b);
    const reached = distinctQuantiles(this.#eta).flatMap((announced): EtaOutcome[] => {
      const came = cameAtMs[announced.count - 1];
      return came === undefined ? [] : [{ announced, cameAtMs: came }];
    });
    const point = this.#eta.curve.findLast((candidate) => candidate.atMs <= atMs);
    const downAgain = all.filter(({ hasExited, staysUpAtMs }) => hasExited && atMs < staysUpAtMs).length;
    const upNow = all.filter(({ isUp }) => isUp).length;
    return { announced: all.length, up: cameAtMs.length, upNow, downAgain, expected: point?.up ?? 0, reached };
  }

  /** Returns when the present run is longer than the last one, if that began after the prediction, too; else 0. */
  #staysUpAtMs(status: ContainerStatus | undefined): number {
    const { state = null, lastState = null } = status ?? {};
    if (state?.kind !== "running") return Number.POSITIVE_INFINITY;
    if (lastState === null || (lastState.startedAtMs ?? 0) < this.#eta.atMs) return 0;
    const ranMs = (lastState.finishedAtMs ?? 0) - (lastState.startedAtMs ?? 0);
    return (state.startedAtMs ?? 0) + Math.min(ranMs, RESET_AFTER_MS) + SLACK_MS;
  }

  /** Returns the first start after the prediction that the status shows; null if it shows none. */
  #startSince({ state, lastState }: ContainerStatus): number | null {
    const starts = [lastState, state].map((one) => (one === null || one.kind === "waiting" ? null : one.startedAtMs));
    return starts.find((atMs) => atMs !== null && atMs >= this.#eta.atMs) ?? null;
  }
}

/** Times in the API are cut to seconds. */
const SLACK_MS = 2_000;

/** Records that the container stays up, or is gone with its pod. */
function hold(one: Followed, atMs: number): void {
  one.upAtMs ??= atMs;
  one.isUp = true;
  one.hasExited = false;
}

export function isAllUp({ up, announced, downAgain }: EtaCount): boolean {
  return up === announced && downAgain === 0;
}

/** How long after the last announced time a container that exited again may still prove that it stays up. */
const GRACE_MS = 60_000;

/** Whether to wait no longer: a container has exited again, and all should have been up for a while. */
export function isHopeless({ quantilesOfDown }: Eta, { downAgain }: EtaCount, atMs: number): boolean {
  return downAgain > 0 && atMs > (quantilesOfDown.at(-1)?.likelyByMs ?? atMs) + GRACE_MS;
}

export function keyOf({ namespace, pod }: Pick<ContainerPlace, "namespace" | "pod">): string {
  return `${namespace}/${pod}`;
}
