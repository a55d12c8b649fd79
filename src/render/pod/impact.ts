import { ageIn } from "../../explain/answer/excerpt.ts";
import type { Availability, ContainerExplanation, PodExplanation } from "../../explain/answer/explanation.ts";
import { formatPercent, joinedProse, type Prose, prose } from "../../explain/answer/prose.ts";
import type { ShownValues } from "../../explain/answer/setting-change.ts";
import { sinceInWords } from "../../explain/answer/since.ts";
import { type Workload, workloadInWords } from "../../explain/answer/workload.ts";
import { leastOf } from "../../explain/observed/max-min.ts";
import { isFailing, isFine, mainContainer } from "../../explain/triage.ts";
import { HOUR_MS } from "../../kubelet/go-duration.ts";

/** Two times count as the same if they differ by at most this. */
const CLOSE_MS = 60_000;

/**
 * Returns since when the pod has been failing, and what its workload's revisions show about that; "" if neither is
 * known.
 */
export function sinceText(pod: PodExplanation, nowMs: number, shown: ShownValues): Prose {
  const { since = null } = pod;
  const began = beginning(pod, nowMs);
  if (since === null || since.kind === "healthy-peers") return began;
  const words = sinceInWords(since, nowMs, shown);
  // Only these have no time of their own.
  return since.atMs === null || since.kind === "earlier" ? joinedProse(", ", [began, words]) : words;
}

function beginning(pod: PodExplanation, nowMs: number): Prose {
  const main = failingContainer(pod);
  if (main === null || main.failingSince === null) return "";
  const { atMs, basis, isLatest = false } = main.failingSince;
  const age = `${isLatest ? "more than " : ""}${ageIn(nowMs - atMs)} ago`;
  const isFromStart = !isLatest && pod.createdAtMs !== null && atMs - pod.createdAtMs <= CLOSE_MS;
  if (isFromStart) return prose`${{ atMs }} (${age}), when the pod was created`;
  return prose`${isLatest ? "before " : basis === "inferred" ? "about " : ""}${{ atMs }} (${age})`;
}

function isOver({ verdict }: PodExplanation): boolean {
  return verdict === "terminating" || verdict === "failed" || verdict === "completed";
}

/** Returns the pod's main container if it is failing; null otherwise, and if the pod is over. */
function failingContainer(pod: PodExplanation): ContainerExplanation | null {
  const main = isOver(pod) ? undefined : mainContainer(pod);
  return main !== undefined && isFailing(main) ? main : null;
}

/**
 * Leaves out when a Deployment became unavailable if that was more than {@link CLOSE_MS} after the failures began: a
 * pod without a readiness probe makes it available again during each run.
 */
function withoutFlapping(workload: Workload, pod: PodExplanation): Workload {
  const { unavailableSinceMs } = workload;
  const exits = pod.containers.flatMap(({ history }) => history.flatMap(({ finishedAtMs }) => finishedAtMs ?? []));
  const beganMs = pod.availability?.sinceMs ?? failingContainer(pod)?.failingSince?.atMs ?? leastOf(exits);
  const isLater = unavailableSinceMs !== null && unavailableSinceMs > beganMs + CLOSE_MS;
  return isLater ? { ...workload, unavailableSinceMs: null } : workload;
}

/**
 * If the failures began less than this ago, the share of time down is left out: a container that has just crashed was
 * down for all of it.
 */
const LEAST_SHARED_MS = 60_000;

/**
 * Returns how bad it is: the workload's ready pods and conditions, the share of time down, the number of restarts in
 * that time; "" if the pod is fine or over.
 */
export function impactText(pod: PodExplanation, nowMs: number): Prose {
  const { workload, availability, since = null } = pod;
  if (isFine(pod) || isOver(pod)) return "";
  const main = failingContainer(pod);
  const ready = workload == null ? "" : workloadInWords(withoutFlapping(workload, pod));
  if (main === null) return ready;
  // Of these, the note "Since" has the time of the first failure.
  const isByFailure = since === null || since.kind === "earlier" || since.kind === "healthy-peers";
  const sinceMs = isByFailure ? null : since.atMs;
  return joinedProse("; ", [
    ready,
    availability === null || nowMs - availability.sinceMs < LEAST_SHARED_MS
      ? ""
      : downWords(availability, sinceMs, (workload?.ready ?? 0) > 0),
    availability === null ? "" : paceWords(main, availability, nowMs),
  ]);
}

/**
 * Returns "down 86% of the time", with since when unless that is close to `saidMs`, which the page already shows; never
 * if `saidMs` is null. `isOneOfMany`: the workload has ready pods, which do not count.
 */
function downWords({ sinceMs, share, basis }: Availability, saidMs: number | null, isOneOfMany: boolean): Prose {
  const percent = `${basis === "inferred" ? "about " : ""}${formatPercent(share)}`;
  const down = `${isOneOfMany ? "a failing pod is " : ""}down ${percent} of the time`;
  const isSaid = saidMs === null || Math.abs(sinceMs - saidMs) <= CLOSE_MS;
  return isSaid ? down : prose`${down} since ${{ atMs: sinceMs }}`;
}

/** Returns "19 restarts in 73m"; "" for fewer than 2 restarts or less than half an hour: the table shows them all. */
function paceWords({ history }: ContainerExplanation, { sinceMs }: Availability, nowMs: number): string {
  const restarts = history.filter(({ start, startedAtMs, startedBetweenMs }) => {
    return start > 0 && (startedAtMs ?? startedBetweenMs?.[1] ?? Number.NEGATIVE_INFINITY) >= sinceMs;
  });
  const lastedMs = nowMs - sinceMs;
  return lastedMs < HOUR_MS / 2 || restarts.length < 2 ? "" : `${restarts.length} restarts in ${ageIn(lastedMs)}`;
}
