import type { BackoffEntry } from "../backoff/backoff.ts";
import { entryAfterStart, type Wait, waitAfter } from "../kubelet/do-backoff.ts";
import type { CrashLoopPolicy } from "../kubelet/policy.ts";
import { decideRestart, RESTART_ALL, type RestartSpec } from "../kubelet/restart-policy.ts";
import { isKilledBySync, type RunSource, type SimulatedRun } from "./simulated-run.ts";
import type { StartChoice } from "./start-choice.ts";

/** What is simulated: a container, and the kubelet that restarts it. */
export interface SimulationPlan {
  readonly policy: CrashLoopPolicy;
  readonly restart: RestartSpec;
  readonly runOf: RunSource;
  readonly startAfter: StartChoice;
  /** Where to begin; left out: the first start of a new container, at 0. */
  readonly from?: Beginning;
}

/** A start, and what the kubelet remembers of the container at that moment. */
export interface Beginning {
  readonly start: number;
  readonly startedMs: number;
  readonly entry: BackoffEntry | undefined;
  readonly previousFinishedMs: number | null;
}

/** One start with its run, and what came of its exit. Instants are in milliseconds from the first start (or the plan's own origin). */
export interface SimulatedStart {
  /** The restartCount of this run: 0 is the first. */
  readonly start: number;
  readonly startedMs: number;
  readonly finishedMs: number;
  readonly run: SimulatedRun;
  /** The back-off entry while it ran. */
  readonly entry: BackoffEntry | undefined;
  /** The wait after it; null: it does not restart, or all containers do. */
  readonly wait: Wait | null;
  /** When the next one starts; null: never. */
  readonly nextStartedMs: number | null;
  /** While the status says CrashLoopBackOff; null: at no time after this run. */
  readonly crashLoopBackOff: { readonly fromMs: number; readonly toMs: number } | null;
}

const FIRST_START: Beginning = { start: 0, startedMs: 0, entry: undefined, previousFinishedMs: null };

/**
 * Lets a container start, run, exit and wait, over and over, under the rules that explain live pods. Calls `visit` for each
 * start in turn, and ends when that returns false or nothing restarts any more: the caller bounds what may be endless.
 */
export function walk(plan: SimulationPlan, visit: (start: SimulatedStart) => boolean): void {
  const { policy, restart, runOf, startAfter } = plan;
  let { start, startedMs, entry, previousFinishedMs } = plan.from ?? FIRST_START;
  for (; ; start++) {
    const run = runOf(start);
    const finishedMs = startedMs + run.ranMs;
    const killedBySync = isKilledBySync(run.ending);
    const decision = decideRestart(restart, run.exitCode, killedBySync, policy.traits);
    const known = { start, startedMs, finishedMs, run, entry };
    if (decision === "restart") {
      const wait = waitAfter(entry, previousFinishedMs, { finishedAtMs: finishedMs, killedBySync }, policy);
      const { startedMs: nextStartedMs, shownFromMs } = startAfter(wait, finishedMs, run.ending);
      const isShown = wait.delayMs > 0 && shownFromMs < wait.readyAtMs;
      const crashLoopBackOff = isShown ? { fromMs: shownFromMs, toMs: nextStartedMs } : null;
      if (!visit({ ...known, wait, nextStartedMs, crashLoopBackOff })) return;
      entry = entryAfterStart(entry, wait, nextStartedMs, policy);
      previousFinishedMs = finishedMs;
      startedMs = nextStartedMs;
      continue;
    }
    const nextStartedMs = decision === "restart-all" ? finishedMs + RESTART_ALL.usualMs : null;
    if (!visit({ ...known, wait: null, nextStartedMs, crashLoopBackOff: null }) || nextStartedMs === null) return;
    [entry, previousFinishedMs, startedMs] = [undefined, null, nextStartedMs];
  }
}
