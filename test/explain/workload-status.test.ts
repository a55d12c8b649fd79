import { describe, expect, it } from "vitest";
import type { ContainerExplanation, PodExplanation, Workload } from "../../src/explain/answer/explanation.ts";
import { textInUtc } from "../../src/explain/answer/prose.ts";
import { workloadInWords } from "../../src/explain/answer/workload.ts";
import type { OwnersObservation, WorkloadSnapshot } from "../../src/explain/observed/observation.ts";
import { withoutFlapping, workloadStatus } from "../../src/explain/owners/workload-status.ts";
import { T0_MS } from "../support/builders.ts";
import { atClock, container, DOWN, pod, runs } from "../support/explanations.ts";
import { aDaemonSet, aDeployment, aJob, aStatefulSet, condition } from "../support/owners.ts";

function statusOf(workload: WorkloadSnapshot, chain = [{ kind: workload.kind as string, name: workload.name }]) {
  const links = chain.map((link) => ({ ...link, basis: "observed" as const }));
  return workloadStatus({ chain: links, workload, revisions: [], pods: [], missing: [] } satisfies OwnersObservation);
}

const REPLICA_SET = { kind: "ReplicaSet" as const, name: "web-1", replicas: 2, readyReplicas: 1, conditions: [] };
const OVER_QUOTA = condition("ReplicaFailure", "True", { message: 'pods "web-1-x" is forbidden: exceeded quota: mem' });

const WEB: Workload = {
  kind: "Deployment",
  name: "web",
  ready: 0,
  replicas: 1,
  unavailableSinceMs: null,
  rolloutStuckSinceMs: null,
  cannotCreate: null,
};
const UP: Partial<ContainerExplanation> = { state: "running", isReady: false, reset: null, isCrashLooping: false };

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
    {
      workload: aJob({ parallelism: 5, completions: null, succeeded: 1, active: 2, ready: 1 }),
      says: "1 of 2 ready",
      why: "a Job as a queue of work that starts no more pods after a success",
    },
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

describe("withoutFlapping()", () => {
  const availability = { sinceMs: atClock("13:36:05"), downMs: 200_000, share: 0.855, basis: "observed" as const };
  const loop = (first: [string, string]) => runs(1, first, ["13:36:10", "13:36:15"], ["13:36:26", "13:36:31"]);
  const fresh = loop(["13:36:05", "13:36:09"]);
  const healthyBefore = loop(["12:00:00", "13:36:05"]);

  it.each<{
    since: string;
    why: string;
    shown: boolean;
    about?: Partial<PodExplanation>;
    more?: Partial<ContainerExplanation>;
  }>([
    { since: "13:36:10", about: { availability }, shown: true, why: "close to the first failure" },
    { since: "13:39:10", about: { availability }, shown: false, why: "well after the first failure" },
    {
      since: "13:39:10",
      more: { failingSince: { atMs: atClock("13:36:05"), basis: "inferred", isUpperBound: true } },
      shown: false,
      why: "well after the latest possible first failure",
    },
    {
      since: "13:39:10",
      more: { history: runs(4, ["13:30:00", "13:30:05"], ["13:39:00", "13:39:10"]) },
      shown: false,
      why: "well after the first known exit",
    },
    {
      since: "13:36:04",
      about: { availability },
      more: { history: fresh },
      shown: true,
      why: "before the first run, as of a new Deployment whose pods never become available",
    },
    {
      since: "13:36:09",
      about: { availability },
      more: { history: fresh.slice(0, 1) },
      shown: false,
      why: "at the exit of a short first run, which the next exit would change",
    },
    {
      since: "13:36:31",
      about: { availability },
      more: { history: fresh },
      shown: false,
      why: "at the third exit in the first minute",
    },
    {
      since: "13:36:06",
      about: { availability },
      more: { history: healthyBefore.slice(0, 1) },
      shown: true,
      why: "at the end of a long run",
    },
    {
      since: "13:36:06",
      about: { availability },
      more: { history: healthyBefore },
      shown: true,
      why: "at the end of a long run, while later runs never make the Deployment available",
    },
    {
      since: "13:36:32",
      about: { availability },
      more: { history: healthyBefore },
      shown: false,
      why: "at the end of a later run, because each run makes the Deployment available",
    },
    {
      since: "13:36:09",
      about: { availability },
      more: { type: "init", history: fresh },
      shown: true,
      why: "after the exit of an init container, during whose runs the pod is not Ready",
    },
    {
      since: "13:39:00",
      more: { ...UP, failingSince: { atMs: atClock("12:00:00"), basis: "observed" } },
      shown: true,
      why: "while the pod runs and is not Ready",
    },
  ])("shows $shown for an instant $why", ({ since, about = {}, more = {}, shown }) => {
    const failing = pod([container({ ...DOWN, ...more })], { verdict: "crash-looping", ...about });
    const unavailableSinceMs = atClock(since);
    const status = withoutFlapping({ ...WEB, unavailableSinceMs }, failing);
    expect(status).toEqual({ ...WEB, unavailableSinceMs: shown ? unavailableSinceMs : null });
  });
});
