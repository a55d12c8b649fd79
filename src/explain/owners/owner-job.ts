import { delayAtStep } from "../../backoff/curve.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import type { Evidence } from "../answer/explanation.ts";
import { prose } from "../answer/prose.ts";
import { conditionOf } from "../observed/lookups.ts";
import { greatestOf } from "../observed/max-min.ts";
import type { JobLimitPerIndex, JobSnapshot, OwnedPod } from "../observed/observation.ts";
import { NO_BACKOFF_LIMIT } from "../observed/owner-observation.ts";
import { concluded, stated } from "../words/evidence.ts";
import { countWords } from "./owner-deployment.ts";

export function jobEvidence(
  job: JobSnapshot,
  pods: readonly OwnedPod[],
  own: OwnedPod | undefined,
  atMs: number,
): Evidence[] {
  const failed = conditionOf(job, "Failed");
  if (conditionOf(job, "Complete")?.status === "True") return [];
  const { name, perIndex } = job;
  if (failed?.status === "True") {
    const { lastTransitionAtMs, reason } = failed;
    const when = lastTransitionAtMs === null ? "has failed" : prose`failed at ${{ atMs: lastTransitionAtMs }}`;
    const limit =
      perIndex === null
        ? `backoffLimit ${job.backoffLimit}`
        : `failed indexes ${perIndex.failedIndexes ?? "unknown"}, backoffLimitPerIndex ${perIndex.limit}`;
    const counts = `${countWords(job.failed, "failed pod")}, ${limit}`;
    return [stated("job-failed", prose`Job ${name} ${when} (${reason ?? "no reason given"}): ${counts}`)];
  }
  const limit = perIndex === null ? limitEvidence(job, pods) : indexEvidence(job, perIndex, own);
  return [...limit, ...nextPodEvidence(nextJobPod(job, pods, own), atMs), ...cronEvidence(job)];
}

interface NextJobPod {
  readonly atMs: number;
  readonly delayMs: number;
  readonly index: number | null;
}

const WITHOUT_NEXT = ["Complete", "Failed", "FailureTarget", "Suspended"];

/** With a backoffLimitPerIndex, considers only the index of `own`. */
export function nextJobPod(job: JobSnapshot, pods: readonly OwnedPod[], own: OwnedPod | undefined): NextJobPod | null {
  if (WITHOUT_NEXT.some((type) => conditionOf(job, type)?.status === "True")) return null;
  return job.perIndex === null ? nextOfJob(job, pods) : nextOfIndex(pods, own, job.perIndex.limit);
}

/** See `syncJob` and `pastBackoffLimitOnFailure` (pkg/controller/job/job_controller.go, v1.37.1). */
function limitEvidence(job: JobSnapshot, pods: readonly OwnedPod[]): Evidence[] {
  const { name, backoffLimit } = job;
  const failed = `${countWords(job.failed, "failed pod")}, backoffLimit ${backoffLimit}`;
  if (job.restartPolicy !== "OnFailure")
    return [stated("job-backoff-limit", `Job ${name}: ${failed}: failed pod ${backoffLimit + 1} fails the Job`)];
  const restarts = pods
    .filter(({ phase }) => phase === "Running" || phase === "Pending")
    .reduce((sum, pod) => sum + pod.restarts, 0);
  const end = `at ${countWords(Math.max(1, backoffLimit), "restart")} the Job fails and its pods are deleted, logs included: save them now`;
  return [stated("job-backoff-limit", `Job ${name}: ${countWords(restarts, "restart")} and ${failed}: ${end}`)];
}

/** See `newBackoffRecord` (pkg/controller/job/backoff_utils.go, v1.37.1): a success resets the count of failures. */
function nextOfJob(job: JobSnapshot, pods: readonly OwnedPod[]): NextJobPod | null {
  if (job.active > 0) return null;
  const finishes = (phase: string): number[] =>
    pods.flatMap((pod) => (pod.phase === phase ? (pod.finishedAtMs ?? []) : []));
  const lastSuccessMs = greatestOf(finishes("Succeeded"), 0);
  const failures = finishes("Failed").filter((finishedAtMs) => finishedAtMs > lastSuccessMs);
  if (failures.length === 0) return null;
  const count = job.succeeded === 0 ? Math.max(job.failed, failures.length) : failures.length;
  return nextAfter(count, greatestOf(failures), null);
}

function cronEvidence({ name, cronJob, active }: JobSnapshot): Evidence[] {
  if (cronJob === null || active === 0 || cronJob.concurrencyPolicy === "Allow") return [];
  const when = cronJob.schedule === null ? "" : ` (${cronJob.schedule})`;
  const means =
    cronJob.concurrencyPolicy === "Forbid"
      ? `won't start another run while Job ${name} is active`
      : `replaces Job ${name} at its next run`;
  const text = `CronJob ${cronJob.name}${when} ${means} (concurrencyPolicy ${cronJob.concurrencyPolicy})`;
  return [stated("cronjob-concurrency", text)];
}

/**
 * See `isIndexFailed` (pkg/controller/job/indexed_job_utils.go, v1.37.1) and `syncJob`
 * (pkg/controller/job/job_controller.go, v1.37.1).
 */
function indexEvidence(
  { name, backoffLimit, failed }: JobSnapshot,
  { limit, maxFailedIndexes, failedIndexes }: JobLimitPerIndex,
  own: OwnedPod | undefined,
): Evidence[] {
  const counted =
    own?.ofIndex === undefined
      ? `Job ${name} counts failures for every index on its own (backoffLimitPerIndex ${limit})`
      : ownIndexClause(name, limit, own);
  const known = failedIndexes === null ? "" : `, failed so far: ${failedIndexes}`;
  const others =
    maxFailedIndexes === null
      ? `the other indexes go on, and the Job fails after them${known}`
      : `the Job fails immediately with more than ${countWords(maxFailedIndexes, "failed index", "failed indexes")} (maxFailedIndexes)${known}`;
  const all =
    backoffLimit === NO_BACKOFF_LIMIT
      ? ""
      : `; of all indexes together ${countWords(failed, "failed pod")}, backoffLimit ${backoffLimit}`;
  return [stated("job-limit-per-index", `${counted}; ${others}${all}`)];
}

function ownIndexClause(name: string, limit: number, { ofIndex, phase }: OwnedPod): string {
  const { index = 0, failures = 0 } = ofIndex ?? {};
  const failed = failures + (phase === "Failed" ? 1 : 0);
  const counted = `Job ${name}: ${countWords(failed, "failed pod")} of index ${index}, backoffLimitPerIndex ${limit}`;
  return failed > limit ? `${counted}: this index has failed` : `${counted}: failed pod ${limit + 1} fails it`;
}

/**
 * See `getRemainingTimePerIndex` (pkg/controller/job/backoff_utils.go, v1.37.1). Failures that a podFailurePolicy
 * ignores lengthen the back-off, too.
 */
function nextOfIndex(pods: readonly OwnedPod[], own: OwnedPod | undefined, limit: number): NextJobPod | null {
  if (own?.ofIndex === undefined) return null;
  const { index } = own.ofIndex;
  const failuresBefore = ({ ofIndex }: OwnedPod): number => (ofIndex?.failures ?? 0) + (ofIndex?.ignoredFailures ?? 0);
  const latest = pods
    .filter(({ ofIndex }) => ofIndex?.index === index)
    .toSorted((a, b) => failuresBefore(a) - failuresBefore(b))
    .at(-1);
  if (latest?.ofIndex === undefined || latest.phase !== "Failed" || latest.finishedAtMs === null) return null;
  if (latest.ofIndex.failures >= limit) return null;
  return nextAfter(failuresBefore(latest) + 1, latest.finishedAtMs, index);
}

/** `DefaultJobPodFailureBackOff` and `MaxJobPodFailureBackOff` (pkg/controller/job/job_controller.go, v1.37.1). */
const JOB_BACK_OFF = { initialMs: 10_000, maxMs: 600_000 } as const;

/** `failures`: at least 1. See `getRemainingTimeForFailuresCount` (pkg/controller/job/backoff_utils.go, v1.37.1). */
function nextAfter(failures: number, lastFailedAtMs: number, index: number | null): NextJobPod {
  const delayMs = delayAtStep(failures - 1, JOB_BACK_OFF);
  return { atMs: lastFailedAtMs + delayMs, delayMs, index };
}

function nextPodEvidence(next: NextJobPod | null, nowMs: number): Evidence[] {
  if (next === null || next.atMs <= nowMs) return [];
  const { atMs, delayMs, index } = next;
  const { initialMs, maxMs } = JOB_BACK_OFF;
  const which = index === null ? "" : ` of index ${index}`;
  const curve = `the Job controller's own back-off: ${formatBriefDuration(initialMs)}, doubling to ${formatBriefDuration(maxMs)}`;
  const text = prose`the Job controller makes the next pod${which} at ${{ atMs }}, ${formatBriefDuration(delayMs)} after the last failure (${curve})`;
  return [concluded("job-back-off", text)];
}
