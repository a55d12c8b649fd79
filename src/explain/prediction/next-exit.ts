import { entryAfterStart, waitAfter } from "../../kubelet/do-backoff.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import { longestLatenessMs } from "../../kubelet/retry-rule.ts";
import type { NextExit } from "../answer/explanation.ts";
import type { PodObservation } from "../observed/observation.ts";
import type { Belief } from "../replay/beliefs.ts";
import type { CurrentWait } from "../replay/current-wait.ts";
import type { ContainerFacts } from "../replay/facts.ts";
import { type ExpectedExit, expectedKills, type KillingProbe, killingProbe } from "./expected-kill.ts";
import { pendingKill } from "./pending-kill.ts";

/** Both instants of a difference are truncated to a second: its error is within one, and zero is the likeliest. */
const TRUNCATION_ERRORS = [
  { errorMs: -600, share: 0.25 },
  { errorMs: 0, share: 0.5 },
  { errorMs: 600, share: 0.25 },
] as const;

/**
 * The wait for each way in which a running instance can end, the likely one first: a container that its probe killed is
 * killed by it again, and then the kubelet counts the wait from the exit before (`doBackOff`). `ownDelayMs` is what an
 * exit by itself has to wait; null if nothing is known.
 */
export function nextExits(
  facts: ContainerFacts,
  observed: PodObservation,
  ownDelayMs: number | null,
  policy: CrashLoopPolicy,
  atMs: number,
): NextExit[] | null {
  if (ownDelayMs === null) return null;
  const startedAtMs = facts.runs.at(-1)?.startedAtMs ?? null;
  const kill = pendingKill(facts, observed);
  if (kill?.cause === "spec-change") return [{ how: "exits", probe: null, delayMs: 0, likely: true }];
  const exits: NextExit = { how: "exits", probe: null, delayMs: ownDelayMs, likely: true };
  const probe = kill?.cause ?? killingProbe(facts);
  if (probe === null || startedAtMs === null) return [exits];
  const expected = expectedKills(facts, probe, startedAtMs, kill, observed.pod.gracePeriodMs);
  const delayMs = isExitRecordGone(facts) ? 0 : delayIfKilled(facts.beliefs, notBefore(atMs, expected), policy);
  const killed: NextExit = { how: "killed-by-probe", probe, delayMs, likely: true };
  if (kill !== null) return [killed];
  return isKilledAgain(facts, probe) ? [killed, { ...exits, likely: false }] : [exits, { ...killed, likely: false }];
}

/**
 * Whether the runtime no longer has the record of the exit before: then a kill finds no exit to count from, and the next
 * instance starts immediately. Older kubelets show it as restarts without a lastState (measured on v1.33.13).
 */
function isExitRecordGone({ status }: ContainerFacts): boolean {
  return status !== null && status.restartCount > 0 && status.lastState === null;
}

/** Whether the last run ended by a probe that can end this one, too. */
export function isKilledAgain({ runs }: ContainerFacts, probe: KillingProbe): boolean {
  const last = runs.findLast(({ exit }) => exit !== null);
  return last?.cause.cause === probe && last.cause.killedBySync > 0.5;
}

/** The likeliest delay after a kill, over all that the kubelet may remember and all instants at which the instance may exit. */
export function delayIfKilled(
  beliefs: readonly Belief[],
  exits: readonly ExpectedExit[],
  policy: CrashLoopPolicy,
): number {
  const shares = new Map<number, number>();
  for (const { entry, previousFinishedAtMs, weight } of beliefs) {
    for (const exit of exits) {
      for (const { errorMs, share } of TRUNCATION_ERRORS) {
        const finishedAtMs = exit.atMs + errorMs;
        const { delayMs } = waitAfter(entry, previousFinishedAtMs, { finishedAtMs, killedBySync: true }, policy);
        shares.set(delayMs, (shares.get(delayMs) ?? 0) + weight * exit.share * share);
      }
    }
  }
  return [...shares].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0] as [number, number])[0];
}

/**
 * The waits after the run that follows the present wait, the likely way to end first. Where the second at which it starts
 * decides whether a kill is followed by a wait, the kill has both delays.
 */
export function exitsAfterNextStart(
  facts: ContainerFacts,
  { wait, entry, finishedAtMs }: CurrentWait,
  gracePeriodMs: number,
  policy: CrashLoopPolicy,
): NextExit[] {
  const startsAtMs = [wait.readyAtMs, wait.readyAtMs + longestLatenessMs(policy.retry, wait.delayMs)];
  const entries = startsAtMs.map((atMs) => entryAfterStart(entry, wait, atMs, policy));
  const exits: NextExit = { how: "exits", probe: null, delayMs: entries[0]?.delayMs ?? 0, likely: true };
  const probe = killingProbe(facts);
  if (probe === null || !isKilledAgain(facts, probe)) return [exits];
  const delaysMs = startsAtMs.map((startedAtMs, index) => {
    const belief = { entry: entries[index], previousFinishedAtMs: finishedAtMs, weight: 1, rules: [] };
    return delayIfKilled([belief], expectedKills(facts, probe, startedAtMs, null, gracePeriodMs), policy);
  });
  const killed = [...new Set(delaysMs)].map(
    (delayMs): NextExit => ({ how: "killed-by-probe", probe, delayMs, likely: true }),
  );
  return [...killed, { ...exits, likely: false }];
}

/** An instance that still runs has not exited before now. */
function notBefore(atMs: number, exits: readonly ExpectedExit[]): ExpectedExit[] {
  return exits.map((exit) => ({ ...exit, atMs: Math.max(exit.atMs, atMs) }));
}
