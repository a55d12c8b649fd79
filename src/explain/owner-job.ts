import { formatBriefDuration } from "../kubelet/go-duration.ts";
import type { Evidence } from "./explanation.ts";
import { greatestOf } from "./extremes.ts";
import type { JobSnapshot, OwnedPod } from "./observation.ts";
import { concluded, countOf, instantIn, seen } from "./owner-words.ts";

/** `DefaultJobPodFailureBackOff` and `MaxJobPodFailureBackOff` (v1.37.1, pkg/controller/job/job_controller.go). */
const JOB_BACK_OFF = { initialMs: 10_000, maxMs: 600_000 } as const;

/** How near a Job is to its limit, and when its controller makes the next pod: a back-off of its own. */
export function jobEvidence(job: JobSnapshot, pods: readonly OwnedPod[], atMs: number): Evidence[] {
  const end = job.conditions.find(
    ({ type, status }) => (type === "Failed" || type === "Complete") && status === "True",
  );
  if (end?.type === "Complete") return [];
  if (end !== undefined) {
    const at = end.lastTransitionAtMs === null ? "" : ` at ${instantIn(end.lastTransitionAtMs)}`;
    const counts = `${countOf(job.failed, "failed pod")}, backoffLimit ${job.backoffLimit}`;
    return [
      seen("job-failed", `Job ${job.name} has failed for good${at} (${end.reason ?? "no reason given"}): ${counts}`),
    ];
  }
  return [...limitEvidence(job, pods), ...nextPod(job, pods, atMs), ...cronEvidence(job)];
}

/** Mirrors `exceedsBackoffLimit` and `pastBackoffLimitOnFailure` (v1.37.1, pkg/controller/job/job_controller.go). */
function limitEvidence(job: JobSnapshot, pods: readonly OwnedPod[]): Evidence[] {
  const { name, backoffLimit, failed, isPerIndex } = job;
  if (isPerIndex)
    return [
      seen("job-limit-per-index", `Job ${name} counts failures for every index on its own (backoffLimitPerIndex)`),
    ];
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

/** Mirrors `newBackoffRecord` and `getRemainingTimeForFailuresCount` (v1.37.1, pkg/controller/job/backoff_utils.go). */
function nextPod(job: JobSnapshot, pods: readonly OwnedPod[], atMs: number): Evidence[] {
  if (job.active > 0 || job.isPerIndex) return [];
  const finishes = (phase: string): number[] =>
    pods.flatMap((pod) => (pod.phase === phase ? (pod.finishedAtMs ?? []) : []));
  const lastSuccessMs = greatestOf(finishes("Succeeded"), 0);
  const failures = finishes("Failed").filter((finishedAtMs) => finishedAtMs > lastSuccessMs);
  if (failures.length === 0) return [];
  const count = job.succeeded === 0 ? Math.max(job.failed, failures.length) : failures.length;
  const delayMs = Math.min(JOB_BACK_OFF.maxMs, JOB_BACK_OFF.initialMs * 2 ** (count - 1));
  const dueAtMs = greatestOf(failures) + delayMs;
  if (dueAtMs <= atMs) return [];
  const curve = `${formatBriefDuration(JOB_BACK_OFF.initialMs)}, doubling up to ${formatBriefDuration(JOB_BACK_OFF.maxMs)}, which is not the kubelet's`;
  const text = `the Job controller makes the next pod at ${instantIn(dueAtMs)}, ${formatBriefDuration(delayMs)} after the last failure (${curve})`;
  return [concluded("job-back-off", text)];
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
