import type { BackoffEntry } from "../../backoff/backoff.ts";
import { entryAfterStart, type Wait } from "../../kubelet/do-backoff.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import type { KnownSyncs } from "../../kubelet/retry-rule.ts";
import type { Cause, PolicyExplanation, State } from "../answer/explanation.ts";
import type { PastRun } from "../history/container-history.ts";
import type { ForcedReset } from "../history/resets.ts";
import { startOf } from "../history/runs.ts";
import { judgePod } from "../judged-pod.ts";
import type { Now, PodObservation } from "../observed/observation.ts";
import type { JudgedWait, PodContext } from "../prediction/pod-context.ts";
import { CONFIDENCE, isLeftOpen, knownSyncs, shareOfShorterDelays } from "../prediction/start-window.ts";
import { type Belief, possibleWaits } from "../replay/beliefs.ts";
import type { CurrentWait } from "../replay/current-wait.ts";
import type { ContainerFacts } from "../replay/facts.ts";
import type { PolicyOverrides } from "../replay/policy.ts";

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

/** The entry that the replay took for granted at the run with that restartCount. */
interface TracedBeginning {
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
  /** Null where the rules give none. */
  readonly delayMs: number | null;
  /** The rule. */
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

/** What fired when this pod was explained. The same steps as the explanation, and nothing that it does not do. */
export function traceOf(observed: PodObservation, options: PolicyOverrides, now: Now): PodTrace {
  const { skewMs, explained, context, judged } = judgePod(observed, options, now);
  const rivals = context.rivals.map(({ policy: { initialMs, maxMs }, share }) => ({ initialMs, maxMs, share }));
  const containers = judged.map((container): ContainerTrace => {
    const { facts, state, wait } = container;
    const belief = beliefInForce(container, context.policy);
    return {
      name: facts.spec.name,
      state,
      restartCount: facts.status?.restartCount ?? 0,
      seenRuns: facts.runs.length,
      ...tracedExits(facts, belief, wait, context.policy),
      resets: facts.resets,
      beliefs: byDelay(facts.beliefs),
      wait: wait === null ? null : tracedWait(container, judged, context),
    };
  });
  const { namespace, name } = observed.pod;
  return { namespace, name, skewMs, policy: explained, rivals, containers };
}

/** The belief that the present delay rests on, else the heaviest one. */
function beliefInForce({ facts, wait }: JudgedWait, policy: CrashLoopPolicy): Belief | undefined {
  const { beliefs, runs } = facts;
  const run = runs.at(-1);
  if (wait === null || run === undefined || run.finishedAtMs === null) return beliefs[0];
  const [best] = possibleWaits(beliefs, run, policy)
    .filter((candidate) => candidate.wait.delayMs === wait.wait.delayMs)
    .sort((a, b) => b.weight - a.weight);
  const { rules, before } = best?.belief ?? {};
  return beliefs.find((belief) => belief.rules === rules && belief.before === before) ?? beliefs[0];
}

function byDelay(beliefs: readonly Belief[]): ContainerTrace["beliefs"] {
  const groups = Map.groupBy(beliefs, ({ entry }) => entry?.delayMs ?? 0);
  return [...groups]
    .map(([delayMs, group]) => ({
      delayMs,
      share: group.reduce((sum, { weight }) => sum + weight, 0),
      rules: group[0]?.rules ?? [],
    }))
    .sort((a, b) => b.share - a.share);
}

function tracedWait(container: JudgedWait, judged: readonly JudgedWait[], context: PodContext): TracedWait | null {
  const { facts, wait } = container;
  if (wait === null) return null;
  const siblings = judged.filter((other) => other !== container);
  const { siblingsPlannedAtMs, ...syncs } = knownSyncs(facts, wait.finishedAtMs, siblings, context);
  return {
    wait: wait.wait,
    basis: wait.basis,
    share: wait.share,
    others: wait.others.map(({ wait: { delayMs }, share }) => ({ delayMs, share })),
    rules: wait.rules,
    syncs,
    siblingsPlannedAtMs,
    confidence: { ofSyncs: CONFIDENCE, shorterDelays: isLeftOpen(wait) ? 0 : shareOfShorterDelays(wait) },
  };
}

function tracedExits(
  { runs }: ContainerFacts,
  belief: Belief | undefined,
  wait: CurrentWait | null,
  policy: CrashLoopPolicy,
): Pick<ContainerTrace, "beginning" | "exits"> {
  const way = wayTo(belief);
  const [root] = way;
  const firstRun = runs[runs.length - way.length];
  if (root === undefined || firstRun === undefined) return { beginning: null, exits: [] };
  const followed = runs.slice(runs.length - way.length);
  const exits = followed.flatMap((run, index): TracedExit[] => {
    const [before, after, next] = [way[index], way[index + 1], followed[index + 1]];
    if (before === undefined) return [];
    if (after === undefined || next === undefined) return wait === null ? [] : [waitedFor(run, before, wait, policy)];
    return [exitBetween(run, next, before, after, policy)];
  });
  return { beginning: { start: firstRun.start, entry: root.entry, rules: root.rules }, exits };
}

/** The beliefs that a traced one came from, oldest first, and itself. */
function wayTo(belief: Belief | undefined): Belief[] {
  const way: Belief[] = [];
  for (let at = belief; at !== undefined; at = at.before) way.unshift(at);
  return way;
}

const REGULAR: readonly (string | undefined)[] = ["gap-tells-the-delay", "entry-dropped-during-the-wait"];

function exitBetween(run: PastRun, next: PastRun, before: Belief, after: Belief, policy: CrashLoopPolicy): TracedExit {
  const rule = after.rules.at(-1);
  const known = { ...factsOfExit(run), nextStartedAtMs: startOf(next), entryDelayMs: after.entry?.delayMs ?? null };
  if (rule === "restart-all-skips-the-wait" || rule === "suspected-restart-all")
    return { ...known, wait: "free", delayMs: null, because: rule, entry: after.entry === undefined ? "none" : "kept" };
  if (!REGULAR.includes(rule))
    return { ...known, wait: "forgotten", delayMs: null, because: rule ?? "unknown", entry: "initial" };
  const led = possibleWaits([before], run, policy)
    .map(({ wait, belief, weight }) => ({ wait, held: belief.entry, weight }))
    .filter(({ wait, held }) => {
      const entry = entryAfterStart(held, wait, startOf(next), policy);
      return entry?.delayMs === after.entry?.delayMs && entry?.lastUpdateMs === after.entry?.lastUpdateMs;
    })
    .sort((a, b) => b.weight - a.weight)[0];
  if (led === undefined) return { ...known, wait: "free", delayMs: null, because: "unknown", entry: "none" };
  return { ...known, ...waitIn(led.wait, led.held, run), entry: stepOf(led.wait, led.held, after.entry, policy) };
}

/** The wait that is not over: nothing has been made of the entry yet. */
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
