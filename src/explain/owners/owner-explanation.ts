import type { Evidence, Explanation, Gap, PodExplanation } from "../answer/explanation.ts";
import { type ExplainOptions, explain } from "../explain.ts";
import { nextStepsOf, type StepsRequest } from "../next-steps/next-steps.ts";
import { greatestOf } from "../observed/extremes.ts";
import type { Observation, OwnerMissing, OwnersObservation } from "../observed/observation.ts";
import { isFine } from "../triage.ts";
import { NOT_READ } from "../words/gaps.ts";
import { failedJob } from "./failed-job.ts";
import { daemonSetEvidence, deploymentEvidence, statefulSetEvidence } from "./owner-deployment.ts";
import { jobEvidence } from "./owner-job.ts";
import { revisionChange, revisionEvidence, sinceOf } from "./revisions.ts";

/** Explains the pods of an observation, and adds their owners, evidence about the owners, and suggested commands. */
export function explained(observation: Observation, options: ExplainOptions, steps: StepsRequest = {}): Explanation {
  const { atMs } = observation;
  const explanation = explain(observation, options);
  const pods = explanation.pods.map((alone, index) => {
    const observed = observation.pods[index];
    if (observed === undefined) return alone;
    const pod = observed.owners === undefined ? alone : withOwners(alone, observed.owners, atMs);
    const nextSteps = nextStepsOf(pod, observed, atMs, steps);
    return nextSteps.length === 0 ? pod : { ...pod, nextSteps };
  });
  const jobs = (observation.jobs ?? []).flatMap((asked) => failedJob(asked, steps.kubectlFlags ?? []));
  return { ...explanation, pods, ...(jobs.length > 0 && { failedJobs: jobs }) };
}

function withOwners(pod: PodExplanation, owners: OwnersObservation, atMs: number): PodExplanation {
  const gaps = [...pod.gaps, ...owners.missing.map(gapOf)];
  if (isFine(pod)) return { ...pod, owners: owners.chain, since: null, ownerEvidence: [], gaps };
  const since = sinceOf(owners, { name: pod.name, longestRunMs: longestRunMs(pod) }, atMs);
  const evidence = [...workloadEvidence(owners, pod.name, atMs), ...revisionEvidence(owners, pod.name, since, atMs)];
  const changes = revisionChange(since, atMs);
  return { ...pod, owners: owners.chain, since, changes, ownerEvidence: evidence, gaps };
}

function longestRunMs({ containers }: PodExplanation): number {
  const lengths = containers.flatMap(({ history }) =>
    history.flatMap(({ startedAtMs, finishedAtMs }) =>
      startedAtMs === null || finishedAtMs === null ? [] : [finishedAtMs - startedAtMs],
    ),
  );
  return greatestOf(lengths, 0);
}

function workloadEvidence({ workload, pods, revisions }: OwnersObservation, podName: string, atMs: number): Evidence[] {
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
  owner: { before: "", consequence: "Can't tell whether a rollout or a limit of it is involved." },
  revisions: { before: "the revisions of ", consequence: "Can't tell when the crashes began." },
  "owned-pods": { before: "the other pods of ", consequence: "Can't tell whether they crash too." },
};

function gapOf({ what, owner: { kind, name }, why }: OwnerMissing): Gap {
  const { before, consequence } = WHAT[what];
  const right = {
    owner: `get ${kind.toLowerCase()}s`,
    revisions: `list ${kind === "Deployment" ? "replicasets" : "controllerrevisions"}`,
    "owned-pods": "list pods",
  }[what];
  return { code: `${what}-${why}`, message: `${NOT_READ[why](`${before}${kind} ${name}`, right)}. ${consequence}` };
}
