import type { BackoffEntry } from "../../backoff/backoff.ts";
import type { CrashLoopPolicy } from "../../kubelet/crash-loop-policy.ts";
import { liveAt } from "../../kubelet/do-backoff.ts";
import { likeliestEntry } from "../replay/beliefs.ts";
import type { ReplayedContainer } from "../replay/replayed-container.ts";

export interface RunningEntry extends Pick<BackoffEntry, "delayMs"> {
  /** Null if there is no back-off. */
  readonly lastUpdateMs: number | null;
}

export const NO_ENTRY: RunningEntry = { delayMs: 0, lastUpdateMs: null };

/** Returns the likeliest back-off of a running container, `NO_ENTRY` if that has expired; null if nothing is known. */
export function runningEntry(facts: ReplayedContainer, policy: CrashLoopPolicy, atMs: number): RunningEntry | null {
  const run = facts.runs.at(-1);
  if (run === undefined) return facts.status?.restartCount === 0 ? NO_ENTRY : null;
  const likeliest = likeliestEntry(facts.beliefs);
  if (likeliest === null) return null;
  return (run.isForgotten ? undefined : liveAt(likeliest.entry, atMs, policy)) ?? NO_ENTRY;
}
