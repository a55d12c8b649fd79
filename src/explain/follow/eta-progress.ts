import { RESET_AFTER_MS } from "../../kubelet/crash-loop-policy.ts";
import { type ContainerPlace, distinctQuantiles, type Eta, type EtaQuantile } from "../answer/eta.ts";
import { podKey, podKeyOf } from "../observed/lookups.ts";
import type { ContainerStatus, PodSnapshot } from "../observed/observation.ts";

export interface EtaCount {
  readonly awaited: number;
  readonly up: number;
  /**
   * Counts each container that came up and exited again, until a later run has lasted long enough (see
   * `#downAgainUntilMs`).
   */
  readonly downAgain: number;
  readonly expectedUp: number;
  readonly reached: readonly EtaOutcome[];
  readonly lastUpAtMs: number | null;
}

export interface EtaOutcome {
  readonly announced: EtaQuantile;
  readonly cameAtMs: number;
}

interface Followed {
  readonly container: string;
  readonly isAnnounced: boolean;
  upAtMs: number | null;
  downAgainUntilMs: number;
}

export function awaitedIn({ down, overdue, unknown }: Eta): readonly ContainerPlace[] {
  return [...down, ...overdue, ...unknown.flatMap(({ reason, places }) => (reason === "stays-down" ? [] : places))];
}

export function staysDownIn({ unknown }: Eta): number {
  return unknown.flatMap(({ reason, places }) => (reason === "stays-down" ? places : [])).length;
}

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
      downAgainUntilMs: 0,
    });
    this.#byPod = new Map([...pods].map(([key, containers]) => [key, containers.map(followed)]));
  }

  record({ statuses, ...pod }: Pick<PodSnapshot, "namespace" | "name" | "statuses">, atMs: number): void {
    for (const one of this.#byPod.get(podKey(pod)) ?? []) {
      const status = statuses.find(({ name }) => name === one.container);
      if (status === undefined || !this.#hasStarted(status, one)) continue;
      const running = status.state?.kind === "running" ? status.state : null;
      one.upAtMs = running && Math.min(running.startedAtMs ?? atMs, atMs);
      one.downAgainUntilMs = this.#downAgainUntilMs(status, one);
    }
  }

  /** Records that all containers of the pod are up, or that the pod is gone. */
  recordUp(pod: Pick<PodSnapshot, "namespace" | "name">, atMs: number): void {
    for (const one of this.#byPod.get(podKey(pod)) ?? []) markUp(one, atMs);
  }

  /** Records each pod whose {@link podKey} is not in `pods` as up or gone. */
  recordUpExcept(pods: ReadonlySet<string>, atMs: number): void {
    const settled = [...this.#byPod].filter(([key]) => !pods.has(key));
    for (const one of settled.flatMap(([, containers]) => containers)) markUp(one, atMs);
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
    const downAgain = all.filter(({ downAgainUntilMs }) => atMs < downAgainUntilMs).length;
    const upAtMs = came(all);
    const lastUpAtMs = upAtMs.at(-1) ?? null;
    return { awaited: all.length, up: upAtMs.length, downAgain, expectedUp: point?.up ?? 0, reached, lastUpAtMs };
  }

  /** Infinite while the container is down; 0 if it has not exited since it came up. */
  #downAgainUntilMs({ state, lastState }: ContainerStatus, { downAgainUntilMs }: Followed): number {
    if (state?.kind !== "running") return Number.POSITIVE_INFINITY;
    if (lastState === null) return 0;
    if (downAgainUntilMs === 0 && (lastState.startedAtMs ?? 0) < this.#eta.atMs) return 0;
    const ranMs = (lastState.finishedAtMs ?? 0) - (lastState.startedAtMs ?? 0);
    return (state.startedAtMs ?? 0) + Math.min(ranMs, RESET_AFTER_MS) + TIMESTAMP_SLACK_MS;
  }

  /**
   * A run that began before the prediction can count as a start, too. Either no start of the container was predicted,
   * or the container was up and is down again.
   */
  #hasStarted({ state, lastState }: ContainerStatus, { isAnnounced, upAtMs }: Followed): boolean {
    if (!isAnnounced && state?.kind === "running") return state.startedAtMs !== null;
    const sinceMs = upAtMs !== null && state?.kind !== "running" ? 0 : this.#eta.atMs;
    return [lastState, state].some((one) => {
      return one !== null && one.kind !== "waiting" && (one.startedAtMs ?? 0) >= sinceMs;
    });
  }
}

/** Assumed tolerance, because the API truncates instants to seconds. */
const TIMESTAMP_SLACK_MS = 2_000;

function markUp(one: Followed, atMs: number): void {
  one.upAtMs ??= atMs;
  one.downAgainUntilMs = 0;
}

export function isAllUp({ up, awaited, downAgain }: EtaCount): boolean {
  return up === awaited && downAgain === 0;
}

/** Assumed: this time is enough for a container that exited again to show that it stays up. */
const GRACE_MS = 60_000;

export function givesUpAtMs({ quantilesOfDown, atMs }: Eta, { downAgain, lastUpAtMs }: EtaCount): number | null {
  if (downAgain === 0) return null;
  return Math.max(quantilesOfDown.at(-1)?.likelyByMs ?? atMs, lastUpAtMs ?? atMs) + GRACE_MS;
}
