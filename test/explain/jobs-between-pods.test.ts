import { describe, expect, it } from "vitest";
import { etaOf } from "../../src/explain/eta/eta.ts";
import { etaPart } from "../../src/explain/eta/parts.ts";
import type { JobSnapshot, OwnedPod, PodObservation } from "../../src/explain/observed/observation.ts";
import { jobsBetweenPods } from "../../src/explain/owners/next-job-pods.ts";
import { explainWithOwners } from "../../src/explain/owners/owner-explanation.ts";
import { renderEtaTable } from "../../src/render/eta/eta-table.ts";
import { answerOf, summaryOf } from "../../src/render/page/answer.ts";
import { timesAround } from "../../src/render/page/times.ts";
import { aPod, aStatus, observationOf, S, T0_MS, terminated } from "../support/builders.ts";
import { aJob, anOwnedPod, condition } from "../support/owners.ts";

const NOW_MS = T0_MS + 60 * S;
const LOOK = { columns: 120, color: false, timeZone: "UTC" };

function failedPod(name: string, job: Partial<JobSnapshot>, seconds: readonly number[]): PodObservation {
  const chain = [{ kind: "Job", name: "export", basis: "observed" }] as const;
  const failed = (second: number, index: number): OwnedPod =>
    anOwnedPod(`export-${index}`, { phase: "Failed", finishedAtMs: T0_MS + second * S, restarts: 0 });
  const pods = seconds.map(failed);
  const workload = aJob({ active: 0, failed: seconds.length, ...job });
  const state = terminated(T0_MS, T0_MS + (seconds.at(-1) ?? 0) * S);
  const pod = aPod({ name, phase: "Failed", restartPolicy: "Never", statuses: [aStatus({ state })], owner: chain[0] });
  const [observed] = observationOf(pod, { owners: { chain, workload, revisions: [], pods, missing: [] } }).pods;
  if (observed === undefined) throw new Error("no pod");
  return observed;
}

const found = (job: Partial<JobSnapshot>, seconds: readonly number[]) =>
  jobsBetweenPods({ pods: [failedPod("export-0", job, seconds), failedPod("export-1", job, seconds)] });

describe("a Job that waits until it makes its next pod", () => {
  it("is found once, with the time of the next pod", () => {
    expect(found({}, [10, 52])).toEqual([{ namespace: "default", name: "export", atMs: T0_MS + 72 * S }]);
  });

  it.each<{ why: string; job: Partial<JobSnapshot> }>([
    { why: "a pod of the Job runs", job: { active: 1 } },
    { why: "the Job has failed", job: { conditions: [condition("Failed", "True")] } },
    { why: "the Job is about to fail", job: { conditions: [condition("FailureTarget", "True")] } },
    { why: "the Job is suspended", job: { conditions: [condition("Suspended", "True")] } },
    { why: "the Job is complete", job: { conditions: [condition("Complete", "True")] } },
  ])("is not found if $why", ({ job }) => {
    expect(found(job, [52])).toEqual([]);
  });

  const pods = [failedPod("export-1", {}, [10, 52])];
  const etaAt = (atMs: number) => {
    const now = { atMs, atBasis: "flag" } as const;
    const eta = etaOf(etaPart({ ...now, pods }, {}), now, { waitingJobs: jobsBetweenPods({ pods }) });
    return renderEtaTable(eta, LOOK);
  };

  it("has its next pod in an estimate, which has nothing else to wait for", () => {
    expect(etaAt(NOW_MS)).toContain(
      "No pod is meant to be up now. default/job/export makes another pod at 12:01:12 UTC (in 12s).\n",
    );
    expect(etaAt(T0_MS + 102 * S)).toContain(
      "default/job/export should have made another pod at 12:01:12 UTC (30s ago).",
    );
  });

  it("has its next pod on the page and in the summary of a failed pod", () => {
    const [pod] = explainWithOwners({ atMs: NOW_MS, atBasis: "flag", pods }, {}).pods;
    if (pod === undefined) throw new Error("no pod");
    const says = "The Job controller makes the next pod at 12:01:12 UTC, 20s after the last failure";
    const moment = { nowMs: NOW_MS, times: timesAround(NOW_MS, "UTC") };
    expect(answerOf(pod, moment).next).toContain(says);
    expect(summaryOf(pod, moment)).toContain(says);
  });
});

it("names the Jobs that make other pods beside containers that are down, three at most", () => {
  const now = { atMs: NOW_MS, atBasis: "flag" } as const;
  const waitingJobs = ["a", "b", "c", "d"].map((name) => ({ namespace: "shop", name, atMs: NOW_MS + 10 * S }));
  const [running] = observationOf(aPod(), { atMs: NOW_MS }).pods;
  const eta = etaOf(etaPart({ ...now, pods: running === undefined ? [] : [running] }, {}), now, { waitingJobs });
  const text = renderEtaTable(eta, LOOK);
  expect(text).toContain("The pod is up.\n");
  expect(text).toContain(
    "shop/job/c makes another pod at 12:01:10 UTC (in 10s).\n1 more Job will make another pod later.",
  );
  expect(text).not.toContain("shop/job/d");
});
