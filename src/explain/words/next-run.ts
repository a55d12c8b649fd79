import type { ContainerExplanation } from "../answer/explanation.ts";
import { exitsAfterNextStart } from "../prediction/next-exit.ts";
import type { Prediction } from "../prediction/prediction.ts";
import type { CurrentWait } from "../replay/current-wait.ts";
import { AFTER_A_KILL, consequence } from "./why-running.ts";

/** Returns how the next run of a container that is down can end: kills by its probe, and its own exit. */
export function endsOfNextRun({ facts, observed, policy }: Prediction, wait: CurrentWait) {
  const exits = exitsAfterNextStart(facts, wait, observed.pod.gracePeriodMs, policy);
  const kills = exits.filter(({ how }) => how === "killed-by-probe");
  return { kills, ownMs: exits.find(({ how }) => how === "exits")?.delayMs ?? 0 };
}

/**
 * Returns what the kubelet does after a kill and after an exit by itself in the next run; null if it does the same
 * after both, or if the back-off resets before that run.
 */
function consequences(found: Prediction): { readonly ofKill: string; readonly ofExit: string } | null {
  const { wait, state } = found;
  if (state !== "backing-off" || wait === null || wait.likeliest.droppedAtMs !== null) return null;
  const { kills, ownMs } = endsOfNextRun(found, wait);
  if (!kills.some(({ delayMs }) => delayMs !== ownMs)) return null;
  return { ofKill: kills.map(consequence).join(" or "), ofExit: consequence({ delayMs: ownMs }) };
}

export function waysAfterNextRun(found: Prediction): ContainerExplanation["ways"] {
  const after = consequences(found);
  if (after === null) return undefined;
  return {
    afterKill: `after another kill by its probe, ${after.ofKill}, because the kubelet counts that wait from the present exit.`,
    afterExit: `after an exit by itself, ${after.ofExit}.`,
  };
}

/**
 * Returns a sentence about both ways in which the next run can end; "" if the kubelet does the same after both, or if
 * the back-off resets before that run.
 */
export function afterNextRun(found: Prediction): string {
  const after = consequences(found);
  if (after === null) return "";
  return `After its next run, if its probe kills it again, ${after.ofKill}; if it exits by itself, ${after.ofExit}.`;
}

export function afterKills(found: Prediction): string {
  const { wait } = found;
  if (wait === null || wait.likeliest.droppedAtMs !== null) return "";
  return endsOfNextRun(found, wait).kills.length > 0 ? AFTER_A_KILL : "";
}
