import { describe, expect, it } from "vitest";
import { textInUtc } from "../../src/explain/answer/prose.ts";
import { workloadInWords } from "../../src/explain/answer/workload.ts";
import type { OwnersObservation, WorkloadSnapshot } from "../../src/explain/observed/observation.ts";
import { workloadStatus } from "../../src/explain/owners/workload-status.ts";
import { T0_MS } from "../support/builders.ts";
import { aDaemonSet, aDeployment, aJob, aStatefulSet, condition } from "../support/owners.ts";

function statusOf(workload: WorkloadSnapshot, chain = [{ kind: workload.kind as string, name: workload.name }]) {
  const links = chain.map((link) => ({ ...link, basis: "observed" as const }));
  return workloadStatus({ chain: links, workload, revisions: [], pods: [], missing: [] } satisfies OwnersObservation);
}

const REPLICA_SET = { kind: "ReplicaSet" as const, name: "web-1", replicas: 2, readyReplicas: 1, conditions: [] };
const OVER_QUOTA = condition("ReplicaFailure", "True", { message: 'pods "web-1-x" is forbidden: exceeded quota: mem' });

describe("workloadStatus()", () => {
  it.each([
    { workload: aDeployment(), says: "2 of 3 ready", why: "a Deployment that is available" },
    {
      workload: aDeployment({
        readyReplicas: 0,
        conditions: [
          condition("Available", "False", { lastTransitionAtMs: T0_MS }),
          condition("Progressing", "False", { reason: "ProgressDeadlineExceeded", lastTransitionAtMs: T0_MS + 60_000 }),
        ],
      }),
      says: "0 of 3 ready; unavailable since 2026-11-21T12:00:00Z; rollout stuck since 2026-11-21T12:01:00Z",
      why: "a Deployment whose rollout is stuck",
    },
    {
      workload: aDeployment({ conditions: [condition("Progressing", "False", { reason: "FailedCreate" })] }),
      says: "2 of 3 ready",
      why: "a rollout that is not past its deadline",
    },
    {
      workload: { ...REPLICA_SET, conditions: [OVER_QUOTA] },
      says: `1 of 2 ready; it can't create pods: pods "web-1-x" is forbidden: exceeded quota: mem`,
      why: "a ReplicaSet without quota",
    },
    { workload: aStatefulSet(), says: "2 of 3 ready", why: "a StatefulSet" },
    { workload: aDaemonSet(), says: "3 of 4 ready", why: "a DaemonSet" },
    { workload: aJob(), says: "0 of 1 ready", why: "a Job" },
    {
      workload: aJob({ parallelism: 5, completions: 7, succeeded: 4, ready: 2 }),
      says: "2 of 3 ready",
      why: "a Job that needs fewer pods than it may run",
    },
    { workload: aJob({ parallelism: 5, completions: null }), says: "0 of 5 ready", why: "a Job as a queue of work" },
  ])("of $why", ({ workload, says }) => {
    const status = statusOf(workload);
    expect(status).toMatchObject({ kind: workload.kind, name: workload.name });
    expect(status === null ? null : textInUtc(workloadInWords(status))).toBe(says);
  });

  it("names the Job, not its CronJob", () => {
    const chain = [
      { kind: "Job", name: "export" },
      { kind: "CronJob", name: "nightly" },
    ];
    expect(statusOf(aJob(), chain)).toMatchObject({ kind: "Job", name: "export", ready: 0 });
  });

  it("names a Deployment that could not be read, without numbers", () => {
    const chain = [
      { kind: "ReplicaSet", name: "web-1" },
      { kind: "Deployment", name: "web" },
    ];
    const status = statusOf(REPLICA_SET, chain);
    expect(status).toMatchObject({ kind: "Deployment", name: "web", ready: null, replicas: null });
    expect(status === null ? null : workloadInWords(status)).toBe("");
  });

  it("is null for a bare pod", () => {
    expect(statusOf(aJob(), [])).toBeNull();
  });
});
