import { describe, expect, it } from "vitest";
import { textInUtc } from "../../src/explain/answer/prose.ts";
import { failedJob } from "../../src/explain/owners/failed-job.ts";
import { T0_MS } from "../support/builders.ts";
import { aJob, condition } from "../support/owners.ts";

function summaryOf(reason: string | null, more: object = {}, podCount = 1): string | undefined {
  const failed = condition("Failed", "True", {
    reason,
    message: "Job was active too long.",
    lastTransitionAtMs: T0_MS,
  });
  const job = aJob({ failed: 3, active: 0, backoffLimit: 2, conditions: [failed], ...more });
  const [failure] = failedJob({ namespace: "prod", job, podCount }, []);
  return failure && textInUtc(failure.summary);
}

describe("failedJob()", () => {
  const at = "job/export failed at 2026-11-21T12:00:00Z: ";
  it.each([
    [summaryOf("BackoffLimitExceeded"), `${at}3 failed pods, more than backoffLimit 2 allows (BackoffLimitExceeded).`],
    [
      summaryOf("BackoffLimitExceeded", { restartPolicy: "OnFailure", failed: 1 }, 0),
      `${at}the restarts of its containers reached backoffLimit 2, and its pod was deleted (BackoffLimitExceeded). No pod of it is left, and no log.`,
    ],
    [
      summaryOf("DeadlineExceeded", { deadlineMs: 600_000 }),
      `${at}it was not done within its activeDeadlineSeconds, 10m (DeadlineExceeded).`,
    ],
    [summaryOf("PodFailurePolicy"), `${at}Job was active too long; 3 failed pods (PodFailurePolicy).`],
    [summaryOf("X", { conditions: [] }), undefined],
    [summaryOf("X", { conditions: [condition("Failed", "False")] }), undefined],
  ])("has the summary: %s", (summary, says) => {
    expect(summary).toBe(says);
  });
});
