import { type BackoffEntry, type BackoffPolicy, hasExpired, isInBackOffSince, next } from "../backoff/backoff.ts";

interface Exit {
  readonly finishedAtMs: number;
  /**
   * Whether the sync that killed this instance also tried to start the next one, e.g. after a failed liveness probe. In
   * that sync, `doBackOff` does not find this exit yet.
   */
  readonly killedBySync: boolean;
}

export interface Wait {
  /** The instant from which the delay counts. After a kill by a sync, this can be the previous exit. */
  readonly countedFromMs: number;
  readonly delayMs: number;
  /** From this instant on, a sync can start the next instance. */
  readonly readyAtMs: number;
  /** The end of the delay, even if `isDropped`. */
  readonly plannedAtMs: number;
  /** Whether the back-off entry expires before `plannedAtMs`, so that housekeeping can delete it and end the wait. */
  readonly isDropped: boolean;
  /**
   * Whether the next start leaves the back-off entry as it is, because the sync that killed the instance finds no exit
   * of the container.
   */
  readonly leavesEntry: boolean;
}

type ExpiringPolicy = BackoffPolicy & { readonly resetAfterMs: number };

/** `housekeepingPeriod`, pkg/kubelet/kubelet.go, v1.34.4. Housekeeping deletes expired back-off entries. */
export const HOUSEKEEPING_MS = 2_000;

/**
 * Computes the wait that `doBackOff` (pkg/kubelet/kuberuntime/kuberuntime_manager.go, v1.34.4 and v1.37.1) imposes
 * after `exit`. `Backoff.GC` can end the wait early.
 */
export function waitAfter(
  entry: BackoffEntry | undefined,
  previousFinishedAtMs: number | null,
  exit: Exit,
  policy: ExpiringPolicy,
): Wait {
  const live = liveAt(entry, exit.finishedAtMs, policy);
  if (exit.killedBySync) {
    if (previousFinishedAtMs === null) return immediate(exit.finishedAtMs, true);
    if (!isInBackOffSince(live, previousFinishedAtMs, exit.finishedAtMs, policy)) {
      return immediate(previousFinishedAtMs, false);
    }
  }
  if (live === undefined) return immediate(exit.finishedAtMs, false);
  const plannedAtMs = exit.finishedAtMs + live.delayMs;
  const dropsAtMs = live.lastUpdateMs + policy.resetAfterMs;
  const isDropped = dropsAtMs < plannedAtMs;
  return {
    countedFromMs: exit.finishedAtMs,
    delayMs: live.delayMs,
    readyAtMs: isDropped ? dropsAtMs : plannedAtMs,
    plannedAtMs,
    isDropped,
    leavesEntry: false,
  };

  function immediate(countedFromMs: number, leavesEntry: boolean): Wait {
    const atMs = exit.finishedAtMs;
    return { countedFromMs, delayMs: 0, readyAtMs: atMs, plannedAtMs: atMs, isDropped: false, leavesEntry };
  }
}

export function entryAfterStart(
  entry: BackoffEntry | undefined,
  wait: Wait,
  startedAtMs: number,
  policy: ExpiringPolicy,
): BackoffEntry | undefined {
  const live = liveAt(entry, startedAtMs, policy);
  return wait.leavesEntry ? live : next(live, wait.countedFromMs, startedAtMs, policy);
}

export function liveAt(
  entry: BackoffEntry | undefined,
  atMs: number,
  policy: ExpiringPolicy,
): BackoffEntry | undefined {
  return entry === undefined || hasExpired(entry, atMs, policy) ? undefined : entry;
}
