import type { BackoffEntry } from "../../backoff/backoff.ts";
import { entryAfterStart, type Wait } from "../../kubelet/do-backoff.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import type { PastRun } from "../history/container-history.ts";
import { startOf } from "../history/runs.ts";
import { judgePod } from "../judged-pod.ts";
import type { Now, PodObservation } from "../observed/observation.ts";
import { syncsOf } from "../prediction/next-restart.ts";
import type { JudgedWait, PodContext } from "../prediction/pod-context.ts";
import { CONFIDENCE, isLeftOpen, shareOfShorterDelays } from "../prediction/start-window.ts";
import { type Belief, type PossibleWait, possibleWaits } from "../replay/beliefs.ts";
import type { CurrentWait } from "../replay/current-wait.ts";
import { type ContainerFacts, factsOf } from "../replay/facts.ts";
import type { PolicyOverrides } from "../replay/policy.ts";
import type { ContainerTrace, PodTrace, TracedExit, TracedWait } from "./pod-trace.ts";

/** What fired when this pod was explained. The same steps as the explanation, and nothing that it does not do. */
export function traceOf(observed: PodObservation, options: PolicyOverrides, now: Now): PodTrace {
  const { skewMs, explained, context, judged } = judgePod(observed, options, now);
  const rivals = context.rivals.map(({ policy: { initialMs, maxMs }, share }) => ({ initialMs, maxMs, share }));
  const { namespace, name } = observed.pod;
  const containers = judged.map((container): ContainerTrace => {
    const { facts, state, wait } = container;
    const traced = factsOf(facts.spec, observed, context.policy, true);
    const belief = likeliest(traced.beliefs, container, context.policy);
    return {
      name: facts.spec.name,
      state,
      restartCount: facts.status?.restartCount ?? 0,
      seenRuns: facts.runs.length,
      ...tracedExits(traced, belief, wait, context.policy),
      resets: facts.resets,
      beliefs: byDelay(facts.beliefs),
      wait: wait === null ? null : tracedWait(container, judged, context),
    };
  });
  return { namespace, name, skewMs, policy: explained, rivals, containers };
}

/** The belief that the present delay rests on, else the heaviest one. */
function likeliest(
  beliefs: readonly Belief[],
  { facts, wait }: JudgedWait,
  policy: CrashLoopPolicy,
): Belief | undefined {
  const run = facts.runs.at(-1);
  if (wait === null || run === undefined || run.finishedAtMs === null) return beliefs[0];
  const agreeing = possibleWaits(beliefs, run, facts.resets, policy)
    .filter((candidate) => candidate.wait.delayMs === wait.wait.delayMs)
    .sort((a, b) => b.weight - a.weight);
  const best = agreeing[0]?.belief;
  return beliefs.find(({ rules, before }) => rules === best?.rules && before === best.before) ?? beliefs[0];
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
  return {
    wait: wait.wait,
    basis: wait.basis,
    share: wait.share,
    others: wait.others.map(({ wait: { delayMs }, share }) => ({ delayMs, share })),
    rules: wait.rules,
    ...syncsOf(facts, wait, siblings, context),
    confidence: { ofSyncs: CONFIDENCE, shorterDelays: isLeftOpen(wait) ? 0 : shareOfShorterDelays(wait) },
  };
}

/** The way that a traced belief has come, and the exit after it, which is waited for. */
function tracedExits(
  { runs, resets }: ContainerFacts,
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
    return [exitBetween(run, next, before, after, (found) => possibleWaits([found], run, resets, policy), policy)];
  });
  return { beginning: { start: firstRun.start, entry: root.entry, rules: root.rules }, exits };
}

function wayTo(belief: Belief | undefined): Belief[] {
  const way: Belief[] = [];
  for (let at = belief; at !== undefined; at = at.before) way.unshift(at);
  return way;
}

const REGULAR: readonly (string | undefined)[] = ["gap-tells-the-delay", "entry-dropped-during-the-wait"];

function exitBetween(
  run: PastRun,
  next: PastRun,
  before: Belief,
  after: Belief,
  waitsFrom: (belief: Belief) => PossibleWait[],
  policy: CrashLoopPolicy,
): TracedExit {
  const rule = after.rules.at(-1);
  const known = { ...factsOfExit(run), nextStartedAtMs: startOf(next), entryDelayMs: after.entry?.delayMs ?? null };
  if (rule === "restart-all-skips-the-wait" || rule === "suspected-restart-all")
    return { ...known, wait: "free", delayMs: null, because: rule, entry: after.entry === undefined ? "none" : "kept" };
  if (!REGULAR.includes(rule))
    return { ...known, wait: "forgotten", delayMs: null, because: rule ?? "unknown", entry: "initial" };
  const led = waitsFrom(before)
    .map(({ wait, belief, weight }) => ({ wait, held: belief.entry, weight }))
    .filter(({ wait, held }) => isSame(entryAfterStart(held, wait, startOf(next), policy), after.entry))
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

function waitIn(
  wait: Wait,
  held: BackoffEntry | undefined,
  run: PastRun,
): Pick<TracedExit, "wait" | "delayMs" | "because"> {
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

function isSame(a: BackoffEntry | undefined, b: BackoffEntry | undefined): boolean {
  return a?.delayMs === b?.delayMs && a?.lastUpdateMs === b?.lastUpdateMs;
}
