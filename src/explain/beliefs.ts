import type { BackoffEntry } from "../backoff/backoff.ts";
import { entryAfterStart, type Wait, waitAfter } from "../kubelet/do-backoff.ts";
import type { CrashLoopPolicy } from "../kubelet/policy.ts";
import { shareStartingAt } from "../kubelet/restart-window.ts";
import { longestLatenessMs } from "../kubelet/retry-rule.ts";
import type { ExitCause } from "./exit-cause.ts";
import { merged } from "./merged-beliefs.ts";
import { type Before, priorBeliefs } from "./prior-beliefs.ts";
import type { ForcedReset } from "./resets.ts";
import type { SeenRun } from "./runs.ts";

/** A run with what is known of its end; the input of the replay. */
export interface ReplayedRun extends SeenRun {
  readonly cause: ExitCause;
}

/** One possible state of the kubelet's memory about a container, and how well it explains what was seen. */
export interface Belief {
  /** The entry after the latest start; undefined: there is none. */
  readonly entry: BackoffEntry | undefined;
  /** The exit before the latest start. */
  readonly previousFinishedAtMs: number | null;
  readonly weight: number;
  /** The rules that led here, for the evidence. */
  readonly rules: readonly string[];
  /** The one before the latest start that it came from, where the replay is traced. */
  readonly before?: Belief;
}

/** How much rarer a reset is that nothing tells of than one that follows the rules. */
const UNSEEN_RESET = 1e-3;
/** A reset can make the kubelet start at any second of a wait. */
const ANY_SECOND = 1 / 300;
/** An exit is noticed within a second, its time truncated to one. */
const NOTICE_MS = 2_000;
/** Past the last look by this much a start is slow for reasons of its own. */
const SLOW_START_MS = 6_000;
/** Two truncated instants and the start's own time. */
const EARLY_SLACK_MS = 1_600;

/**
 * Replays the seen runs through the kubelet's rules, once for each state that its memory can have been in, and keeps the
 * states in proportion to how well they explain the observed gaps. Ends after the latest start. `isTraced`: each belief
 * says which one it came from.
 */
export function replay(
  runs: readonly ReplayedRun[],
  resets: readonly ForcedReset[],
  known: Before,
  isRestartedAll: boolean,
  policy: CrashLoopPolicy,
  isTraced = false,
): Replayed {
  const [first, ...rest] = runs;
  if (first === undefined) return { beliefs: [], fit: 1 };
  if (isRestartedAll && rest.length === 0) return { beliefs: [NO_EXITED_INSTANCE], fit: 1 };
  let { beliefs, fit } = priorBeliefs(first, known, policy);
  let before = first;
  for (const run of rest) {
    if (run.start > before.start + 1) {
      // Runs in between were not seen: begin anew rather than take them for one long gap.
      beliefs = priorBeliefs(run, NOTHING_KNOWN, policy).beliefs;
      before = run;
      continue;
    }
    const after = beliefs.flatMap((belief) => {
      const led = acrossGap(belief, before, run, resets, policy);
      return isTraced ? led.map((to) => ({ ...to, before: belief })) : led;
    });
    fit *= after.reduce((sum, { weight }) => sum + weight, 0);
    beliefs = normalise(merged(after));
    before = run;
  }
  return { beliefs, fit };
}

/** What a replay came to: the possible states, and how well the policy explains the gaps at all. */
export interface Replayed {
  readonly beliefs: readonly Belief[];
  /** A likelihood: only to be compared with that of another policy on the same runs. */
  readonly fit: number;
}

const NOTHING_KNOWN: Before = { starts: null, lifetime: null, areKubeletStartsSeen: false };

const NO_EXITED_INSTANCE: Belief = {
  entry: undefined,
  previousFinishedAtMs: null,
  weight: 1,
  rules: ["restart-all-leaves-no-entry"],
};

/** The waits that an exit can lead to, over all beliefs and both readings of a doubtful kill. */
export function possibleWaits(
  beliefs: readonly Belief[],
  run: ReplayedRun,
  resets: readonly ForcedReset[],
  policy: CrashLoopPolicy,
): { readonly wait: Wait; readonly belief: Belief; readonly weight: number }[] {
  const finishedAtMs = run.finishedAtMs ?? 0;
  const isForgotten = resets.some((reset) => reset.kind !== "image-change" && isDuring(reset, run));
  return beliefs.flatMap((belief) =>
    READINGS.map((killedBySync) => {
      const entry = isForgotten ? undefined : belief.entry;
      const wait = waitAfter(entry, belief.previousFinishedAtMs, { finishedAtMs, killedBySync }, policy);
      const share = killedBySync ? run.cause.killedBySync : 1 - run.cause.killedBySync;
      return { wait, belief: { ...belief, entry }, weight: belief.weight * share };
    }).filter(({ weight }) => weight > 0),
  );
}

const READINGS = [false, true] as const;

/** The beliefs under which the wait after `run` has the delay that the kubelet's message names; all, if none does. */
export function agreeingWith(
  delayMs: number,
  { beliefs, fit }: Replayed,
  run: ReplayedRun,
  resets: readonly ForcedReset[],
  policy: CrashLoopPolicy,
): Replayed {
  const agreeing = beliefs.filter((belief) =>
    possibleWaits([belief], run, resets, policy).some(({ wait }) => wait.delayMs === delayMs),
  );
  const share = agreeing.reduce((sum, { weight }) => sum + weight, 0);
  return share === 0 ? { beliefs, fit: fit * DISAGREEMENT } : { beliefs: normalise(agreeing), fit: fit * share };
}

/** A policy under which the kubelet cannot have written its own message is next to impossible. */
const DISAGREEMENT = 1e-9;

/** A reset belongs to the first start that follows it; its own time is that start's at the latest. */
export function isBeforeStart(reset: ForcedReset, from: SeenRun | null, to: SeenRun): boolean {
  return (from === null || startOf(from) < reset.atMs - RESET_SLACK_MS) && reset.atMs - RESET_SLACK_MS <= startOf(to);
}

function isDuring(reset: ForcedReset, run: SeenRun): boolean {
  return startOf(run) < reset.atMs - RESET_SLACK_MS && reset.atMs < (run.finishedAtMs ?? Number.POSITIVE_INFINITY);
}

/** The events of a start come up to this long after its startedAt. */
const RESET_SLACK_MS = 2_000;

/** When a run started; one that never did (StartError) is taken to start as it ends. */
export function startOf(run: SeenRun): number {
  return run.startedAtMs ?? run.finishedAtMs ?? 0;
}

function acrossGap(
  belief: Belief,
  from: ReplayedRun,
  to: SeenRun,
  resets: readonly ForcedReset[],
  policy: CrashLoopPolicy,
): Belief[] {
  const startedAtMs = startOf(to);
  const finishedAtMs = from.finishedAtMs ?? startedAtMs;
  const told = resets.find((reset) => isBeforeStart(reset, from, to) && !isDuring(reset, from));
  const anew: Belief = {
    entry: { delayMs: policy.initialMs, lastUpdateMs: startedAtMs },
    previousFinishedAtMs: finishedAtMs,
    weight: belief.weight * (told === undefined ? UNSEEN_RESET * ANY_SECOND : ANY_SECOND),
    rules: [told === undefined ? "gap-fits-no-delay" : told.kind],
  };
  const regular = possibleWaits([belief], from, resets, policy).map(({ wait, belief: held, weight }): Belief => {
    const fit = fitOfGap(wait, finishedAtMs, startedAtMs, policy) * (told === undefined ? 1 : UNSEEN_RESET);
    const entry = entryAfterStart(held.entry, wait, startedAtMs, policy);
    const rule = wait.droppedAtMs === null ? "gap-tells-the-delay" : "entry-dropped-during-the-wait";
    return { entry, previousFinishedAtMs: finishedAtMs, weight: weight * fit, rules: [...held.rules, rule] };
  });
  return [anew, ...regular];
}

/**
 * How well the wait explains a start at `startedAtMs`, by the retry rule's own distribution. Never nothing: nodes can be
 * slow, and the slower the rarer.
 */
function fitOfGap(wait: Wait, finishedAtMs: number, startedAtMs: number, policy: CrashLoopPolicy): number {
  const lateMs = startedAtMs - wait.readyAtMs;
  if (lateMs < -EARLY_SLACK_MS) return 1e-9;
  const { readyAtMs, plannedAtMs } = wait;
  const latestMs = plannedAtMs + longestLatenessMs(policy.retry, plannedAtMs - finishedAtMs) + SLOW_START_MS;
  const slow = 1e-3 * Math.exp(-lateMs / 60_000) + 1e-9;
  if (startedAtMs > latestMs) return slow;
  const looks = { siblingsPlannedAtMs: [], lookedAtMs: finishedAtMs, spreadMs: NOTICE_MS, noLookUntilMs: null };
  const share = shareStartingAt({ readyAtMs, plannedAtMs, ...looks }, policy.retry, startedAtMs);
  return share + slow;
}

/** Scales the weights to a sum of 1, and drops what explains next to nothing. */
export function normalise(beliefs: readonly Belief[]): Belief[] {
  const total = beliefs.reduce((sum, belief) => sum + belief.weight, 0);
  return beliefs
    .map((belief) => ({ ...belief, weight: belief.weight / total }))
    .filter((belief) => belief.weight > 1e-9)
    .sort((a, b) => b.weight - a.weight);
}
