import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import type { ContainerExplanation, NextExit, Reset } from "../answer/explanation.ts";

import { likeliestEntry } from "../replay/beliefs.ts";
import type { ContainerFacts } from "../replay/facts.ts";
import { nextExits } from "./next-exit.ts";
import type { JudgedWait, PodContext } from "./pod-context.ts";

/** A delay and how it is known. */
export type Delay = Pick<ContainerExplanation, "delayMs" | "delayBasis">;

/** The delay of the present wait while down; while running, what follows the likely way to end. */
export function delayOf({ facts, state, wait }: JudgedWait, ifItExits: readonly NextExit[] | null): Delay {
  if (state === "backing-off" || state === "restarting") {
    if (facts.decision === "restart-all") return { delayMs: 0, delayBasis: "inferred" };
    if (wait !== null) return { delayMs: wait.wait.delayMs, delayBasis: wait.basis };
    return { delayMs: facts.messageDelayMs, delayBasis: facts.messageDelayMs === null ? null : "observed" };
  }
  if (ifItExits?.[0] !== undefined) return { delayMs: ifItExits[0].delayMs, delayBasis: "inferred" };
  if (state === "starting" && facts.lastExit === null) return { delayMs: 0, delayBasis: "inferred" };
  return UNKNOWN_DELAY;
}

/** It is not known, or does not matter any more. */
export const UNKNOWN_DELAY: Delay = { delayMs: null, delayBasis: null };
const NO_ENTRY = { delayMs: 0, lastUpdateMs: null };

/** The waits that the exits to come lead to, while it runs and restarts after them. */
export function ifItExitsOf({ facts, state }: JudgedWait, { observed, policy, atMs }: PodContext): NextExit[] | null {
  if (state !== "running" || facts.restartingExits === "none") return null;
  const entry = runningEntry(facts, policy, atMs);
  return nextExits(facts, observed, entry?.delayMs ?? null, policy, atMs);
}

/** The entry of a running container, as it stands now: gone once it has outlived itself. Null if nothing is known. */
function runningEntry(facts: ContainerFacts, policy: CrashLoopPolicy, atMs: number) {
  const run = facts.runs.at(-1);
  if (run === undefined) return facts.status?.restartCount === 0 ? NO_ENTRY : null;
  const likeliest = likeliestEntry(facts.beliefs);
  if (likeliest === null) return null;
  const { entry } = likeliest;
  if (entry === undefined || run.isForgotten || atMs - entry.lastUpdateMs > policy.resetAfterMs) return NO_ENTRY;
  return entry;
}

/** When the entry goes; null where there is none, or where the wait ends first. */
export function resetOf({ facts, state, wait }: JudgedWait, policy: CrashLoopPolicy, atMs: number): Reset | null {
  if (state === "backing-off" && wait !== null && wait.wait.droppedAtMs !== null) {
    return { atMs: wait.wait.droppedAtMs, how: "during-the-wait" };
  }
  if (state !== "running" || facts.restartingExits === "none") return null;
  const entry = runningEntry(facts, policy, atMs);
  if (entry === null || entry.lastUpdateMs === null) return null;
  return { atMs: entry.lastUpdateMs + policy.resetAfterMs, how: "if-it-keeps-running" };
}
