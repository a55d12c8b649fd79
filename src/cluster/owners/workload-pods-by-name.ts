import { type Controller, controllerOf, cronJobNameIn, deploymentNameIn } from "../objects/owner-reference.ts";
import { at, textOf } from "../objects/untrusted.ts";
import type { WorkloadKind } from "../objects/workload-kinds.ts";
import type { RawObject } from "./workload-source.ts";

/** The pods of a workload. */
export interface WorkloadPods {
  readonly pods: readonly RankedPod[];
  /** Sentences on what is inferred and what is left out. */
  readonly notes: readonly string[];
  readonly why: null;
}

/** A pod and how near it is to what the workload is now: 0 is of its current revision. */
export interface RankedPod {
  readonly raw: RawObject;
  readonly rank: number;
}

/** Pods of which none is nearer to what the workload is now than another. */
export function allAlike(pods: readonly RawObject[], notes: readonly string[] = []): WorkloadPods {
  return { pods: pods.map((raw) => ({ raw, rank: 0 })), notes, why: null };
}

/** Says that only the newest Job's pods are taken; nothing where `count`, of the older ones, is 0. */
export function olderJobs(cronJob: string, job: string, count: number): string[] {
  if (count === 0) return [];
  const older = count === 1 ? "one older Job of it is" : `${count} older Jobs of it are`;
  return [`The pods are those of job/${job}, the newest of cronjob/${cronJob} that has any; ${older} left out.`];
}

/** Those of the pods whose controllers' names tell that they belong to the workload; `because`: why nothing better is known. */
export function podsToldByNames(
  pods: readonly RawObject[],
  kind: WorkloadKind,
  name: string,
  because: string,
): WorkloadPods {
  const named = pods.filter((pod) => nameToldBy(pod, kind) === name);
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

/** The name of the workload of that kind that a pod's controller tells of: its own, or one that made it. */
function nameToldBy(pod: RawObject, kind: WorkloadKind): string | null {
  const controller: Controller | null = controllerOf(pod);
  if (controller?.known === kind) return controller.name;
  if (kind === "Deployment" && controller?.known === "ReplicaSet") {
    return deploymentNameIn(controller.name, textOf(at(pod, "metadata", "labels", "pod-template-hash")));
  }
  return kind === "CronJob" && controller?.known === "Job" ? cronJobNameIn(controller.name) : null;
}
