import type { CrashLoopPolicy } from "../../kubelet/crash-loop-policy.ts";
import { entryAfterStart, waitAfter } from "../../kubelet/do-backoff.ts";
import { longestLatenessMs } from "../../kubelet/retry-rule.ts";
import { TRUNCATION_ERRORS } from "../../kubelet/starts-after.ts";
import type { NextExit } from "../answer/explanation.ts";
import type { Belief } from "../replay/beliefs.ts";
import type { CurrentWait } from "../replay/current-wait.ts";
import type { ReplayedContainer } from "../replay/replayed-container.ts";
import {
  type ExpectedExit,
  exitsAfterKill,
  exitsIfKilled,
  type PendingKill,
  probeThatMayKill,
  wasKilledBy,
} from "./kills.ts";
import type { PodContext } from "./pod-context.ts";
import { type PossibleDelays, possibleDelays } from "./possible-delays.ts";

/** Returns the likeliest exit first. Assumed: a probe that killed the last run probably kills the current run, too. */
export function nextExits(
  facts: ReplayedContainer,
  kill: PendingKill | null,
  ifByItself: PossibleDelays,
  { observed, policy, atMs }: PodContext,
): NextExit[] {
  const startedAtMs = facts.runs.at(-1)?.startedAtMs ?? null;
  if (kill?.cause === "spec-change") return [{ probe: null, delayMs: 0 }];
  const probe = kill?.cause ?? probeThatMayKill(facts);
  const byItself = { probe: null, ...ifByItself };
  if (probe === null || startedAtMs === null) return [byItself];
  const exits =
    kill === null
      ? exitsIfKilled(facts, probe, startedAtMs, observed.pod.gracePeriodMs)
      : exitsAfterKill(facts, probe, kill);
  const expected = exits.map((exit) => ({ ...exit, atMs: Math.max(exit.atMs, atMs) }));
  const byProbe = {
    probe,
    ...(isExitRecordGone(facts) ? { delayMs: 0 } : delayIfKilled(facts.beliefs, expected, policy)),
  };
  if (kill !== null) return [byProbe];
  return wasKilledBy(facts, probe) ? [byProbe, byItself] : [byItself, byProbe];
}

/**
 * Infers from a missing lastState that the runtime has lost the record of the previous exit (measured on v1.33.13).
 * Without this record, the kubelet does not wait after a kill.
 */
function isExitRecordGone({ status }: ReplayedContainer): boolean {
  return status !== null && status.restartCount > 0 && status.lastState === null;
}

function delayIfKilled(
  beliefs: readonly Belief[],
  exits: readonly ExpectedExit[],
  policy: CrashLoopPolicy,
): PossibleDelays {
  const shares = new Map<number, number>();
  for (const { entry, previousFinishedAtMs, share } of beliefs) {
    for (const exit of exits) {
      for (const { errorMs, share: shareOfError } of TRUNCATION_ERRORS) {
        const finishedAtMs = exit.atMs + errorMs;
        const { delayMs } = waitAfter(entry, previousFinishedAtMs, { finishedAtMs, killedBySync: true }, policy);
        shares.set(delayMs, (shares.get(delayMs) ?? 0) + share * exit.share * shareOfError);
      }
    }
  }
  return possibleDelays([...shares].map(([delayMs, share]) => ({ delayMs, share })));
}

/**
 * `afterKillMs` is empty unless a probe killed the last run. It has two delays if the delay after an early start of the
 * next run differs from the delay after a late start.
 */
export function delaysAfterNextRun(
  facts: ReplayedContainer,
  { likeliest, entry, finishedAtMs }: CurrentWait,
  gracePeriodMs: number,
  policy: CrashLoopPolicy,
): { readonly afterExitMs: number; readonly afterKillMs: readonly number[] } {
  const startsAtMs = [likeliest.readyAtMs, likeliest.readyAtMs + longestLatenessMs(policy.retry, likeliest.delayMs)];
  const beliefs = startsAtMs.map((atMs): Belief => {
    const after = entryAfterStart(entry, likeliest, atMs, policy);
    return { entry: after, previousFinishedAtMs: finishedAtMs, share: 1, rules: [] };
  });
  const afterExitMs = beliefs[0]?.entry?.delayMs ?? 0;
  const probe = probeThatMayKill(facts);
  if (probe === null || !wasKilledBy(facts, probe)) return { afterExitMs, afterKillMs: [] };
  const afterKillMs = startsAtMs.map((startedAtMs, index) => {
    const kills = exitsIfKilled(facts, probe, startedAtMs, gracePeriodMs);
    return delayIfKilled(beliefs.slice(index, index + 1), kills, policy).delayMs;
  });
  return { afterExitMs, afterKillMs: [...new Set(afterKillMs)] };
}
