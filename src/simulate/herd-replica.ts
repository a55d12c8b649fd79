import type { BackoffEntry, RandomSource } from "../backoff/backoff.ts";
import { entryAfterStart, HOUSEKEEPING_MS, type Wait, waitAfter } from "../kubelet/do-backoff.ts";
import { RELIST_MS } from "../kubelet/known-syncs.ts";
import type { CrashLoopPolicy } from "../kubelet/policy.ts";
import { nextSyncAfterMs, TICK_MS } from "../kubelet/retry-rule.ts";

/** A dependency that goes, and comes back. Instants count from the moment it went. */
export interface Outage {
  readonly outageMs: number;
  /** How long a replica runs that started without it, before it exits. */
  readonly runMs: number;
}

/**
 * When a replica is started that exited the moment its dependency went, after a run that was long enough for a clean slate.
 * The last start is the first one with the dependency back: it stays up. Each replica has a node of its own, as far as ticks
 * go; what a start itself takes is left out.
 */
export function replicaStarts(outage: Outage, policy: CrashLoopPolicy, random: RandomSource): number[] {
  const tickOffsetMs = random() * TICK_MS;
  const startsAtMs: number[] = [];
  let entry: BackoffEntry | undefined;
  let previousFinishedAtMs: number | null = null;
  let finishedAtMs = 0;
  for (;;) {
    const wait = waitAfter(entry, previousFinishedAtMs, { finishedAtMs, killedBySync: false }, policy);
    const startedAtMs = startAfter(wait, finishedAtMs, policy, tickOffsetMs, random);
    startsAtMs.push(startedAtMs);
    if (startedAtMs >= outage.outageMs) return startsAtMs;
    entry = entryAfterStart(entry, wait, startedAtMs, policy);
    previousFinishedAtMs = finishedAtMs;
    finishedAtMs = startedAtMs + outage.runMs;
  }
}

/** The kubelet's first sync at or after the end of the wait, or after the housekeeping that drops the entry before. */
function startAfter(
  wait: Wait,
  finishedAtMs: number,
  policy: CrashLoopPolicy,
  tickOffsetMs: number,
  random: RandomSource,
): number {
  const readyAtMs = wait.droppedAtMs === null ? wait.readyAtMs : wait.droppedAtMs + random() * HOUSEKEEPING_MS;
  let syncAtMs = finishedAtMs + random() * RELIST_MS;
  while (syncAtMs < Math.min(readyAtMs, wait.plannedAtMs)) {
    const [leastMs, mostMs] = nextSyncAfterMs(policy.retry, wait.plannedAtMs - syncAtMs);
    const dueAtMs = syncAtMs + leastMs + random() * (mostMs - leastMs);
    syncAtMs = tickOffsetMs + Math.ceil((dueAtMs - tickOffsetMs) / TICK_MS) * TICK_MS;
  }
  return syncAtMs;
}
