import { describe, expect, it } from "vitest";
import { connect } from "../../src/cluster/api/connect.ts";
import { listUnsuccessfulJobs } from "../../src/cluster/list/list-jobs.ts";
import { failedJob } from "../../src/explain/owners/failed-job.ts";
import { apiServer, useFakeApiServer } from "../support/api-server.ts";
import { writeKubeconfig } from "../support/kubeconfig.ts";
import { status } from "../support/raw-objects.ts";

useFakeApiServer();

const CONDITION = {
  type: "Failed",
  status: "True",
  reason: "BackoffLimitExceeded",
  message: "it has reached the limit",
};

function aJob(name: string, more: object): object {
  const spec = { backoffLimit: 2, template: { spec: { restartPolicy: "Never" } } };
  return { metadata: { name, namespace: "prod" }, spec, status: more };
}

function jobs(answer: [number, object]) {
  const query = { fieldSelector: "status.successful=0", labelSelector: "app=web", limit: "500" };
  apiServer()
    .get("/apis/batch/v1/namespaces/prod/jobs")
    .query(query)
    .reply(...answer);
  const connection = connect({ kubeconfig: writeKubeconfig(), env: {} });
  return listUnsuccessfulJobs(connection, { namespace: "prod", labelSelector: "app=web" });
}

describe("listUnsuccessfulJobs()", () => {
  it("reads the Jobs without a success: those that have failed and those that still run", async () => {
    const failed = aJob("migrate", {
      failed: 3,
      conditions: [{ ...CONDITION, lastTransitionTime: "2026-11-21T12:05:00Z" }],
    });
    const asked = await jobs([200, { items: [failed, aJob("running", { active: 1 })] }]);
    expect(asked?.flatMap((job) => failedJob(job, []))).toMatchObject([
      { namespace: "prod", name: "migrate", failedPods: 3, failedAtMs: Date.UTC(2026, 10, 21, 12, 5) },
    ]);
  });

  it("returns null if that is forbidden", async () => {
    expect(await jobs([403, status(403, "no")])).toBeNull();
  });
});
