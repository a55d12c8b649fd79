import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { quoted } from "../answer/excerpt.ts";
import type { FailedJob } from "../answer/explanation.ts";
import { prose } from "../answer/prose.ts";
import { commandsIn } from "../next-steps/pod-commands.ts";
import { conditionOf } from "../observed/lookups.ts";
import type { AskedJob, JobSnapshot } from "../observed/observation.ts";
import { countWords } from "./owner-deployment.ts";

/** `flags`: the kubectl flags that select the cluster and the user. */
export function failedJob({ namespace, job, podCount }: AskedJob, flags: readonly string[]): FailedJob[] {
  const condition = conditionOf(job, "Failed");
  if (condition?.status !== "True") return [];
  const { name, failed: failedPods, backoffLimit } = job;
  const { reason, message, lastTransitionAtMs: failedAtMs } = condition;
  const when = failedAtMs === null ? "has failed" : prose`failed at ${{ atMs: failedAtMs }}`;
  const left = podCount === 0 ? " No pod of it is left, and no log." : "";
  const why = `${because(job, reason, message)}${reason === null ? "" : ` (${reason})`}`;
  const commands = commandsIn(namespace, flags);
  const nextSteps = name.startsWith("-")
    ? []
    : [
        commands.read("see what it ran", "describe", `job/${name}`),
        commands.read("see its events", "events", "--for", `job/${name}`),
      ];
  const summary = prose`job/${name} ${when}: ${why}.${left}`;
  return [{ namespace, name, failedAtMs, reason, message, failedPods, backoffLimit, summary, nextSteps }];
}

/** See `JobReasonBackoffLimitExceeded` and `JobReasonDeadlineExceeded` (k8s.io/api v0.37.1, batch/v1/types.go). */
function because(job: JobSnapshot, reason: string | null, message: string | null): string {
  const { failed, backoffLimit, deadlineMs, restartPolicy } = job;
  const pods = countWords(failed, "failed pod");
  if (reason === "BackoffLimitExceeded")
    return restartPolicy === "OnFailure"
      ? `the restarts of its containers reached backoffLimit ${backoffLimit}, and its pod was deleted`
      : `${pods}, more than backoffLimit ${backoffLimit} allows`;
  if (reason === "DeadlineExceeded" && deadlineMs !== null)
    return `it was not done within its activeDeadlineSeconds, ${formatBriefDuration(deadlineMs)}`;
  return message === null ? pods : `${quoted(message)}; ${pods}`;
}
