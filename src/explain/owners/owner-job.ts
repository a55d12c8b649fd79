import type { Evidence } from "../answer/explanation.ts";
import { instantIn } from "../answer/instant-words.ts";
import { greatestOf } from "../observed/extremes.ts";
import type { JobLimitPerIndex, JobSnapshot, OwnedPod } from "../observed/observation.ts";
import { nextPodEvidence } from "./owner-job-back-off.ts";
import { indexEvidence } from "./owner-job-index.ts";
import { countOf, seen } from "./owner-words.ts";

/** How near a Job is to its limit, and when its controller makes the next pod: a back-off of its own. `own` is the pod itself. */
export function jobEvidence(
  job: JobSnapshot,
  pods: readonly OwnedPod[],
  own: OwnedPod | undefined,
  atMs: number,
): Evidence[] {
  const end = job.conditions.find(
    ({ type, status }) => (type === "Failed" || type === "Complete") && status === "True",
  );
  if (end?.type === "Complete") return [];
  if (end !== undefined) {
    const at = end.lastTransitionAtMs === null ? "" : ` at ${instantIn(end.lastTransitionAtMs)}`;
    const failed = countOf(job.failed, "failed pod");
    const counts =
      job.perIndex === null ? `${failed}, backoffLimit ${job.backoffLimit}` : indexCounts(failed, job.perIndex);
    return [
      seen("job-failed", `Job ${job.name} has failed for good${at} (${end.reason ?? "no reason given"}): ${counts}`),
    ];
  }
  if (job.perIndex !== null) return [...indexEvidence(job, pods, own, atMs), ...cronEvidence(job)];
  return [...limitEvidence(job, pods), ...nextPod(job, pods, atMs), ...cronEvidence(job)];
}

function indexCounts(failed: string, { limit, failedIndexes }: JobLimitPerIndex): string {
  return `${failed}, failed indexes ${failedIndexes ?? "unknown"}, backoffLimitPerIndex ${limit}`;
}

/** Mirrors `exceedsBackoffLimit` and `pastBackoffLimitOnFailure` (v1.37.1, pkg/controller/job/job_controller.go). */
function limitEvidence(job: JobSnapshot, pods: readonly OwnedPod[]): Evidence[] {
  const { name, backoffLimit, failed } = job;
  if (job.restartPolicy !== "OnFailure") {
    const text = `Job ${name}: ${countOf(failed, "failed pod")}, backoffLimit ${backoffLimit}: the Job fails for good with failed pod ${backoffLimit + 1}`;
    return [seen("job-backoff-limit", text)];
  }
  const restarts = pods
    .filter(({ phase }) => phase === "Running" || phase === "Pending")
    .reduce((sum, pod) => sum + pod.restarts, 0);
  const consequence = "the Job fails for good and its running pods are deleted, their logs with them";
  const text = `Job ${name}: ${countOf(restarts, "restart")} and ${countOf(failed, "failed pod")}, backoffLimit ${backoffLimit}: with restart ${Math.max(1, backoffLimit)} ${consequence}`;
  return [seen("job-backoff-limit", text)];
}

/** Mirrors `newBackoffRecord` (v1.37.1, pkg/controller/job/backoff_utils.go). */
function nextPod(job: JobSnapshot, pods: readonly OwnedPod[], atMs: number): Evidence[] {
  if (job.active > 0) return [];
  const finishes = (phase: string): number[] =>
    pods.flatMap((pod) => (pod.phase === phase ? (pod.finishedAtMs ?? []) : []));
  const lastSuccessMs = greatestOf(finishes("Succeeded"), 0);
  const failures = finishes("Failed").filter((finishedAtMs) => finishedAtMs > lastSuccessMs);
  if (failures.length === 0) return [];
  const count = job.succeeded === 0 ? Math.max(job.failed, failures.length) : failures.length;
  return nextPodEvidence({ failures: count, lastFailedAtMs: greatestOf(failures), which: "" }, atMs);
}

function cronEvidence({ name, cronJob, active }: JobSnapshot): Evidence[] {
  if (cronJob === null || active === 0 || cronJob.concurrencyPolicy === "Allow") return [];
  const when = cronJob.schedule === null ? "" : ` (${cronJob.schedule})`;
  const means =
    cronJob.concurrencyPolicy === "Forbid"
      ? `starts no other run while Job ${name} goes on`
      : `replaces Job ${name} at its next run`;
  return [
    seen(
      "cronjob-concurrency",
      `CronJob ${cronJob.name}${when} ${means} (concurrencyPolicy ${cronJob.concurrencyPolicy})`,
    ),
  ];
}
