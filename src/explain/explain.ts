import { explainContainer, judge } from "./container.ts";
import type { Explanation, PodExplanation } from "./explanation.ts";
import { factsOf } from "./facts.ts";
import { gapsOf } from "./gaps.ts";
import type { Observation, PodObservation } from "./observation.ts";
import { planOf } from "./plan.ts";
import { type PolicyOverrides, policyOf } from "./policy.ts";
import { summaryOf } from "./summary.ts";
import { verdictOf } from "./verdict.ts";

/** What the user says of the kubelet: it overrides what was seen. */
export type ExplainOptions = PolicyOverrides;

/** Explains what was seen: pure, so that the same observation always gives the same answer. */
export function explain(observation: Observation, options: ExplainOptions): Explanation {
  const { atMs, atBasis } = observation;
  return { atMs, atBasis, pods: observation.pods.map((observed) => explainPod(observed, options, atMs)) };
}

function explainPod(observed: PodObservation, options: ExplainOptions, atMs: number): PodExplanation {
  const { pod } = observed;
  const { policy, explained } = policyOf(observed, options);
  const judged = pod.containers.map((spec) => judge(factsOf(spec, observed, policy), observed, policy, atMs));
  const containers = judged.map((container) => {
    const siblings = judged.filter((other) => other !== container);
    return explainContainer(container, siblings, observed, policy, atMs);
  });
  const verdict = verdictOf(pod, judged, policy, atMs);
  const facts = judged.map((container) => container.facts);
  return {
    namespace: pod.namespace,
    name: pod.name,
    uid: pod.uid,
    node: pod.nodeName,
    phase: pod.phase,
    owner: pod.owner,
    verdict,
    summary: summaryOf(verdict, observed, containers, atMs),
    policy: explained,
    containers,
    plan: planOf(observed, facts, containers, atMs),
    gaps: gapsOf(observed, explained),
  };
}
