import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import { judgePod } from "../judged-pod.ts";
import type { Now, PodObservation } from "../observed/observation.ts";
import type { JudgedWait } from "../prediction/judged-wait.ts";
import { looksOf } from "../prediction/next-restart.ts";
import type { PodContext } from "../prediction/pod-context.ts";
import { CONFIDENCE, shareOfShorterDelays } from "../prediction/start-window.ts";
import { type Belief, possibleWaits } from "../replay/beliefs.ts";
import { factsOf } from "../replay/facts.ts";
import type { PolicyOverrides } from "../replay/policy.ts";
import type { ContainerTrace, PodTrace, TracedWait } from "./pod-trace.ts";
import { tracedExits } from "./traced-exits.ts";

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
    ...looksOf(facts, wait, siblings, context),
    confidence: { ofLooks: CONFIDENCE, shorterDelays: shareOfShorterDelays(wait) },
  };
}
