import type { Evidence, Explanation, Gap, PodExplanation } from "../answer/explanation.ts";
import type { SettingChange } from "../answer/setting-change.ts";
import { explain } from "../explain.ts";
import { nodeFacts } from "../history/node-facts.ts";
import { nextStepsOf, type StepsRequest } from "../next-steps/next-steps.ts";
import { greatestOf } from "../observed/max-min.ts";
import type { Observation, OwnerMissing, OwnersObservation, PodObservation } from "../observed/observation.ts";
import type { PolicyOverrides } from "../replay/policy-of-pod.ts";
import { isFine } from "../triage.ts";
import { NOT_READ } from "../words/gaps.ts";
import { digestChanges, firstFailureMs, NODE_CHANGE_TO_FAILURE_MS, nodeChanges } from "./changes-before-failure.ts";
import { absentSources, configChange, writesBefore } from "./config-changes.ts";
import { decidesFailure } from "./deciding-settings.ts";
import { failedJob } from "./failed-job.ts";
import { neededBy, needsOf } from "./needs.ts";
import { daemonSetEvidence, deploymentEvidence, statefulSetEvidence } from "./owner-deployment.ts";
import { jobEvidence } from "./owner-job.ts";
import { revisionChange, revisionEvidence, sinceOf } from "./revisions.ts";
import { withoutFlapping, workloadStatus } from "./workload-status.ts";

export function explainWithOwners(
  observation: Observation,
  options: PolicyOverrides,
  steps: StepsRequest = {},
): Explanation {
  const { atMs } = observation;
  const explanation = explain(observation, options);
  const pods = explanation.pods.map((alone, index) => {
    const observed = observation.pods[index];
    if (observed === undefined) return alone;
    const needs = needsOf(observed, (others) => explain({ ...observation, pods: others }, options).pods);
    const by = isFine(alone) ? [] : neededBy(observed, observation);
    const found = { ...(needs.length > 0 && { needs }), ...(by.length > 0 && { neededBy: by }) };
    const pod = { ...withChanges(alone, observed, atMs), ...found };
    const nextSteps = nextStepsOf(pod, observed, atMs, steps);
    return nextSteps.length === 0 ? pod : { ...pod, nextSteps };
  });
  const jobs = (observation.jobs ?? []).flatMap((asked) => failedJob(asked, steps.kubectlFlags ?? []));
  return { ...explanation, pods, ...(jobs.length > 0 && { failedJobs: jobs }) };
}

function withChanges(pod: PodExplanation, observed: PodObservation, atMs: number): PodExplanation {
  const { owners = NO_OWNERS } = observed;
  const { chain, missing } = owners;
  const workload = withoutFlapping(workloadStatus(owners), pod);
  const known = { workload, owners: chain, gaps: [...pod.gaps, ...missing.map(gapOf)] };
  if (isFine(pod)) return observed.owners === undefined ? pod : { ...pod, ...known, since: null, ownerEvidence: [] };
  const failedAtMs = firstFailureMs(pod, observed.pod);
  const writes = writesBefore(observed, failedAtMs, atMs);
  const facts = nodeFacts(observed, (failedAtMs ?? atMs) - NODE_CHANGE_TO_FAILURE_MS);
  const failing = {
    name: pod.name,
    longestRunMs: longestRunMs(pod),
    isDecidedBy: (setting: SettingChange) => decidesFailure(setting, pod),
    writtenAtMs: writes.length === 0 ? null : greatestOf(writes.map(({ betweenMs }) => betweenMs[1])),
  };
  const digests = digestChanges(owners, pod);
  const ofRevisions = isEndedByOthers(pod) ? null : sinceOf(owners, failing, atMs);
  const since = ofRevisions && { ...ofRevisions, isOtherImage: digests.length > 0 };
  const changes = [
    ...absentSources(pod, observed),
    ...writes.map((write) => configChange(write, since)),
    ...revisionChange(since, atMs),
    ...digests,
    ...nodeChanges(pod.node ?? "the node", facts, failedAtMs ?? atMs),
  ];
  const found = { ...(changes.length > 0 && { changes }), ...(facts.length > 0 && { nodeFacts: facts }) };
  if (observed.owners === undefined) return { ...pod, ...found };
  const evidence = [...workloadEvidence(owners, pod.name, atMs), ...revisionEvidence(owners, pod.name, since, atMs)];
  return { ...pod, ...found, ...known, since, ownerEvidence: evidence };
}

/** Assumed: revisions do not explain an end of the pod that its containers did not cause, e.g. a shutdown of the node. */
function isEndedByOthers({ verdict, ending }: PodExplanation): boolean {
  return verdict === "terminating" || (verdict === "failed" && ending !== null);
}

const NO_OWNERS: OwnersObservation = { chain: [], workload: null, revisions: [], pods: [], missing: [] };

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
      return deploymentEvidence(workload, revisions.length);
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
