import type { KubeletVersion } from "../kubelet/version.ts";
import type { PolicyExplanation } from "./answer/explanation.ts";
import { clockSkewMs } from "./history/clock-skew.ts";
import type { Now, PodObservation } from "./observed/observation.ts";
import { type JudgedWait, judge } from "./prediction/judged-wait.ts";
import { podObstacle } from "./prediction/obstacle.ts";
import type { PodContext } from "./prediction/pod-context.ts";
import { factsOf } from "./replay/facts.ts";
import { inferPolicy } from "./replay/inferred-policy.ts";
import { type PolicyOverrides, policyOf } from "./replay/policy.ts";
import type { VersionByLooks } from "./replay/version-by-looks.ts";

/** A pod on its way to an explanation: which rules are in force, and where its containers stand under them. */
export interface JudgedPod {
  /** How far the node's clock is ahead of the API server's. */
  readonly skewMs: number;
  readonly explained: PolicyExplanation & { readonly isInferred: boolean };
  readonly context: PodContext;
  /** What the looks at the pod say of a kubelet whose version is not told. */
  readonly byLooks: VersionByLooks | null;
  /** The kubelet may be older than the version that is assumed. */
  readonly isVersionOpen: boolean;
  /** In the order of the spec. */
  readonly judged: readonly JudgedWait[];
}

/**
 * Judges every container by the policy that is known, or that explains them best. `ifOpen`: the kubelet's version where
 * nothing tells it, the newest by default.
 */
export function judgePod(
  observed: PodObservation,
  options: PolicyOverrides,
  { atMs, atBasis }: Now,
  ifOpen?: KubeletVersion,
): JudgedPod {
  const skewMs = clockSkewMs(observed);
  const nodeNowMs = atMs + skewMs;
  const known = policyOf(observed, options, { atMs: nodeNowMs, atBasis }, ifOpen);
  const isAssumed = known.explained.basis === "version" || known.explained.basis === "assumed";
  const inferred = isAssumed ? inferPolicy(observed, known.policy, nodeNowMs) : null;
  const policy = inferred?.policy ?? known.policy;
  const { initialMs, maxMs, resetAfterMs } = policy;
  const explained = {
    ...known.explained,
    initialMs,
    maxMs,
    resetAfterMs,
    retry: policy.retry.kind,
    isInferred: inferred?.isUnusual === true,
  };
  const facts = inferred?.facts ?? observed.pod.containers.map((spec) => factsOf(spec, observed, policy));
  const context = {
    observed,
    policy,
    rivals: inferred?.rivals ?? [],
    obstacle: podObstacle(observed),
    atMs: nodeNowMs,
    atBasis,
  };
  const judged = facts.map((fact) => judge(fact, context));
  const { byLooks, isVersionOpen } = known;
  return { skewMs, explained, context, byLooks, isVersionOpen, judged };
}
