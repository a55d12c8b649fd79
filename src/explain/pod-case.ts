import { type KubeletVersion, LAST_WITH_FLAT_RETRY } from "../kubelet/versions.ts";
import type { PolicyExplanation } from "./answer/explanation.ts";
import { clockSkewMs } from "./history/clock-skew.ts";
import type { Now, PodObservation } from "./observed/observation.ts";
import { obstacleOf, podObstacle } from "./prediction/obstacle.ts";
import type { ContainerCase, PodContext, PodMoment } from "./prediction/pod-context.ts";
import { runtimeLateness } from "./prediction/start-pace.ts";
import { isOver, stateOf } from "./prediction/state.ts";
import { currentWait } from "./replay/current-wait.ts";
import { amongRivals, inferPolicy } from "./replay/inferred-policy.ts";
import { type InferredVersion, type PolicyOverrides, policyOf } from "./replay/policy-of-pod.ts";
import { type ReplayedContainer, replayedContainer } from "./replay/replayed-container.ts";
import { awaitsRestart } from "./triage.ts";

export interface PodCase {
  /** The estimated lead of the node's clock over the API server's; negative if the node's clock is behind. */
  readonly skewMs: number;
  readonly policy: PolicyExplanation & { readonly isInferred: boolean };
  readonly inferredVersion: InferredVersion | null;
  readonly context: PodContext;
  /**
   * The pod's context by the rules of v1.34; null if the kubelet's version is known or inferred, or if no container
   * awaits a start.
   */
  readonly underV134: PodContext | null;
}

export function podCaseOf(observed: PodObservation, options: PolicyOverrides, { atMs, atBasis }: Now): PodCase {
  const skewMs = clockSkewMs(observed);
  const nodeNow = { atMs: atMs + skewMs, atBasis };
  const newest = replayPod(observed, options, nodeNow);
  const { context, inferredVersion } = newest;
  const isVersionOpen = context.kubeletVersion === null && inferredVersion === null;
  const isV134Possible =
    isVersionOpen && context.containers.some((one) => awaitsRestart(one) || one.state === "starting");
  const underV134 = isV134Possible ? replayPod(observed, options, nodeNow, LAST_WITH_FLAT_RETRY).context : null;
  return { ...newest, skewMs, underV134 };
}

function replayPod(observed: PodObservation, options: PolicyOverrides, nodeNow: Now, assumedVersion?: KubeletVersion) {
  const known = policyOf(observed, options, nodeNow, assumedVersion);
  const { kubeletVersion, basis, inferredVersion } = known;
  const isAssumed = basis === "version" || basis === "assumed";
  const inferred = isAssumed ? inferPolicy(observed, known.policy, nodeNow.atMs) : null;
  const policy = inferred?.policy ?? known.policy;
  const { initialMs, maxMs, resetAfterMs, retry } = policy;
  const explained = {
    ...{ initialMs, maxMs, resetAfterMs, retry: retry.kind, kubeletVersion, basis },
    isInferred: inferred?.isOtherThanAssumed === true,
    ...(known.isKubeadm === true && { isKubeadm: true as const }),
  };
  const facts = inferred?.facts ?? observed.pod.containers.map((spec) => replayedContainer(spec, observed, policy));
  const moment: PodMoment = {
    observed,
    policy,
    kubeletVersion,
    rivals: inferred?.rivals ?? [],
    obstacle: podObstacle(observed, policy.traits),
    ...nodeNow,
  };
  const containers = facts.map((fact) => containerCaseOf(fact, moment));
  const context = { ...moment, containers, runtimeLateness: runtimeLateness({ ...moment, containers }) };
  return { policy: explained, inferredVersion, context };
}

function containerCaseOf(facts: ReplayedContainer, moment: PodMoment): ContainerCase {
  const { observed, policy, rivals, atMs } = moment;
  const isWaiting = !facts.isRunning && !isOver(observed.pod);
  const own = isWaiting && facts.decision === "restart" ? currentWait(facts, policy, atMs) : null;
  const wait = own === null ? null : amongRivals(own, facts.spec.name, rivals, atMs);
  const state = stateOf(facts, wait, moment);
  return { facts, state, wait, obstacle: obstacleOf(facts, state, moment.obstacle) };
}
