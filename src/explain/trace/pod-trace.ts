import type { BackoffEntry } from "../../backoff/backoff.ts";
import type { Wait } from "../../kubelet/do-backoff.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import type { LastExit, PolicyExplanation, Run, State } from "../answer/explanation.ts";
import type { PastRun } from "../history/container-history.ts";
import type { ForcedReset } from "../history/resets.ts";
import { startOf } from "../history/runs.ts";
import { judgePod } from "../judged-pod.ts";
import type { Now, PodObservation } from "../observed/observation.ts";
import type { JudgedWait, PodContext } from "../prediction/pod-context.ts";
import { CONFIDENCE, isLeftOpen, knownSyncs, shareOfShorterDelays } from "../prediction/start-window.ts";
import { type Belief, beliefsByDelay, byShare, possibleWaits } from "../replay/beliefs.ts";
import type { CurrentWait } from "../replay/current-wait.ts";
import type { ContainerFacts } from "../replay/facts.ts";
import type { PolicyOverrides } from "../replay/policy.ts";

/** The rules that led to the explanation of a pod, for `--debug`. */
export interface PodTrace {
  readonly namespace: string;
  readonly name: string;
  /** How far the node's clock is ahead of the API server's, in milliseconds. */
  readonly skewMs: number;
  readonly policy: PolicyExplanation;
  /** The other policies that the node may use, with their probabilities; empty if the policy is known. */
  readonly rivals: readonly { readonly initialMs: number; readonly maxMs: number; readonly share: number }[];
  readonly containers: readonly ContainerTrace[];
}

export interface ContainerTrace {
  readonly name: string;
  readonly state: State;
  readonly restartCount: number;
  readonly seenRuns: number;
  /** The assumed back-off record at the replay's first run, whose restartCount is `start`; null if there is no run. */
  readonly beginning: (Pick<Belief, "entry" | "rules"> & { readonly start: number }) | null;
  /** The exits since the first run of the replay, oldest first. The wait after the last exit may not be over. */
  readonly exits: readonly TracedExit[];
  readonly resets: readonly ForcedReset[];
  /** The possible delays after the latest start, likeliest first; 0 if the kubelet has no back-off record. */
  readonly beliefs: readonly { readonly delayMs: number; readonly share: number; readonly rules: readonly string[] }[];
  readonly wait: TracedWait | null;
}

/** An exit, and the wait and the back-off record after it, as inferred. `start` is the run's restartCount. */
export interface TracedExit
  extends Pick<Run, "start" | "finishedAtMs" | "exitCode">,
    Pick<LastExit, "cause" | "causeBasis"> {
  /** `dropped`: the back-off record expired in the wait. `forgotten`: a reset removed it. `free`: no delay. */
  readonly wait: "delayed" | "dropped" | "forgotten" | "free";
  readonly delayMs: number | null;
  readonly because: string;
  /** How the next start changed the back-off record; `pending` until the next start. */
  readonly entry: "initial" | "doubled" | "held-at-max" | "kept" | "none" | "pending";
  readonly entryDelayMs: number | null;
  readonly nextStartedAtMs: number | null;
}

export type TracedWait = NonNullable<ReturnType<typeof tracedWait>>;

export function traceOf(observed: PodObservation, options: PolicyOverrides, now: Now): PodTrace {
  const { skewMs, explained, context } = judgePod(observed, options, now);
  const rivals = context.rivals.map(({ policy: { initialMs, maxMs }, share }) => ({ initialMs, maxMs, share }));
  const containers = context.judged.map((container): ContainerTrace => {
    const { facts, state, wait } = container;
    const belief = beliefInForce(container, context.policy);
    return {
      name: facts.spec.name,
      state,
      restartCount: facts.status?.restartCount ?? 0,
      seenRuns: facts.runs.length,
      ...tracedExits(facts, belief, wait, context.policy),
      resets: facts.resets,
      beliefs: beliefsByDelay(facts.beliefs).map(({ entry, share, rules }) => {
        return { delayMs: entry?.delayMs ?? 0, share, rules };
      }),
      wait: tracedWait(container, context),
    };
  });
  const { namespace, name } = observed.pod;
  return { namespace, name, skewMs, policy: explained, rivals, containers };
}

/** Returns the belief that leads to the present delay, or the likeliest belief if none does. */
function beliefInForce({ facts, wait }: JudgedWait, policy: CrashLoopPolicy): Belief | undefined {
  const { beliefs, runs } = facts;
  const run = runs.at(-1);
  if (wait === null || run === undefined || run.finishedAtMs === null) return beliefs[0];
  const [best] = possibleWaits(beliefs, run, policy)
    .filter((candidate) => candidate.wait.delayMs === wait.wait.delayMs)
    .sort(byShare);
  const { rules, before } = best?.belief ?? {};
  return beliefs.find((belief) => belief.rules === rules && belief.before === before) ?? beliefs[0];
}

function tracedWait(container: JudgedWait, context: PodContext) {
  const { wait } = container;
  if (wait === null) return null;
  const { siblingsPlannedAtMs, ...syncs } = knownSyncs(container, wait.finishedAtMs, context);
  return {
    ...wait,
    others: wait.others.map(({ wait: { delayMs }, share }) => ({ delayMs, share })),
    syncs,
    siblingsPlannedAtMs,
    /** The confidence by the kubelet's syncs alone, and the share of it that possible shorter delays take away. */
    confidence: { ofSyncs: CONFIDENCE, shorterDelays: isLeftOpen(wait) ? 0 : shareOfShorterDelays(wait) },
  };
}

function tracedExits(
  { runs }: ContainerFacts,
  belief: Belief | undefined,
  wait: CurrentWait | null,
  policy: CrashLoopPolicy,
): Pick<ContainerTrace, "beginning" | "exits"> {
  // All beliefs that led to `belief`, oldest first, and `belief` itself: one for each of the newest runs.
  const way: Belief[] = [];
  for (let at = belief; at !== undefined; at = at.before) way.unshift(at);
  const followed = runs.slice(runs.length - way.length);
  const [root] = way;
  const [first] = followed;
  if (root === undefined || first === undefined) return { beginning: null, exits: [] };
  const exits = followed.flatMap((run, index): TracedExit[] => {
    const [before, after, next] = [way[index], way[index + 1], followed[index + 1]];
    if (before === undefined) return [];
    if (after === undefined || next === undefined) return wait === null ? [] : [waitedFor(run, before, wait, policy)];
    return [exitBetween(run, next, after, policy)];
  });
  return { beginning: { start: first.start, entry: root.entry, rules: root.rules }, exits };
}

function exitBetween(
  run: PastRun,
  next: PastRun,
  { entry, rules, after }: Belief,
  policy: CrashLoopPolicy,
): TracedExit {
  const because = rules.at(-1) ?? "unknown";
  const known = { ...factsOfExit(run), nextStartedAtMs: startOf(next), entryDelayMs: entry?.delayMs ?? null };
  if (because === "restart-all-skips-the-wait" || because === "suspected-restart-all")
    return { ...known, wait: "free", delayMs: null, because, entry: entry === undefined ? "none" : "kept" };
  if (after === undefined) return { ...known, wait: "forgotten", delayMs: null, because, entry: "initial" };
  return { ...known, ...waitIn(after.wait, after.entry, run), entry: stepOf(after.wait, after.entry, entry, policy) };
}

/** Traces the last exit. Its wait is not over, so the kubelet has not updated the back-off record yet. */
function waitedFor(run: PastRun, before: Belief, current: CurrentWait, policy: CrashLoopPolicy): TracedExit {
  const { wait, rules } = current;
  const known = { ...factsOfExit(run), nextStartedAtMs: null, entry: "pending" as const, entryDelayMs: null };
  const forgotten = rules.find((rule) => FORGETTING.includes(rule));
  if (forgotten !== undefined && wait.countedFromMs !== run.finishedAtMs)
    return { ...known, wait: "forgotten", delayMs: wait.delayMs, because: forgotten };
  const held = before.entry ?? (wait.delayMs > 0 ? { delayMs: wait.delayMs, lastUpdateMs: 0 } : undefined);
  const isBeyond = held !== undefined && held.delayMs > policy.maxMs;
  return { ...known, ...waitIn(wait, held, run), ...(isBeyond && { because: "delay-beyond-the-curve" }) };
}

const FORGETTING: readonly string[] = ["kubelet-restart", "events-anew", "image-change", "node-stop"];

function factsOfExit({ start, finishedAtMs, exit, cause }: PastRun) {
  const exitCode = exit?.exitCode ?? null;
  return { start, finishedAtMs, exitCode, cause: cause.cause, causeBasis: cause.basis };
}

type Waited = Pick<TracedExit, "wait" | "delayMs" | "because">;

function waitIn(wait: Wait, held: BackoffEntry | undefined, run: PastRun): Waited {
  const { delayMs } = wait;
  if (wait.leavesEntry) return { wait: "free", delayMs, because: "killed-with-no-exited-instance" };
  if (wait.droppedAtMs !== null) return { wait: "dropped", delayMs, because: "entry-outlived-itself-during-the-wait" };
  if (delayMs > 0) return { wait: "delayed", delayMs, because: "entry-in-force" };
  if (wait.countedFromMs !== run.finishedAtMs)
    return { wait: "free", delayMs, because: "kill-counts-from-exit-before" };
  return { wait: "free", delayMs, because: held === undefined ? "no-entry" : "entry-expired-while-it-ran" };
}

function stepOf(
  wait: Wait,
  held: BackoffEntry | undefined,
  after: BackoffEntry | undefined,
  { initialMs, maxMs }: CrashLoopPolicy,
): TracedExit["entry"] {
  if (after === undefined) return "none";
  if (wait.leavesEntry) return "kept";
  if (held === undefined) return "initial";
  if (after.delayMs === held.delayMs && held.delayMs === maxMs) return "held-at-max";
  if (after.delayMs > held.delayMs) return "doubled";
  return after.delayMs === initialMs ? "initial" : "kept";
}
