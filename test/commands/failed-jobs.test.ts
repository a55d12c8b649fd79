import { beforeEach, describe, expect, it, vi } from "vitest";
import { useFakeApiServer } from "../support/api-server.ts";
import { run } from "../support/command.ts";
import { writeDocument, writeKubeconfig } from "../support/kubeconfig.ts";
import { answer, answerList, inProd, refuseTheRest } from "../support/observe-targets.ts";
import { aRawPod } from "../support/raw-objects.ts";
import { aFineRawPod, aRawWorkload, ownedBy } from "../support/raw-workloads.ts";
import { validExplanation } from "../support/schema.ts";

useFakeApiServer();
beforeEach(() => {
  vi.stubEnv("KUBECONFIG", writeKubeconfig());
});

function aRawFailedJob(name = "migrate", more: object = {}): object {
  const message = "Job has reached the specified backoff limit";
  const failed = { type: "Failed", status: "True", reason: "BackoffLimitExceeded", message };
  const conditions = [{ ...failed, lastTransitionTime: "2026-11-21T12:05:00Z" }];
  return aRawWorkload("Job", name, {
    spec: { selector: { matchLabels: { app: name } }, backoffLimit: 2 },
    status: { failed: 3, conditions },
    ...more,
  });
}

const SUMMARY =
  "job/migrate failed at 2026-11-21T12:05:00Z: 3 failed pods, more than backoffLimit 2 allows (BackoffLimitExceeded). No pod of it is left, and no log.";

describe("kubectl backoff explain job/NAME of a failed Job without pods", () => {
  beforeEach(() => {
    answer(inProd("jobs", "migrate"), aRawFailedJob());
    answerList("pods", [], "app=migrate");
    refuseTheRest();
  });

  it("says when and why it failed, and what to read", async () => {
    expect(await run("explain", "job/migrate")).toEqual({
      exitCode: 0,
      stderr: "",
      stdout: [
        "prod/job/migrate failed at 13:05:00 GMT+1: 3 failed pods, more than backoffLimit",
        "2 allows (BackoffLimitExceeded). No pod of it is left, and no log.",
        "",
        "Next",
        "  see what it ran  kubectl describe job/migrate -n prod",
        "  see its events   kubectl events --for job/migrate -n prod",
        "",
      ].join("\n"),
    });
  });

  it("has the failure in JSON, without pods", async () => {
    const { pods, failedJobs } = validExplanation((await run("explain", "job/migrate", "-o", "json")).stdout);
    expect(pods).toEqual([]);
    expect(failedJobs).toMatchObject([
      { name: "migrate", failedAt: "2026-11-21T12:05:00Z", reason: "BackoffLimitExceeded", summary: SUMMARY },
    ]);
  });

  it.each(["md", "html"])("says in -o %s that the Job failed", async (form) => {
    expect((await run("explain", "job/migrate", "-o", form)).stdout).toMatch(/job\/migrate failed at 13:05:00/);
  });

  it.each(["name", "svg"])("says on stderr that the Job failed with -o %s, which has no place for it", async (form) => {
    const stderr = `${SUMMARY.replace("2026-11-21T12:05:00Z", "13:05:00 GMT+1")}\n`;
    expect(await run("explain", "job/migrate", "-o", form)).toMatchObject({ stdout: "", stderr });
  });

  it.each([
    [["--exit-code=any"], 4],
    [["--exit-code"], 0],
  ])("with %s exits with %d", async (flags, exitCode) => {
    expect(await run("explain", "job/migrate", ...flags)).toMatchObject({ exitCode });
  });
});

describe("kubectl backoff eta job/NAME of a failed Job without pods", () => {
  beforeEach(() => {
    answer(inProd("jobs", "migrate"), aRawFailedJob());
    answerList("pods", [], "app=migrate");
    refuseTheRest();
  });

  it("says that it failed, why, and what to do", async () => {
    expect(await run("eta", "job/migrate")).toEqual({
      exitCode: 0,
      stderr: "",
      stdout: [
        "There is nothing to wait for: a failed Job creates no more pods.",
        "",
        "prod/job/migrate failed at 13:05:00 GMT+1: 3 failed pods, more than backoffLimit",
        "2 allows (BackoffLimitExceeded). No pod of it is left, and no log. Once the",
        "cause is fixed, create the Job again.",
        "To see what it ran:",
        "  kubectl describe job/migrate -n prod",
        "",
      ].join("\n"),
    });
  });

  it("has the failure in JSON", async () => {
    const { total, failedJobs } = JSON.parse((await run("eta", "job/migrate", "-o", "json")).stdout);
    expect({ total, failedJobs }).toMatchObject({ total: 0, failedJobs: [{ name: "migrate", summary: SUMMARY }] });
  });
});

describe("kubectl backoff explain cronjob/NAME", () => {
  it("says that its newest Job has failed, beside the pods of an older one", async () => {
    const ofCronJob = (name: string, creationTimestamp: string) => ({
      metadata: { ...ownedBy({ kind: "CronJob", name: "nightly" }, name, { creationTimestamp }), uid: name },
    });
    answer(inProd("cronjobs", "nightly"), aRawWorkload("CronJob", "nightly"));
    const old = aRawWorkload("Job", "nightly-1", ofCronJob("nightly-1", "2026-11-20T12:00:00Z"));
    answerList("jobs", [old, aRawFailedJob("nightly-2", ofCronJob("nightly-2", "2026-11-21T12:00:00Z"))]);
    answerList("pods", [], "app=nightly-2");
    const pod = aFineRawPod({ kind: "Job", name: "nightly-1" }, "nightly-1-x") as {
      metadata: { ownerReferences: object[] };
    };
    const ownerReferences = pod.metadata.ownerReferences.map((owner) => ({ ...owner, uid: "nightly-1" }));
    answerList("pods", [{ ...pod, metadata: { ...pod.metadata, ownerReferences } }], "app=nightly-1");
    refuseTheRest();
    const { stdout } = await run("explain", "cronjob/nightly");
    expect(stdout).toMatch(/^prod\/job\/nightly-2 failed at 13:05:00/);
    expect(stdout).toContain("prod/nightly-1-x");
  });
});

describe("kubectl backoff eta cronjob/NAME of a Job that has completed", () => {
  it("says that no containers are meant to be up, also after a note about something else", async () => {
    const metadata = ownedBy({ kind: "Job", name: "nightly-29400000" }, "nightly-29400000-x");
    const file = writeDocument(aRawPod({ metadata, status: { phase: "Succeeded" } }));
    const { stderr } = await run("eta", "-f", file, "cronjob/nightly");
    expect(stderr).toMatch(/^cronjob\/nightly is not in the input: its pods are inferred/);
    expect(stderr).toMatch(/\nThere is nothing to wait for: no containers are meant to be up\.\n$/);
  });
});

describe("a failed Job in files", () => {
  it("is explained beside other pods", async () => {
    const items = [aRawFailedJob(), aFineRawPod({ kind: "ReplicaSet", name: "api" }, "api-0")];
    const { stdout } = await run("explain", "-f", writeDocument({ kind: "List", items }), "job/migrate");
    expect(stdout).toMatch(/prod\/job\/migrate failed at .*12:05:00|13:05:00/);
  });

  it("is listed and explained without any pod in the input", async () => {
    const file = writeDocument({ kind: "List", items: [aRawFailedJob(), aRawWorkload("Job", "fine")] });
    expect((await run("list", "-f", file)).stdout).toMatch(/job\/migrate +- +failed .+\n\n1 Job has failed\.\n$/);
    for (const command of ["explain", "eta"])
      expect((await run(command, "-f", file, "job/migrate")).stdout).toMatch(/job\/migrate failed at/);
    expect(await run("explain", "-f", file)).toMatchObject({ exitCode: 1, stdout: "" });
    expect((await run("explain", "-f", file, "job/fine")).stderr).toMatch(/fine/);
    const fine = writeDocument({ kind: "List", items: [aRawWorkload("Job", "fine")] });
    expect((await run("list", "-f", fine)).stderr).toMatch(/^Error: There is no Pod in /);
  });

  it("is a row of list in its namespace", async () => {
    const { metadata } = aRawFailedJob("elsewhere") as { metadata: object };
    const elsewhere = aRawFailedJob("elsewhere", { metadata: { ...metadata, namespace: "other" } });
    const pod = aFineRawPod({ kind: "ReplicaSet", name: "api" }, "api-0");
    const file = writeDocument({ kind: "List", items: [aRawFailedJob(), elsewhere, aRawWorkload("Job", "fine"), pod] });
    const all = (await run("list", "-f", file)).stdout;
    expect(all).toMatch(/^prod +job\/migrate +- +failed .+ BackoffLimitExceeded: Job has reached/m);
    expect(all).toMatch(/^other +job\/elsewhere +- +failed /m);
    expect(all).not.toContain("job/fine");
    expect((await run("list", "-f", file, "-n", "prod")).stdout).not.toContain("elsewhere");
  });
});
