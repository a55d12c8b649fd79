import { type BackoffEntry, type BackoffPolicy, hasExpired, isInBackOffSince, next } from "../backoff/backoff.ts";

/** How an instance ended, as far as the back-off cares. */
interface Exit {
  readonly finishedAtMs: number;
  /**
   * A liveness or startup probe, or a change of the spec, made the kubelet kill it: the sync that kills it still sees it
   * running and asks about the exit before.
   */
  readonly killedBySync: boolean;
}

/** What `doBackOff` makes of an exit. */
export interface Wait {
  /** The exit that the wait counts from. */
  readonly countedFromMs: number;
  /** The delay in force; 0: it starts at once. */
  readonly delayMs: number;
  /** The first instant at which a sync starts the next instance. */
  readonly readyAtMs: number;
  /** The end of the delay, which the kubelet plans its syncs from; later than `readyAtMs` if the entry goes before. */
  readonly plannedAtMs: number;
  /** When housekeeping drops the entry, if that ends the wait. */
  readonly droppedAtMs: number | null;
  /**
   * The next start does not call `Next`: a sync killed the instance and finds no exited one, because it was the first or
   * because container GC has removed the record of the one before.
   */
  readonly leavesEntry: boolean;
}

/** A policy whose entries expire after a fixed time. */
type ExpiringPolicy = BackoffPolicy & { readonly resetAfterMs: number };

/** Housekeeping calls `Backoff.GC` every 2 s (`housekeepingPeriod`, pkg/kubelet/kubelet.go, v1.34.4). */
export const HOUSEKEEPING_MS = 2_000;

/**
 * Mirrors `doBackOff` (pkg/kubelet/kuberuntime/kuberuntime_manager.go, v1.34.4 and v1.37.1) for the syncs after an exit,
 * together with the garbage collection that may end a wait early. `previousFinishedAtMs` is the exit before this one.
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
    droppedAtMs: isDropped ? dropsAtMs : null,
    leavesEntry: false,
  };

  function immediate(countedFromMs: number, leavesEntry: boolean): Wait {
    const atMs = exit.finishedAtMs;
    return { countedFromMs, delayMs: 0, readyAtMs: atMs, plannedAtMs: atMs, droppedAtMs: null, leavesEntry };
  }
}

/**
 * The entry after the start that ended `wait`: `Next` was called for the exit that the wait counts from, unless no exited
 * instance was there. An entry that housekeeping dropped before `startedAtMs` does not count.
 */
export function entryAfterStart(
  entry: BackoffEntry | undefined,
  wait: Wait,
  startedAtMs: number,
  policy: ExpiringPolicy,
): BackoffEntry | undefined {
  const live = liveAt(entry, startedAtMs, policy);
  return wait.leavesEntry ? live : next(live, wait.countedFromMs, startedAtMs, policy);
}

/** The entry as housekeeping has left it by then. */
function liveAt(entry: BackoffEntry | undefined, atMs: number, policy: ExpiringPolicy): BackoffEntry | undefined {
  return entry === undefined || hasExpired(entry, atMs, policy) ? undefined : entry;
}
