import type { AskedJob, Missing } from "../../explain/observed/observation.ts";
import type { Fetched } from "../api/fetched.ts";
import { selectorOfWorkload } from "../api/target-selector.ts";
import { at, textOf } from "../objects/json-access.ts";
import {
  type Controller,
  controllerOf,
  controls,
  cronJobNameIn,
  deploymentNameIn,
  nameOf,
  namespaceOf,
} from "../objects/owner-reference.ts";
import { instantOf } from "../objects/timestamp.ts";
import { revisionNumberOf, toAskedJob } from "../objects/workload.ts";
import type { WorkloadKind } from "../objects/workload-kinds.ts";
import type { ObjectSource, RawObject } from "./workload-source.ts";

type NoWorkload = Extract<Fetched<unknown>, { readonly value: null }>;

/**
 * Finds the pods that a workload's selector matches and that the workload controls; of a CronJob, those of its newest
 * Job with pods. If the user may not read the workload, or the input files lack it, infers the pods from their
 * controllers' names, and says so in `notes`. Returns the failure if no name leads to the workload, or if a request
 * fails for another reason.
 */
export async function podsOfWorkload(
  source: ObjectSource,
  kind: WorkloadKind,
  name: string,
  namespace: string | null,
): Promise<WorkloadPods | NoWorkload> {
  const found = await source.get(kind, namespace, name);
  if (found.value !== null) return podsOfObject(source, kind, found.value);
  if (found.why !== "forbidden" && found.why !== "not-in-input") return found;
  return (await podsByName(source, kind, name, namespace, found.why)) ?? found;
}

async function podsOfObject(
  source: ObjectSource,
  kind: WorkloadKind,
  raw: RawObject,
): Promise<WorkloadPods | NoWorkload> {
  if (kind === "CronJob") return podsOfCronJob(source, raw);
  const namespace = namespaceOf(raw);
  const selector = selectorOfWorkload(raw);
  const [pods, replicaSets] = await Promise.all([
    source.list("Pod", namespace, selector),
    kind === "Deployment" ? source.list("ReplicaSet", namespace, selector) : null,
  ]);
  if (pods.value === null) return pods;
  if (replicaSets === null) {
    const own = pods.value.filter((pod) => controls(kind, raw, pod));
    return { ...allAlike(own), ...(kind === "Job" && { jobs: [toAskedJob(raw, own.length)] }) };
  }
  const [name, type] = [nameOf(raw), kind.toLowerCase()];
  if (replicaSets.value === null)
    return inferredFromNames(pods.value, kind, name, `The ReplicaSets of ${type}/${name} cannot be read`);
  return podsOfReplicaSets(
    pods.value,
    replicaSets.value.filter((replicaSet) => controls(kind, raw, replicaSet)),
  );
}

/** Selects the pods of these ReplicaSets, and sorts them by revision, the newest first. */
function podsOfReplicaSets(pods: readonly RawObject[], replicaSets: readonly RawObject[]): WorkloadPods {
  const newestFirst = replicaSets.toSorted((a, b) => revisionNumberOf(b) - revisionNumberOf(a));
  const ranked = pods.flatMap((raw) => {
    const rank = newestFirst.findIndex((replicaSet) => controls("ReplicaSet", replicaSet, raw));
    return rank === -1 ? [] : [{ raw, rank }];
  });
  return { pods: ranked.toSorted((a, b) => a.rank - b.rank), notes: [], why: null };
}

async function podsOfCronJob(source: ObjectSource, cronJob: RawObject): Promise<WorkloadPods | NoWorkload> {
  const jobs = await source.list("Job", namespaceOf(cronJob), null);
  if (jobs.value === null) return jobs;
  const ownJobs = jobs.value.filter((job) => controls("CronJob", cronJob, job));
  const newestFirst = ownJobs.toSorted((a, b) => createdAtMs(b) - createdAtMs(a));
  const withoutPods: AskedJob[] = [];
  for (const [index, job] of newestFirst.entries()) {
    const result = await podsOfObject(source, "Job", job);
    if (result.why !== null) return result;
    if (result.pods.length === 0) {
      withoutPods.push(...(result.jobs ?? []));
      continue;
    }
    const jobs = [...withoutPods, ...(result.jobs ?? [])];
    return { ...result, jobs, notes: olderJobs(nameOf(cronJob), nameOf(job), newestFirst.length - index - 1) };
  }
  return { ...allAlike([]), jobs: withoutPods };
}

function createdAtMs(raw: RawObject): number {
  return instantOf(at(raw, "metadata", "creationTimestamp")) ?? 0;
}

/** Finds the pods of a workload that cannot be read; null if no controller's name leads to the workload. */
async function podsByName(
  source: ObjectSource,
  kind: WorkloadKind,
  name: string,
  namespace: string | null,
  why: Missing["why"],
): Promise<WorkloadPods | NoWorkload | null> {
  const pods = await source.list("Pod", namespace, null);
  if (pods.value === null) return pods;
  const sets = kind === "Deployment" ? await source.list("ReplicaSet", namespace, null) : null;
  const isNamed = (raw: RawObject): boolean => controllerOf(raw)?.known === kind && controllerOf(raw)?.name === name;
  const own = podsOfReplicaSets(pods.value, (sets?.value ?? []).filter(isNamed));
  if (own.pods.length > 0) return own;
  const reason = why === "forbidden" ? "may not be read" : "is not in the input";
  const result = inferredFromNames(pods.value, kind, name, `${kind.toLowerCase()}/${name} ${reason}`);
  return result.pods.length === 0 ? null : result;
}

interface WorkloadPods {
  readonly pods: readonly RankedPod[];
  /** Sentences for the user about pods that are inferred or left out. */
  readonly notes: readonly string[];
  /**
   * Of a Job: the Job itself. Of a CronJob: its newest Jobs, up to the first with pods. Left out for other workloads.
   */
  readonly jobs?: readonly AskedJob[];
  readonly why: null;
}

interface RankedPod {
  readonly raw: RawObject;
  /** 0 for pods of a Deployment's newest ReplicaSet, higher for older ones. Always 0 for other workloads. */
  readonly rank: number;
}

function allAlike(pods: readonly RawObject[], notes: readonly string[] = []): WorkloadPods {
  return { pods: pods.map((raw) => ({ raw, rank: 0 })), notes, why: null };
}

function olderJobs(cronJob: string, job: string, count: number): string[] {
  if (count === 0) return [];
  const older = count === 1 ? "one older Job of it is" : `${count} older Jobs of it are`;
  return [`The pods are those of job/${job}, the newest of cronjob/${cronJob} that has any; ${older} left out.`];
}

/**
 * Infers the pods of a workload from their controllers' names; of a CronJob, only those of its newest Job. `because`
 * begins the note, e.g. "job/db may not be read".
 */
function inferredFromNames(
  pods: readonly RawObject[],
  kind: WorkloadKind,
  name: string,
  because: string,
): WorkloadPods {
  const named = pods.filter((pod) => inferredName(pod, kind) === name);
  if (kind !== "CronJob") {
    const from =
      kind === "Deployment" ? "inferred from the names of their ReplicaSets" : "those that name it as their controller";
    return allAlike(named, [`${because}: its pods are ${from}.`]);
  }
  const jobs = [...new Set(named.map((pod) => controllerOf(pod)?.name ?? ""))].sort();
  const newest = jobs.at(-1) ?? "";
  const ofNewest = named.filter((pod) => controllerOf(pod)?.name === newest);
  return allAlike(ofNewest, [
    `${because}: its pods are inferred from the names of their Jobs.`,
    ...olderJobs(name, newest, jobs.length - 1),
  ]);
}

/**
 * Returns the name of the pod's controller if that is of kind `kind`; else the name of the controller's owner, as the
 * controller's name shows it, if that is of kind `kind`; else null.
 */
function inferredName(pod: RawObject, kind: WorkloadKind): string | null {
  const controller: Controller | null = controllerOf(pod);
  if (controller?.known === kind) return controller.name;
  if (kind === "Deployment" && controller?.known === "ReplicaSet") {
    return deploymentNameIn(controller.name, textOf(at(pod, "metadata", "labels", "pod-template-hash")));
  }
  return kind === "CronJob" && controller?.known === "Job" ? cronJobNameIn(controller.name) : null;
}
