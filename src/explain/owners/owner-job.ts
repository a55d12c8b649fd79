import { delayAtStep } from "../../backoff/curve.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { instantIn } from "../answer/excerpt.ts";
import type { Evidence } from "../answer/explanation.ts";
import { greatestOf } from "../observed/extremes.ts";
import type { JobLimitPerIndex, JobSnapshot, OwnedPod } from "../observed/observation.ts";
import { concluded, stated } from "../words/evidence.ts";
import { countOf } from "./owner-deployment.ts";

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
    return [stated("job-failed", `Job ${job.name} has failed${at} (${end.reason ?? "no reason given"}): ${counts}`)];
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
    const text = `Job ${name}: ${countOf(failed, "failed pod")}, backoffLimit ${backoffLimit}: failed pod ${backoffLimit + 1} fails the Job`;
    return [stated("job-backoff-limit", text)];
  }
  const restarts = pods
    .filter(({ phase }) => phase === "Running" || phase === "Pending")
    .reduce((sum, pod) => sum + pod.restarts, 0);
  const consequence = "the Job fails and its pods are deleted, logs included: save them now";
  const text = `Job ${name}: ${countOf(restarts, "restart")} and ${countOf(failed, "failed pod")}, backoffLimit ${backoffLimit}: at ${countOf(Math.max(1, backoffLimit), "restart")} ${consequence}`;
  return [stated("job-backoff-limit", text)];
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
      ? `won't start another run while Job ${name} is active`
      : `replaces Job ${name} at its next run`;
  return [
    stated(
      "cronjob-concurrency",
      `CronJob ${cronJob.name}${when} ${means} (concurrencyPolicy ${cronJob.concurrencyPolicy})`,
    ),
  ];
}

/** What `backoffLimit` is without one (`SetDefaults_Job`, v1.37.1, pkg/apis/batch/v1/defaults.go). */
const NO_LIMIT = 2 ** 31 - 1;

/**
 * How near one index of a Job is to its own limit, and when its next pod is made. Mirrors `isIndexFailed`
 * (pkg/controller/job/indexed_job_utils.go), `enactJobFinished`'s reasons and `getRemainingTimePerIndex`
 * (pkg/controller/job/backoff_utils.go), v1.37.1: each pod says how many of its index failed before it.
 */
function indexEvidence(
  job: JobSnapshot,
  pods: readonly OwnedPod[],
  own: OwnedPod | undefined,
  atMs: number,
): Evidence[] {
  const { name, perIndex, backoffLimit, failed } = job;
  if (perIndex === null) return [];
  const { limit, maxFailedIndexes, failedIndexes } = perIndex;
  const counted =
    own?.ofIndex === undefined
      ? `Job ${name} counts failures for every index on its own (backoffLimitPerIndex ${limit})`
      : ownIndexClause(name, limit, own);
  const known = failedIndexes === null ? "" : `, failed so far: ${failedIndexes}`;
  const others =
    maxFailedIndexes === null
      ? `the other indexes go on, and the Job fails after them${known}`
      : `the Job fails immediately with more than ${countOf(maxFailedIndexes, "failed index").replace(/indexs$/, "indexes")} (maxFailedIndexes)${known}`;
  const all =
    backoffLimit === NO_LIMIT
      ? ""
      : `; of all indexes together ${countOf(failed, "failed pod")}, backoffLimit ${backoffLimit}`;
  return [stated("job-limit-per-index", `${counted}; ${others}${all}`), ...nextOfIndex(pods, own, limit, atMs)];
}

function ownIndexClause(name: string, limit: number, { ofIndex, phase }: OwnedPod): string {
  const { index = 0, failures = 0 } = ofIndex ?? {};
  const failed = failures + (phase === "Failed" ? 1 : 0);
  const counted = `Job ${name}: ${countOf(failed, "failed pod")} of index ${index}, backoffLimitPerIndex ${limit}`;
  return failed > limit ? `${counted}: this index has failed` : `${counted}: failed pod ${limit + 1} fails it`;
}

/** Only the index of this pod is told of; the controller counts failures that a policy ignores for the pause, too. */
function nextOfIndex(pods: readonly OwnedPod[], own: OwnedPod | undefined, limit: number, atMs: number): Evidence[] {
  if (own?.ofIndex === undefined) return [];
  const { index } = own.ofIndex;
  const latest = pods
    .filter(({ ofIndex }) => ofIndex?.index === index)
    .toSorted((a, b) => orderOf(a) - orderOf(b))
    .at(-1);
  if (latest?.ofIndex === undefined || latest.phase !== "Failed" || latest.finishedAtMs === null) return [];
  const { failures, ignoredFailures } = latest.ofIndex;
  if (failures >= limit) return [];
  const which = ` of index ${index}`;
  return nextPodEvidence(
    { failures: failures + ignoredFailures + 1, lastFailedAtMs: latest.finishedAtMs, which },
    atMs,
  );
}

function orderOf({ ofIndex }: OwnedPod): number {
  return (ofIndex?.failures ?? 0) + (ofIndex?.ignoredFailures ?? 0);
}

/** `DefaultJobPodFailureBackOff` and `MaxJobPodFailureBackOff` (v1.37.1, pkg/controller/job/job_controller.go). */
const JOB_BACK_OFF = { initialMs: 10_000, maxMs: 600_000 } as const;

/** Failures in a row, at least one. */
interface JobFailures {
  readonly failures: number;
  readonly lastFailedAtMs: number;
  /** Of which pods, as the end of a clause: " of index 3", or nothing. */
  readonly which: string;
}

/**
 * When the Job controller makes the next pod; nothing if it may have been made by now. Mirrors
 * `getRemainingTimeForFailuresCount` (v1.37.1, pkg/controller/job/backoff_utils.go).
 */
function nextPodEvidence({ failures, lastFailedAtMs, which }: JobFailures, atMs: number): Evidence[] {
  const delayMs = delayAtStep(failures - 1, JOB_BACK_OFF);
  const dueAtMs = lastFailedAtMs + delayMs;
  if (dueAtMs <= atMs) return [];
  const curve = `the Job controller's own back-off: ${formatBriefDuration(JOB_BACK_OFF.initialMs)}, doubling to ${formatBriefDuration(JOB_BACK_OFF.maxMs)}`;
  const text = `the Job controller makes the next pod${which} at ${instantIn(dueAtMs)}, ${formatBriefDuration(delayMs)} after the last failure (${curve})`;
  return [concluded("job-back-off", text)];
}
