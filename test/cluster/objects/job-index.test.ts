import { describe, expect, it } from "vitest";
import { toOwnedPod } from "../../../src/cluster/objects/pod.ts";
import { toWorkloadSnapshot } from "../../../src/cluster/objects/workload.ts";

function jobOf(spec: object, status: object = {}) {
  return toWorkloadSnapshot("Job", { metadata: { name: "export" }, spec, status });
}

function podOf(annotations: object) {
  return toOwnedPod("Job", "export", { metadata: { name: "export-3-x", annotations }, status: { phase: "Failed" } });
}

describe("an indexed Job with a limit for every index", () => {
  it("has that limit, the number of indexes that may fail, and those that did", () => {
    const spec = { backoffLimitPerIndex: 2, maxFailedIndexes: 5 };
    expect(jobOf(spec, { failedIndexes: "1,3-5" })).toMatchObject({
      backoffLimit: 2 ** 31 - 1,
      perIndex: { limit: 2, maxFailedIndexes: 5, failedIndexes: "1,3-5" },
    });
    expect(jobOf({ backoffLimitPerIndex: 0 }, { failedIndexes: "" })).toMatchObject({
      perIndex: { limit: 0, maxFailedIndexes: null, failedIndexes: null },
    });
    expect(jobOf({})).toMatchObject({ backoffLimit: 6, perIndex: null });
  });

  it.each([
    { count: { "job-index-failure-count": "1" }, ofIndex: { index: 3, failures: 1, ignoredFailures: 0 } },
    {
      count: { "job-index-failure-count": "0", "job-index-ignored-failure-count": "4" },
      ofIndex: { index: 3, failures: 0, ignoredFailures: 4 },
    },
    { count: { "job-index-failure-count": "-1" }, ofIndex: undefined },
    { count: {}, ofIndex: undefined },
  ])("has pods that say how often their index failed before: $count", ({ count, ofIndex }) => {
    const counts = Object.entries(count).map(([name, value]) => [`batch.kubernetes.io/${name}`, value]);
    const annotations = { "batch.kubernetes.io/job-completion-index": "3", ...Object.fromEntries(counts) };
    expect(podOf(annotations).ofIndex).toEqual(ofIndex);
  });
});
