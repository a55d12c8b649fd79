import type { Evidence, Explanation, Gap, PodExplanation } from "../answer/explanation.ts";
import { isFine } from "../groups.ts";
import type { Observation, OwnerMissing, OwnersObservation } from "../observed/observation.ts";
import { WHY } from "../words/gaps.ts";
import { daemonSetEvidence, deploymentEvidence, statefulSetEvidence } from "./owner-deployment.ts";
import { jobEvidence } from "./owner-job.ts";
import { revisionEvidence } from "./owner-revisions.ts";

/** The explanation of that observation with what owns the pods, and what that means for their crashes. */
export function withOwners(explanation: Explanation, observation: Observation): Explanation {
  const pods = explanation.pods.map((pod, index) => {
    const owners = observation.pods[index]?.owners;
    return owners === undefined ? pod : withOwnersOf(pod, owners, explanation.atMs);
  });
  return { ...explanation, pods };
}

function withOwnersOf(pod: PodExplanation, owners: OwnersObservation, atMs: number): PodExplanation {
  const ownerEvidence = isFine(pod) ? [] : evidenceOf(pod.name, owners, atMs);
  return { ...pod, owners: owners.chain, ownerEvidence, gaps: [...pod.gaps, ...owners.missing.map(gapOf)] };
}

function evidenceOf(podName: string, owners: OwnersObservation, atMs: number): Evidence[] {
  return [...workloadEvidence(podName, owners, atMs), ...revisionEvidence(owners, podName, atMs)];
}

function workloadEvidence(podName: string, { workload, pods, revisions }: OwnersObservation, atMs: number): Evidence[] {
  const own = pods.find(({ name }) => name === podName);
  switch (workload?.kind) {
    case "Deployment":
      return deploymentEvidence(workload);
    case "StatefulSet":
      return own === undefined ? [] : statefulSetEvidence(workload, own, pods.length);
    case "DaemonSet":
      return own === undefined ? [] : daemonSetEvidence(workload, own, revisions[0]);
    case "Job":
      return jobEvidence(workload, pods, own, atMs);
    default:
      return [];
  }
}

const WHAT: Readonly<Record<OwnerMissing["what"], { readonly before: string; readonly consequence: string }>> = {
  owner: { before: "", consequence: "Whether a rollout or a limit of it bears on the crashes cannot be told." },
  revisions: { before: "the revisions of ", consequence: "Since when it crashes cannot be told." },
  "owned-pods": { before: "the other pods of ", consequence: "Whether they crash too cannot be told." },
};

function gapOf({ what, owner, why }: OwnerMissing): Gap {
  const { before, consequence } = WHAT[what];
  return {
    code: `${what}-${why}`,
    message: `Not seen: ${before}${owner.kind} ${owner.name} (${WHY[why]}). ${consequence}`,
  };
}
