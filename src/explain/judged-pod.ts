import { type KubeletVersion, LAST_WITH_FLAT_RETRY } from "../kubelet/versions.ts";
import type { PolicyExplanation } from "./answer/explanation.ts";
import { clockSkewMs } from "./history/clock-skew.ts";
import type { Now, PodObservation } from "./observed/observation.ts";
import { obstacleOf, podObstacle } from "./prediction/obstacle.ts";
import type { JudgedWait, PodContext, PodMoment } from "./prediction/pod-context.ts";
import { isOver, stateOf } from "./prediction/state.ts";
import { currentWait } from "./replay/current-wait.ts";
import { type ContainerFacts, factsOf } from "./replay/facts.ts";
import { amongRivals, inferPolicy } from "./replay/inferred-policy.ts";
import { type PolicyOverrides, policyOf, type VersionBySyncs } from "./replay/policy.ts";

/** The back-off rules of a pod's kubelet, and the state and wait of each container under these rules. */
export interface JudgedPod {
  /** The time by which the node's clock is ahead of the API server's; negative if it is behind. */
  readonly skewMs: number;
  readonly explained: PolicyExplanation & { readonly isInferred: boolean };
  readonly context: PodContext;
  /** The kubelet's version, inferred from its syncs of the pod; null if it is known or the syncs do not show it. */
  readonly bySyncs: VersionBySyncs | null;
  /** Whether nothing shows the kubelet's version. A kubelet older than the assumed one syncs the pod at other times. */
  readonly isVersionOpen: boolean;
}

/**
 * Replays the history of each container by the pod's back-off rules. If no flag and no configuration gives the rules,
 * uses those that fit the history best. `ifOpen` is the version to assume if nothing shows it (default: the newest).
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
  const { kubeletVersion, basis, bySyncs } = known;
  const isVersionOpen = kubeletVersion === null && bySyncs === null;
  const isAssumed = basis === "version" || basis === "assumed";
  const inferred = isAssumed ? inferPolicy(observed, known.policy, nodeNowMs) : null;
  const policy = inferred?.policy ?? known.policy;
  const { initialMs, maxMs, resetAfterMs, retry } = policy;
  const isInferred = inferred?.isUnusual === true;
  const source = { kubeletVersion, basis, isInferred, ...(known.isKubeadm === true && { isKubeadm: true as const }) };
  const explained = { initialMs, maxMs, resetAfterMs, retry: retry.kind, ...source };
  const facts = inferred?.facts ?? observed.pod.containers.map((spec) => factsOf(spec, observed, policy));
  const moment: PodMoment = {
    observed,
    policy,
    kubeletVersion,
    rivals: inferred?.rivals ?? [],
    obstacle: podObstacle(observed, policy.traits),
    atMs: nodeNowMs,
    atBasis,
  };
  const context = { ...moment, judged: facts.map((fact) => judge(fact, moment)) };
  return { skewMs, explained, context, bySyncs, isVersionOpen };
}

function judge(facts: ContainerFacts, moment: PodMoment): JudgedWait {
  const { observed, policy, rivals, atMs } = moment;
  const isDown = !facts.isRunning && !isOver(observed.pod);
  const own = isDown && facts.decision === "restart" ? currentWait(facts, policy, atMs) : null;
  const wait = own === null ? null : amongRivals(own, facts.spec.name, rivals, atMs);
  const state = stateOf(facts, wait, moment);
  return { facts, state, wait, obstacle: obstacleOf(facts, state, moment) };
}

/** Judges the pod as `judgePod` does, but assumes v1.34, the last version that syncs pods every 10 to 15 s. */
export function judgeAsOlderKubelet(observed: PodObservation, options: PolicyOverrides, now: Now): JudgedPod {
  return judgePod(observed, options, now, LAST_WITH_FLAT_RETRY);
}
