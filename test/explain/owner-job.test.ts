import { describe, expect, it } from "vitest";
import { textInUtc } from "../../src/explain/answer/prose.ts";
import { jobEvidence } from "../../src/explain/owners/owner-job.ts";
import { S, T0_MS } from "../support/builders.ts";
import { aJob, anOwnedPod, condition } from "../support/owners.ts";

describe("jobEvidence()", () => {
  const AT_MS = T0_MS + 60 * S;
  const says = (
    job: Parameters<typeof aJob>[0],
    pods: Parameters<typeof jobEvidence>[1] = [],
    own?: Parameters<typeof jobEvidence>[2],
  ): string[] => jobEvidence(aJob(job), pods, own, AT_MS).map(({ rule, text }) => `${rule}: ${textInUtc(text)}`);
  const failed = (finishedAtMs: number) =>
    anOwnedPod(`export-${finishedAtMs}`, { phase: "Failed", finishedAtMs, restarts: 0 });

  it("counts the restarts of running and pending pods under OnFailure, as the Job controller does", () => {
    const pods = [
      anOwnedPod("a", { restarts: 3 }),
      anOwnedPod("b", { restarts: 1, phase: "Pending" }),
      anOwnedPod("c", { restarts: 9, phase: "Failed" }),
    ];
    expect(says({ restartPolicy: "OnFailure", failed: 1 }, pods)).toEqual([
      "job-backoff-limit: Job export: 4 restarts and one failed pod, backoffLimit 6: at 6 restarts the Job fails and its pods are deleted, logs included: save them now",
    ]);
    expect(says({ restartPolicy: "OnFailure", backoffLimit: 0 })).toEqual([
      expect.stringContaining("at one restart the Job"),
    ]);
  });

  it("counts failed pods under Never", () => {
    expect(says({ failed: 2 })).toEqual([
      "job-backoff-limit: Job export: 2 failed pods, backoffLimit 6: failed pod 7 fails the Job",
    ]);
  });

  it.each([
    { failures: [55], succeeded: 0, text: "at 2026-11-21T12:01:05Z, 10s after", why: "after the first failure" },
    { failures: [50], succeeded: 0, text: null, why: "none, because it is due" },
    { failures: [10, 52], succeeded: 0, text: "at 2026-11-21T12:01:12Z, 20s after", why: "after the second failure" },
    {
      failures: [0, 10, 20, 30, 40, 41, 42, 50],
      succeeded: 0,
      text: "at 2026-11-21T12:10:50Z, 10m after",
      why: "after at most ten minutes",
    },
    {
      failures: [10, 55],
      succeeded: 30,
      text: "at 2026-11-21T12:01:05Z, 10s after",
      why: "after a success, which resets the back-off",
    },
    { failures: [1], succeeded: 0, text: null, why: "none, because its time is long past" },
  ])("predicts the Job's next pod: $why", ({ failures, succeeded, text }) => {
    const pods = failures.map((second) => failed(T0_MS + second * S));
    const success =
      succeeded === 0 ? [] : [anOwnedPod("ok", { phase: "Succeeded", finishedAtMs: T0_MS + succeeded * S })];
    const job = { active: 0, failed: failures.length, succeeded: success.length };
    const found = says(job, [...pods, ...success]).filter((line) => line.startsWith("job-back-off:"));
    expect(found).toEqual(text === null ? [] : [expect.stringContaining(text)]);
  });

  it("says that the Job has failed, and why, and nothing of one that is complete", () => {
    const end = condition("Failed", "True", { reason: "BackoffLimitExceeded", lastTransitionAtMs: T0_MS });
    expect(says({ active: 0, failed: 7, conditions: [end] }, [failed(AT_MS)])).toEqual([
      "job-failed: Job export failed at 2026-11-21T12:00:00Z (BackoffLimitExceeded): 7 failed pods, backoffLimit 6",
    ]);
    expect(says({ conditions: [condition("Complete", "True")] })).toEqual([]);
  });

  describe("with backoffLimitPerIndex", () => {
    const perIndex = { limit: 2, maxFailedIndexes: null, failedIndexes: null };
    const NO_LIMIT = 2 ** 31 - 1;
    const job = { perIndex, backoffLimit: NO_LIMIT, failed: 4 };
    const ofIndex = (index: number, failures: number, second: number | null, ignoredFailures = 0) =>
      anOwnedPod(`export-${index}-${failures + ignoredFailures}`, {
        phase: second === null ? "Running" : "Failed",
        finishedAtMs: second === null ? null : T0_MS + second * S,
        ofIndex: { index, failures, ignoredFailures },
      });

    it("counts the failures of the pod's own index", () => {
      const own = ofIndex(3, 1, null);
      expect(says(job, [own, ofIndex(4, 0, 55)], own)).toEqual([
        "job-limit-per-index: Job export: one failed pod of index 3, backoffLimitPerIndex 2: failed pod 3 fails it; the other indexes go on, and the Job fails after them",
      ]);
    });

    it("says that an index has failed, and when the Job fails because of failed indexes", () => {
      const own = ofIndex(3, 2, 50);
      const more = { ...perIndex, maxFailedIndexes: 1, failedIndexes: "0,3-5" };
      expect(says({ ...job, backoffLimit: 9, perIndex: more }, [own], own)).toEqual([
        "job-limit-per-index: Job export: 3 failed pods of index 3, backoffLimitPerIndex 2: this index has failed; the Job fails immediately with more than one failed index (maxFailedIndexes), failed so far: 0,3-5; of all indexes together 4 failed pods, backoffLimit 9",
      ]);
    });

    it.each([
      {
        own: ofIndex(3, 0, 55),
        others: [],
        text: "of index 3 at 2026-11-21T12:01:05Z, 10s after",
        why: "after the first failure",
      },
      {
        own: ofIndex(3, 1, 55),
        others: [],
        text: "of index 3 at 2026-11-21T12:01:15Z, 20s after",
        why: "after the second failure",
      },
      {
        own: ofIndex(3, 0, 55, 2),
        others: [],
        text: "at 2026-11-21T12:01:35Z, 40s after",
        why: "ignored failures count",
      },
      { own: ofIndex(3, 2, 55), others: [], text: null, why: "none, because the index has failed" },
      { own: ofIndex(3, 0, 40), others: [], text: null, why: "none, because it is due" },
      { own: ofIndex(3, 0, 55), others: [ofIndex(3, 1, null)], text: null, why: "none, because the next pod runs" },
      {
        own: ofIndex(3, 0, 10),
        others: [ofIndex(3, 1, 55)],
        text: "20s after",
        why: "after the newest failure of the index",
      },
    ])("predicts the index's next pod: $why", ({ own, others, text }) => {
      const found = says({ ...job, active: 5 }, [ofIndex(1, 0, 58), own, ...others], own);
      const lines = found.filter((line) => line.startsWith("job-back-off:"));
      expect(lines).toEqual(text === null ? [] : [expect.stringContaining(text)]);
    });

    it("gives no numbers for a pod without an index, and says how the Job failed", () => {
      expect(says(job, [failed(AT_MS)], failed(AT_MS))[0]).toMatch(/^job-limit-per-index: Job export counts failures /);
      const end = condition("Failed", "True", { reason: "FailedIndexes", lastTransitionAtMs: T0_MS });
      expect(says({ ...job, perIndex: { ...perIndex, failedIndexes: "3" }, conditions: [end] })).toEqual([
        "job-failed: Job export failed at 2026-11-21T12:00:00Z (FailedIndexes): 4 failed pods, failed indexes 3, backoffLimitPerIndex 2",
      ]);
    });
  });

  it.each([
    { concurrencyPolicy: "Forbid" as const, text: "won't start another run while Job export is active" },
    { concurrencyPolicy: "Replace" as const, text: "replaces Job export at its next run" },
    { concurrencyPolicy: "Allow" as const, text: null },
  ])("says what a CronJob with $concurrencyPolicy does while the Job is active", ({ concurrencyPolicy, text }) => {
    const cronJob = { name: "nightly", schedule: "@daily", concurrencyPolicy };
    const found = says({ cronJob }).filter((line) => line.startsWith("cronjob"));
    expect(found).toEqual(
      text === null
        ? []
        : [`cronjob-concurrency: CronJob nightly (@daily) ${text} (concurrencyPolicy ${concurrencyPolicy})`],
    );
  });
});
