import { ageIn } from "../../explain/answer/excerpt.ts";
import type { Availability, ContainerExplanation, PodExplanation } from "../../explain/answer/explanation.ts";
import { formatPercent, joinedProse, type Prose, prose } from "../../explain/answer/prose.ts";
import type { ShownValues } from "../../explain/answer/setting-change.ts";
import { sinceInWords } from "../../explain/answer/since.ts";
import { workloadInWords } from "../../explain/answer/workload.ts";
import { isFailing, isFine, mainContainer } from "../../explain/triage.ts";
import { HOUR_MS } from "../../kubelet/go-duration.ts";
import { hasPodEnded } from "../page/ending.ts";

const CLOSE_MS = 60_000;

export function sinceText(pod: PodExplanation, nowMs: number, shown: ShownValues): Prose {
  const { since = null } = pod;
  const began = beginning(pod, nowMs);
  if (since === null || since.kind === "healthy-peers") return began;
  const words = sinceInWords(since, nowMs, shown);
  return since.atMs === null || since.kind === "earlier" ? joinedProse(", ", [began, words]) : words;
}

function beginning(pod: PodExplanation, nowMs: number): Prose {
  const main = failingMainContainer(pod);
  if (main === null || main.failingSince === null) return "";
  const { atMs, basis, isUpperBound = false } = main.failingSince;
  const age = `${isUpperBound ? "more than " : ""}${ageIn(nowMs - atMs)} ago`;
  const isFromStart = !isUpperBound && pod.createdAtMs !== null && atMs - pod.createdAtMs <= CLOSE_MS;
  if (isFromStart) return prose`${{ atMs }} (${age}), when the pod was created`;
  return prose`${isUpperBound ? "before " : basis === "inferred" ? "about " : ""}${{ atMs }} (${age})`;
}

export function isPodOver(pod: Pick<PodExplanation, "verdict" | "phase" | "containers">): boolean {
  return pod.verdict === "terminating" || hasPodEnded(pod);
}

function failingMainContainer(pod: PodExplanation): ContainerExplanation | null {
  const main = isPodOver(pod) ? undefined : mainContainer(pod);
  return main !== undefined && isFailing(main) ? main : null;
}

/** Assumed: over a shorter time, the percentage of time that a pod is down means nothing. */
const LEAST_FOR_SHARE_MS = 60_000;

export function impactText(pod: PodExplanation, nowMs: number): Prose {
  const { workload, availability, since = null } = pod;
  if (isFine(pod) || isPodOver(pod)) return "";
  const main = failingMainContainer(pod);
  const ready = workload == null ? "" : workloadInWords(workload);
  if (main === null) return ready;
  const isBeginningShown = since === null || since.kind === "earlier" || since.kind === "healthy-peers";
  const shownMs = isBeginningShown ? null : since.atMs;
  return joinedProse("; ", [
    ready,
    availability === null || nowMs - availability.sinceMs < LEAST_FOR_SHARE_MS
      ? ""
      : downWords(availability, shownMs, (workload?.ready ?? 0) > 0),
    availability === null ? "" : paceWords(main, availability, nowMs),
  ]);
}

function downWords({ sinceMs, share, basis }: Availability, shownMs: number | null, hasReadyPods: boolean): Prose {
  const percent = `${basis === "inferred" ? "about " : ""}${formatPercent(share)}`;
  const down = `${hasReadyPods ? "a failing pod is " : ""}down ${percent} of the time`;
  const isShown = shownMs === null || Math.abs(sinceMs - shownMs) <= CLOSE_MS;
  return isShown ? down : prose`${down} since ${{ atMs: sinceMs }}`;
}

function paceWords({ history }: ContainerExplanation, { sinceMs }: Availability, nowMs: number): string {
  const restarts = history.filter(({ start, startedAtMs, startedBetweenMs }) => {
    return start > 0 && (startedAtMs ?? startedBetweenMs?.[1] ?? Number.NEGATIVE_INFINITY) >= sinceMs;
  });
  const lastedMs = nowMs - sinceMs;
  return lastedMs < HOUR_MS / 2 || restarts.length < 2 ? "" : `${restarts.length} restarts in ${ageIn(lastedMs)}`;
}
