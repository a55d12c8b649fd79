import { delayAtStep } from "../../backoff/curve.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import type { Evidence } from "../answer/explanation.ts";
import { instantIn } from "../answer/instant-words.ts";
import { concluded } from "./owner-words.ts";

/** `DefaultJobPodFailureBackOff` and `MaxJobPodFailureBackOff` (v1.37.1, pkg/controller/job/job_controller.go). */
const JOB_BACK_OFF = { initialMs: 10_000, maxMs: 600_000 } as const;

/** Failures in a row, at least one. */
export interface JobFailures {
  readonly failures: number;
  readonly lastFailedAtMs: number;
  /** Of which pods, as the end of a clause: " of index 3", or nothing. */
  readonly which: string;
}

/**
 * When the Job controller makes the next pod; nothing if it may have been made by now. Mirrors
 * `getRemainingTimeForFailuresCount` (v1.37.1, pkg/controller/job/backoff_utils.go).
 */
export function nextPodEvidence({ failures, lastFailedAtMs, which }: JobFailures, atMs: number): Evidence[] {
  const delayMs = delayAtStep(failures - 1, JOB_BACK_OFF);
  const dueAtMs = lastFailedAtMs + delayMs;
  if (dueAtMs <= atMs) return [];
  const curve = `${formatBriefDuration(JOB_BACK_OFF.initialMs)}, doubling up to ${formatBriefDuration(JOB_BACK_OFF.maxMs)}, which is not the kubelet's`;
  const text = `the Job controller makes the next pod${which} at ${instantIn(dueAtMs)}, ${formatBriefDuration(delayMs)} after the last failure (${curve})`;
  return [concluded("job-back-off", text)];
}
