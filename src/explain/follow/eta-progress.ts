import { RESET_AFTER_MS } from "../../kubelet/crash-loop-policy.ts";
import { type ContainerPlace, distinctQuantiles, type Eta, type EtaQuantile } from "../answer/eta.ts";
import { podKey, podKeyOf } from "../observed/lookups.ts";
import type { ContainerStatus, PodSnapshot } from "../observed/observation.ts";

/** The number of containers that are up again after an outage, next to the number that the prediction expected. */
export interface EtaCount {
  /** The containers that were not up and may come up, with a predicted start or without. */
  readonly awaited: number;
  readonly up: number;
  /** Containers that have exited since they came up, and have not yet run for longer than their last run. */
  readonly downAgain: number;
  /** The mean of `up` that the prediction gave for this moment. */
  readonly expected: number;
  readonly reached: readonly EtaOutcome[];
  readonly lastUpAtMs: number | null;
}

/** A predicted share of the containers (e.g. half) that has come up, and when it did. */
export interface EtaOutcome {
  readonly announced: EtaQuantile;
  readonly cameAtMs: number;
}

interface Followed {
  readonly container: string;
  readonly isAnnounced: boolean;
  /** The start of the current run; null if the container is not up. */
  upAtMs: number | null;
  /** Until then, the container counts as down again, because it has exited since it came up; 0 if it has not. */
  staysUpAtMs: number;
}

/** Returns the containers that are not up, except those that the kubelet will not start. */
export function awaitedIn({ down, overdue, unknown }: Eta): readonly ContainerPlace[] {
  return [...down, ...overdue, ...unknown.flatMap(({ reason, places }) => (reason === "stays-down" ? [] : places))];
}

export function staysDownIn({ unknown }: Eta): number {
  return unknown.flatMap(({ reason, places }) => (reason === "stays-down" ? places : [])).length;
}

/** Records, for each container that was not up at the prediction `eta`, since when it is up. */
export class EtaProgress {
  readonly #eta: Eta;
  readonly #byPod: ReadonlyMap<string, readonly Followed[]>;

  constructor(eta: Eta) {
    this.#eta = eta;
    const pods = Map.groupBy(awaitedIn(eta), podKeyOf);
    const announced = new Set<ContainerPlace>(eta.down);
    const followed = (place: ContainerPlace): Followed => ({
      container: place.container,
      isAnnounced: announced.has(place),
      upAtMs: null,
      staysUpAtMs: 0,
    });
    this.#byPod = new Map([...pods].map(([key, containers]) => [key, containers.map(followed)]));
  }

  /** Records the container starts that a new version of a pod shows. */
  take({ statuses, ...pod }: Pick<PodSnapshot, "namespace" | "name" | "statuses">, atMs: number): void {
    for (const one of this.#byPod.get(podKey(pod)) ?? []) {
      const status = statuses.find(({ name }) => name === one.container);
      if (status === undefined || !this.#hasStarted(status, one)) continue;
      const running = status.state?.kind === "running" ? status.state : null;
      one.upAtMs = running && Math.min(running.startedAtMs ?? atMs, atMs);
      one.staysUpAtMs = this.#staysUpAtMs(status);
    }
  }

  /** Records that all containers of the pod are up, or that the pod is gone. */
  up(pod: Pick<PodSnapshot, "namespace" | "name">, atMs: number): void {
    for (const one of this.#byPod.get(podKey(pod)) ?? []) hold(one, atMs);
  }

  /** Records that in every pod whose key is not in `pods`, all containers are up or the pod is gone. */
  settle(pods: ReadonlySet<string>, atMs: number): void {
    const settled = [...this.#byPod].filter(([key]) => !pods.has(key));
    for (const one of settled.flatMap(([, containers]) => containers)) hold(one, atMs);
  }

  count(atMs: number): EtaCount {
    const all = [...this.#byPod.values()].flat();
    const came = (ones: readonly Followed[]) => ones.flatMap(({ upAtMs }) => upAtMs ?? []).sort((a, b) => a - b);
    const cameAtMs = came(all.filter(({ isAnnounced }) => isAnnounced));
    const reached = distinctQuantiles(this.#eta).flatMap((announced): EtaOutcome[] => {
      const atShareMs = cameAtMs[announced.count - 1];
      return atShareMs === undefined ? [] : [{ announced, cameAtMs: atShareMs }];
    });
    const point = this.#eta.curve.findLast((candidate) => candidate.atMs <= atMs);
    const downAgain = all.filter(({ staysUpAtMs }) => atMs < staysUpAtMs).length;
    const upAtMs = came(all);
    const lastUpAtMs = upAtMs.at(-1) ?? null;
    const expected = point?.up ?? 0;
    return { awaited: all.length, up: upAtMs.length, downAgain, expected, reached, lastUpAtMs };
  }

  /**
   * Returns when the current run is longer than the last one (or than the reset takes, if that is shorter), if the last
   * one began after the prediction, too; else 0. Infinite if the container does not run.
   */
  #staysUpAtMs({ state, lastState }: ContainerStatus): number {
    if (state?.kind !== "running") return Number.POSITIVE_INFINITY;
    if (lastState === null || (lastState.startedAtMs ?? 0) < this.#eta.atMs) return 0;
    const ranMs = (lastState.finishedAtMs ?? 0) - (lastState.startedAtMs ?? 0);
    return (state.startedAtMs ?? 0) + Math.min(ranMs, RESET_AFTER_MS) + TIMESTAMP_SLACK_MS;
  }

  /**
   * Whether the container has started since the prediction. If no start was predicted, the running instance may have
   * started just before the prediction, so its start counts.
   */
  #hasStarted({ state, lastState }: ContainerStatus, { isAnnounced }: Followed): boolean {
    if (!isAnnounced && state?.kind === "running") return state.startedAtMs !== null;
    return [lastState, state].some((one) => {
      return one !== null && one.kind !== "waiting" && (one.startedAtMs ?? 0) >= this.#eta.atMs;
    });
  }
}

/** Times in the API are cut to seconds. */
const TIMESTAMP_SLACK_MS = 2_000;

function hold(one: Followed, atMs: number): void {
  one.upAtMs ??= atMs;
  one.staysUpAtMs = 0;
}

export function isAllUp({ up, awaited, downAgain }: EtaCount): boolean {
  return up === awaited && downAgain === 0;
}

/** A container that exited again may still prove that it stays up for this long after the last announced time. */
const GRACE_MS = 60_000;

/** Returns when the command should give up, because a container has exited again; null if none has. */
export function hopelessAtMs({ quantilesOfDown, atMs }: Eta, { downAgain, lastUpAtMs }: EtaCount): number | null {
  if (downAgain === 0) return null;
  return Math.max(quantilesOfDown.at(-1)?.likelyByMs ?? atMs, lastUpAtMs ?? atMs) + GRACE_MS;
}
