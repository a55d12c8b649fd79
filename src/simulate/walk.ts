import type { BackoffEntry } from "../backoff/backoff.ts";
import type { CrashLoopPolicy } from "../kubelet/crash-loop-policy.ts";
import { entryAfterStart, type Wait, waitAfter } from "../kubelet/do-backoff.ts";
import { decideRestart, RESTART_ALL, type RestartSpec } from "../kubelet/restart-policy.ts";
import { isKilledBySync, type RunSource, type SimulatedRun } from "./simulated-run.ts";
import type { StartChoice } from "./start-choice.ts";

export interface SimulationPlan {
  readonly policy: CrashLoopPolicy;
  readonly restart: RestartSpec;
  readonly runOf: RunSource;
  readonly startAfter: StartChoice;
  readonly from?: Beginning;
}

interface Beginning {
  readonly start: number;
  readonly startedMs: number;
  readonly entry: BackoffEntry | undefined;
  readonly previousFinishedMs: number | null;
}

/** Instants count from the first start unless `plan.from` sets another beginning. */
export interface SimulatedStart {
  /** Counts like the container's restartCount. */
  readonly start: number;
  readonly startedMs: number;
  readonly finishedMs: number;
  readonly run: SimulatedRun;
  readonly entry: BackoffEntry | undefined;
  /** Null if the kubelet does not restart the container, or restarts all containers of the pod. */
  readonly wait: Wait | null;
  readonly nextStartedMs: number | null;
  readonly crashLoopBackOff: { readonly fromMs: number; readonly toMs: number } | null;
}

const FIRST_START: Beginning = { start: 0, startedMs: 0, entry: undefined, previousFinishedMs: null };

/** Calls `visit` for each start until `visit` returns false or the container stays down. */
export function walk(plan: SimulationPlan, visit: (start: SimulatedStart) => boolean): void {
  const { policy, restart, runOf, startAfter } = plan;
  let { start, startedMs, entry, previousFinishedMs } = plan.from ?? FIRST_START;
  for (; ; start++) {
    const run = runOf(start);
    const finishedMs = startedMs + run.ranMs;
    const killedBySync = isKilledBySync(run.ending);
    const wait = waitAfter(entry, previousFinishedMs, { finishedAtMs: finishedMs, killedBySync }, policy);
    // If the container is in back-off when a sync kills it, a sync after the exit decides whether it restarts.
    const isDecidedByKill = killedBySync && wait.delayMs === 0;
    const decision = decideRestart(restart, run.exitCode, isDecidedByKill, policy.traits);
    const known = { start, startedMs, finishedMs, run, entry };
    if (decision === "restart") {
      const { startedMs: nextStartedMs, shownFromMs } = startAfter(wait, finishedMs, run.ending);
      const isShown = wait.delayMs > 0 && shownFromMs < wait.readyAtMs;
      const crashLoopBackOff = isShown ? { fromMs: shownFromMs, toMs: nextStartedMs } : null;
      if (!visit({ ...known, wait, nextStartedMs, crashLoopBackOff })) return;
      entry = entryAfterStart(entry, wait, nextStartedMs, policy);
      [previousFinishedMs, startedMs] = [finishedMs, nextStartedMs];
    } else {
      const nextStartedMs = decision === "restart-all" ? finishedMs + RESTART_ALL.usualMs : null;
      if (!visit({ ...known, wait: null, nextStartedMs, crashLoopBackOff: null }) || nextStartedMs === null) return;
      [entry, previousFinishedMs, startedMs] = [undefined, null, nextStartedMs];
    }
  }
}
