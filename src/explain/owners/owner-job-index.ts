import type { Evidence } from "../answer/explanation.ts";
import type { JobSnapshot, OwnedPod } from "../observed/observation.ts";
import { nextPodEvidence } from "./owner-job-back-off.ts";
import { countOf, seen } from "./owner-words.ts";

/** What `backoffLimit` is without one (`SetDefaults_Job`, v1.37.1, pkg/apis/batch/v1/defaults.go). */
const NO_LIMIT = 2 ** 31 - 1;

/**
 * How near one index of a Job is to its own limit, and when its next pod is made. Mirrors `isIndexFailed`
 * (pkg/controller/job/indexed_job_utils.go), `enactJobFinished`'s reasons and `getRemainingTimePerIndex`
 * (pkg/controller/job/backoff_utils.go), v1.37.1: each pod says how many of its index failed before it.
 */
export function indexEvidence(
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
      : `the Job fails at once with more than ${countOf(maxFailedIndexes, "failed index").replace(/indexs$/, "indexes")} (maxFailedIndexes)${known}`;
  const all =
    backoffLimit === NO_LIMIT
      ? ""
      : `; of all indexes together ${countOf(failed, "failed pod")}, backoffLimit ${backoffLimit}`;
  return [seen("job-limit-per-index", `${counted}; ${others}${all}`), ...nextOfIndex(pods, own, limit, atMs)];
}

function ownIndexClause(name: string, limit: number, { ofIndex, phase }: OwnedPod): string {
  const { index = 0, failures = 0 } = ofIndex ?? {};
  const failed = failures + (phase === "Failed" ? 1 : 0);
  const counted = `Job ${name}: ${countOf(failed, "failed pod")} of index ${index}, backoffLimitPerIndex ${limit}`;
  return failed > limit
    ? `${counted}: this index has failed for good`
    : `${counted}: it fails for good with failed pod ${limit + 1}`;
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
