import type { BackoffEntry } from "../../backoff/backoff.ts";
import type { Wait } from "../../kubelet/do-backoff.ts";
import type { KnownSyncs } from "../../kubelet/retry-rule.ts";
import type { Cause, PolicyExplanation, State } from "../answer/explanation.ts";
import type { ForcedReset } from "../history/resets.ts";

/** What fired when a pod was explained: for whoever looks for the reason of a wrong prediction. */
export interface PodTrace {
  readonly namespace: string;
  readonly name: string;
  /** How far the node's clock is ahead of the API server's, in milliseconds. */
  readonly skewMs: number;
  readonly policy: PolicyExplanation;
  /** The curves that may be in force instead, with their shares; empty where the policy is known. */
  readonly rivals: readonly { readonly initialMs: number; readonly maxMs: number; readonly share: number }[];
  readonly containers: readonly ContainerTrace[];
}

/** What fired for one container. */
export interface ContainerTrace {
  readonly name: string;
  readonly state: State;
  readonly restartCount: number;
  /** How many of its instances were seen. */
  readonly seenRuns: number;
  /** What the replay began with, at the oldest run that it could follow; null without any run. */
  readonly beginning: TracedBeginning | null;
  /** The exits since, oldest first, as the likeliest belief has them; the last one may still be waited for. */
  readonly exits: readonly TracedExit[];
  readonly resets: readonly ForcedReset[];
  /** The delays that the entry may have now, likeliest first. */
  readonly beliefs: readonly { readonly delayMs: number; readonly share: number; readonly rules: readonly string[] }[];
  readonly wait: TracedWait | null;
}

/** The entry that the replay took for granted. */
interface TracedBeginning {
  /** The restartCount of that run. */
  readonly start: number;
  readonly entry: BackoffEntry | undefined;
  readonly rules: readonly string[];
}

/** An exit and what the kubelet made of it, as far as the replay believes. */
export interface TracedExit {
  /** The restartCount of the run that ended. */
  readonly start: number;
  readonly finishedAtMs: number | null;
  readonly exitCode: number | null;
  readonly cause: Cause;
  readonly causeBasis: "observed" | "inferred";
  /** delayed: by the entry's delay; dropped: the entry went during the wait; forgotten: something else emptied it; free: none. */
  readonly wait: "delayed" | "dropped" | "forgotten" | "free";
  /** In milliseconds; null where the rules give none. */
  readonly delayMs: number | null;
  /** The rule, in kebab-case. */
  readonly because: string;
  /** What the next start made of the entry; pending: there was none yet. */
  readonly entry: "initial" | "doubled" | "held-at-max" | "kept" | "none" | "pending";
  readonly entryDelayMs: number | null;
  /** When the next instance was seen to start; null while it is waited for. */
  readonly nextStartedAtMs: number | null;
}

/** The present wait, and what the window of the next start is made of. */
export interface TracedWait {
  readonly wait: Wait;
  readonly basis: "observed" | "inferred";
  readonly share: number;
  readonly others: readonly { readonly delayMs: number; readonly share: number }[];
  readonly rules: readonly string[];
  readonly syncs: KnownSyncs;
  readonly siblingsPlannedAtMs: readonly number[];
  /** What the syncs alone allow; what shorter delays take away. */
  readonly confidence: { readonly ofSyncs: number; readonly shorterDelays: number };
}
