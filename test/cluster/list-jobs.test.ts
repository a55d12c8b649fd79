import { describe, expect, it } from "vitest";
import { connect } from "../../src/cluster/api/connect.ts";
import { listUnsuccessfulJobs } from "../../src/cluster/list/list-jobs.ts";
import { failedJob } from "../../src/explain/owners/failed-job.ts";
import { writeKubeconfig } from "../support/kubeconfig.ts";
import { simulatorFor } from "../support/listing.ts";
import { aRawWorkload, ownedBy } from "../support/raw-workloads.ts";

const FAILED = { type: "Failed", status: "True", reason: "BackoffLimitExceeded", message: "it has reached the limit" };
const COMPLETE = { type: "Complete", status: "True" };

function aJob(name: string, status: object, { namespace = "prod", app = "web" } = {}): object {
  const metadata = { ...ownedBy(null, name, { namespace, labels: { app } }), uid: `${namespace}/${name}` };
  return aRawWorkload("Job", name, { metadata, spec: { backoffLimit: 2, completions: 5 }, status });
}

const MIGRATE = aJob("migrate", { failed: 3, conditions: [{ ...FAILED, lastTransitionTime: "2026-11-21T12:05:00Z" }] });
const PARTLY = { succeeded: 2, failed: 3, conditions: [FAILED] };

async function listed(objects: readonly object[], namespace: string | null = "prod", forbidden: string[] = []) {
  const simulator = await simulatorFor({ objects, forbidden });
  const connection = connect({ kubeconfig: writeKubeconfig(simulator.cluster), env: {} });
  const jobs = await listUnsuccessfulJobs(connection, { namespace, labelSelector: "app=web" });
  return { jobs, requests: simulator.requests, failed: jobs?.flatMap((job) => failedJob(job, [])) };
}

describe("listUnsuccessfulJobs()", () => {
  it("reads the Jobs without a success: those that have failed and those that still run", async () => {
    const { jobs, failed } = await listed([MIGRATE, aJob("running", { active: 1 }), aJob("api", {}, { app: "api" })]);
    expect(jobs).toHaveLength(2);
    expect(failed).toMatchObject([
      { namespace: "prod", name: "migrate", failedPods: 3, failedAtMs: Date.UTC(2026, 10, 21, 12, 5) },
    ]);
  });

  it("reads a Job that failed after some of its completions, and of other Jobs with a success only their rows", async () => {
    const done = aJob("done", { succeeded: 5, conditions: [COMPLETE] });
    const { jobs, requests } = await listed([MIGRATE, done, aJob("half", PARTLY), aJob("under-way", { succeeded: 1 })]);
    expect(jobs?.map(({ job: { name, succeeded } }) => `${name} ${succeeded}`)).toEqual(["migrate 0", "half 2"]);
    expect(requests).toHaveLength(3);
  });

  it("reads failed Jobs of one name in several namespaces once each", async () => {
    const partly = ["a", "b"].map((namespace) => aJob("load", PARTLY, { namespace }));
    const { failed } = await listed(
      [...partly, aJob("load", { failed: 3, conditions: [FAILED] }, { namespace: "c" })],
      null,
    );
    expect(failed?.map(({ namespace, name }) => `${namespace}/${name}`).sort()).toEqual(["a/load", "b/load", "c/load"]);
  });

  it("returns null if the user may not list Jobs", async () => {
    expect((await listed([MIGRATE], "prod", ["jobs"])).jobs).toBeNull();
  });
});
