import type { CrashLoopPolicy } from "../../kubelet/crash-loop-policy.ts";
import { entryAfterStart, waitAfter } from "../../kubelet/do-backoff.ts";
import { longestLatenessMs } from "../../kubelet/retry-rule.ts";
import type { NextExit } from "../answer/explanation.ts";
import type { PodObservation } from "../observed/observation.ts";
import type { Belief } from "../replay/beliefs.ts";
import type { CurrentWait } from "../replay/current-wait.ts";
import type { ReplayedContainer } from "../replay/replayed-container.ts";
import {
  type ExpectedExit,
  expectedKills,
  type KillingProbe,
  killingProbe,
  pendingKill,
  wasKilledBy,
} from "./kills.ts";
import { type PossibleDelays, possibleDelays } from "./possible-delays.ts";

/** The possible errors, with probabilities, of a difference between two instants that are cut to whole seconds. */
const TRUNCATION_ERRORS = [
  { errorMs: -600, share: 0.25 },
  { errorMs: 0, share: 0.5 },
  { errorMs: 600, share: 0.25 },
] as const;

/**
 * Returns the wait after each way in which a running instance can end, the likely way first. A probe that killed the
 * last instance probably kills this one, too; then the kubelet counts the wait from the previous exit (`doBackOff`).
 * `own` has the delays after an exit by itself.
 */
export function nextExits(
  facts: ReplayedContainer,
  observed: PodObservation,
  own: PossibleDelays,
  policy: CrashLoopPolicy,
  atMs: number,
): NextExit[] {
  const startedAtMs = facts.runs.at(-1)?.startedAtMs ?? null;
  const kill = pendingKill(facts, observed);
  if (kill?.cause === "spec-change") return [byItself({ delayMs: 0 }, true)];
  const probe = kill?.cause ?? killingProbe(facts);
  if (probe === null || startedAtMs === null) return [byItself(own, true)];
  // An instance that still runs has not exited before now.
  const expected = expectedKills(facts, probe, startedAtMs, kill, observed.pod.gracePeriodMs).map((exit) => {
    return { ...exit, atMs: Math.max(exit.atMs, atMs) };
  });
  const killed = isExitRecordGone(facts) ? { delayMs: 0 } : delayIfKilled(facts.beliefs, expected, policy);
  if (kill !== null) return [byProbe(probe, killed, true)];
  return wasKilledBy(facts, probe)
    ? [byProbe(probe, killed, true), byItself(own, false)]
    : [byItself(own, true), byProbe(probe, killed, false)];
}

function byItself(delays: PossibleDelays, likely: boolean): NextExit {
  return { how: "exits", probe: null, ...delays, likely };
}

function byProbe(probe: KillingProbe, delays: PossibleDelays, likely: boolean): NextExit {
  return { how: "killed-by-probe", probe, ...delays, likely };
}

/**
 * Whether the runtime has lost the record of the previous exit. If so, the kubelet starts the next instance immediately
 * after a kill. Older kubelets then report restarts without a lastState (measured on v1.33.13).
 */
function isExitRecordGone({ status }: ReplayedContainer): boolean {
  return status !== null && status.restartCount > 0 && status.lastState === null;
}

/** Returns the delays after a kill, over all back-offs that are possible and all instants of the exit. */
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
 * Returns the waits after the run that follows the current wait, the likely way to end first. If a kill's delay depends
 * on when in its window that run starts, the result has both delays.
 */
export function exitsAfterNextStart(
  facts: ReplayedContainer,
  { likeliest, entry, finishedAtMs }: CurrentWait,
  gracePeriodMs: number,
  policy: CrashLoopPolicy,
): NextExit[] {
  const startsAtMs = [likeliest.readyAtMs, likeliest.readyAtMs + longestLatenessMs(policy.retry, likeliest.delayMs)];
  const beliefs = startsAtMs.map((atMs): Belief => {
    const after = entryAfterStart(entry, likeliest, atMs, policy);
    return { entry: after, previousFinishedAtMs: finishedAtMs, share: 1, rules: [] };
  });
  const delayMs = beliefs[0]?.entry?.delayMs ?? 0;
  const probe = killingProbe(facts);
  if (probe === null || !wasKilledBy(facts, probe)) return [byItself({ delayMs }, true)];
  const delaysMs = startsAtMs.map((startedAtMs, index) => {
    const kills = expectedKills(facts, probe, startedAtMs, null, gracePeriodMs);
    return delayIfKilled(beliefs.slice(index, index + 1), kills, policy).delayMs;
  });
  return [...[...new Set(delaysMs)].map((ms) => byProbe(probe, { delayMs: ms }, true)), byItself({ delayMs }, false)];
}
