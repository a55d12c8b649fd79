import { conditionOf } from "../../explain/observed/lookups.ts";
import type { AskedJob, Missing } from "../../explain/observed/observation.ts";
import type { FetchFailure } from "../api/fetched.ts";
import { selectorOfWorkload } from "../api/target-selector.ts";
import { at, type JsonObject } from "../objects/json-access.ts";
import { controllerOf, controls, inferredParent, nameOf, namespaceOf } from "../objects/owner-reference.ts";
import { instantOf } from "../objects/timestamp.ts";
import { revisionNumberOf, toAskedJob } from "../objects/workload.ts";
import type { WorkloadKind } from "../objects/workload-kinds.ts";
import type { ObjectSource } from "./workload-source.ts";

/**
 * If the user may not read the workload, or the input lacks it, can infer its pods from owner references and names. Of
 * a CronJob, returns only the pods of one Job.
 */
export async function podsOfWorkload(
  source: ObjectSource,
  kind: WorkloadKind,
  name: string,
  namespace: string | null,
): Promise<WorkloadPods | FetchFailure> {
  const found = await source.get(kind, namespace, name);
  if (found.value !== null) return podsOfObject(source, kind, found.value);
  if (found.why !== "forbidden" && found.why !== "not-in-input") return found;
  return (await podsByName(source, kind, name, namespace, found.why)) ?? found;
}

async function podsOfObject(
  source: ObjectSource,
  kind: WorkloadKind,
  raw: JsonObject,
): Promise<WorkloadPods | FetchFailure> {
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
    const jobs = kind === "Job" ? [toAskedJob(raw, own.length)] : [];
    return allAlike(own, { failedJobs: jobs.filter(jobHasFailed) });
  }
  const [name, type] = [nameOf(raw), kind.toLowerCase()];
  if (replicaSets.value === null)
    return inferredFromNames(pods.value, kind, name, `The ReplicaSets of ${type}/${name} cannot be read`);
  return podsOfReplicaSets(
    pods.value,
    replicaSets.value.filter((replicaSet) => controls(kind, raw, replicaSet)),
  );
}

function podsOfReplicaSets(pods: readonly JsonObject[], replicaSets: readonly JsonObject[]): WorkloadPods {
  const newestFirst = replicaSets.toSorted((a, b) => revisionNumberOf(b) - revisionNumberOf(a));
  const ranked = pods.flatMap((raw) => {
    const rank = newestFirst.findIndex((replicaSet) => controls("ReplicaSet", replicaSet, raw));
    return rank === -1 ? [] : [{ raw, rank }];
  });
  return { ...allAlike([]), pods: ranked };
}

async function podsOfCronJob(source: ObjectSource, cronJob: JsonObject): Promise<WorkloadPods | FetchFailure> {
  const jobs = await source.list("Job", namespaceOf(cronJob), null);
  if (jobs.value === null) return jobs;
  const ownJobs = jobs.value.filter((job) => controls("CronJob", cronJob, job));
  const newestFirst = ownJobs.toSorted((a, b) => createdAtMs(b) - createdAtMs(a));
  const failedJobs: AskedJob[] = [];
  for (const [index, job] of newestFirst.entries()) {
    const result = await podsOfObject(source, "Job", job);
    if (result.why !== null) return result;
    failedJobs.push(...result.failedJobs);
    const notes = olderJobs(nameOf(cronJob), nameOf(job), newestFirst.length - index - 1);
    if (result.pods.length > 0) return { ...result, failedJobs, notes };
  }
  return allAlike([], { failedJobs });
}

export function jobHasFailed({ job }: AskedJob): boolean {
  return conditionOf(job, "Failed")?.status === "True";
}

function createdAtMs(raw: JsonObject): number {
  return instantOf(at(raw, "metadata", "creationTimestamp")) ?? 0;
}

async function podsByName(
  source: ObjectSource,
  kind: WorkloadKind,
  name: string,
  namespace: string | null,
  why: Missing["why"],
): Promise<WorkloadPods | FetchFailure | null> {
  const pods = await source.list("Pod", namespace, null);
  if (pods.value === null) return pods;
  const sets = kind === "Deployment" ? await source.list("ReplicaSet", namespace, null) : null;
  const isNamed = (raw: JsonObject): boolean => controllerOf(raw)?.known === kind && controllerOf(raw)?.name === name;
  const own = podsOfReplicaSets(pods.value, (sets?.value ?? []).filter(isNamed));
  if (own.pods.length > 0) return own;
  const reason = why === "forbidden" ? "may not be read" : "is not in the input";
  const result = inferredFromNames(pods.value, kind, name, `${kind.toLowerCase()}/${name} ${reason}`);
  return result.pods.length === 0 ? null : result;
}

interface WorkloadPods {
  /**
   * `rank`: how many ReplicaSets of the Deployment have a newer revision than the pod's ReplicaSet; 0 if the program
   * knows no such ReplicaSets.
   */
  readonly pods: readonly { readonly raw: JsonObject; readonly rank: number }[];
  readonly notes: readonly string[];
  readonly failedJobs: readonly AskedJob[];
  readonly why: null;
}

function allAlike(
  pods: readonly JsonObject[],
  more: Partial<Pick<WorkloadPods, "notes" | "failedJobs">> = {},
): WorkloadPods {
  return { pods: pods.map((raw) => ({ raw, rank: 0 })), notes: [], failedJobs: [], why: null, ...more };
}

function olderJobs(cronJob: string, job: string, count: number): string[] {
  if (count === 0) return [];
  const older = count === 1 ? "one older Job of it is" : `${count} older Jobs of it are`;
  return [`The pods are those of job/${job}, the newest of cronjob/${cronJob} that has any; ${older} left out.`];
}

/**
 * Of a CronJob, returns only the pods of one Job. Assumed: the newest Job has the name that sorts last, because a Job's
 * name ends with the scheduled time in minutes (`getJobName`, v1.37.1, pkg/controller/cronjob/cronjob_controllerv2.go).
 */
function inferredFromNames(
  pods: readonly JsonObject[],
  kind: WorkloadKind,
  name: string,
  because: string,
): WorkloadPods {
  const named = pods.filter((pod) => inferredName(pod, kind) === name);
  if (kind !== "CronJob") {
    const from =
      kind === "Deployment" ? "inferred from the names of their ReplicaSets" : "those that name it as their controller";
    return allAlike(named, { notes: [`${because}: its pods are ${from}.`] });
  }
  const jobs = [...new Set(named.map((pod) => controllerOf(pod)?.name ?? ""))].sort();
  const newest = jobs.at(-1) ?? "";
  const ofNewest = named.filter((pod) => controllerOf(pod)?.name === newest);
  const basis = `${because}: its pods are inferred from the names of their Jobs.`;
  return allAlike(ofNewest, { notes: [basis, ...olderJobs(name, newest, jobs.length - 1)] });
}

function inferredName(pod: JsonObject, kind: WorkloadKind): string | null {
  const controller = controllerOf(pod);
  if (controller === null || controller.known === kind) return controller?.name ?? null;
  const parent = inferredParent(pod, controller);
  return parent?.kind === kind ? parent.name : null;
}
