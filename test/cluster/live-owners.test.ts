import { describe, expect, it } from "vitest";
import type { OwnersObservation } from "../../src/explain/observed/observation.ts";
import { apiServer, useFakeApiServer } from "../support/api-server.ts";
import { observedPod } from "../support/observe.ts";
import { answer, answerList, inProd, refuseTheRest } from "../support/observe-targets.ts";
import { PATHS } from "../support/raw-objects.ts";
import { aFineRawPod, aRawOwnedPod, aRawReplicaSet, aRawWorkload, ownedBy, uidOf } from "../support/raw-workloads.ts";

useFakeApiServer();

const SET = { kind: "ReplicaSet", name: "api-new" };
const LABELS = { "pod-template-hash": "new", app: "api" };

async function ownersOf(pod: object): Promise<OwnersObservation | undefined> {
  apiServer().get(PATHS.pod).reply(200, pod);
  refuseTheRest();
  return (await observedPod()).owners;
}

describe("the owners of observeTargets()", () => {
  it("are read up to the Deployment, with its revisions and its pods", async () => {
    answer(inProd("replicasets", "api-new"), aRawReplicaSet("api", "new", 2, "web:2"));
    const conditions = [{ type: "Progressing", status: "False", lastUpdateTime: "2026-11-21T12:05:00Z" }];
    const spec = { replicas: 3, selector: { matchLabels: { app: "api" } }, progressDeadlineSeconds: 60 };
    const numbers = { updatedReplicas: 1, availableReplicas: 2 };
    const deployment = aRawWorkload("Deployment", "api", { spec, status: { ...numbers, conditions } });
    answer(inProd("deployments", "api"), deployment);
    const sets = [aRawReplicaSet("api", "old", 1, "web:1"), aRawReplicaSet("api", "new", 2, "web:2")];
    answerList("replicasets", [...sets, aRawReplicaSet("other", "x", 7, "x")], "app=api");
    const pods = [aRawOwnedPod(SET, "web-0"), aFineRawPod({ ...SET, name: "api-old" }, "web-1")];
    answerList("pods", [...pods, aRawOwnedPod({ ...SET, name: "other-x" }, "x")], "app=api");
    const owners = await ownersOf(aRawOwnedPod(SET, "web-0", LABELS));
    expect(owners?.chain.map(({ kind, name, basis }) => `${kind} ${name} ${basis}`)).toEqual([
      "ReplicaSet api-new observed",
      "Deployment api observed",
    ]);
    const progress = { progressDeadlineMs: 60_000, progressedAtMs: Date.UTC(2026, 10, 21, 12, 5) };
    expect(owners?.workload).toMatchObject({ kind: "Deployment", replicas: 3, ...numbers, ...progress });
    expect(
      owners?.revisions.map(({ name, number, template }) => [name, number, template.containers[0]?.image]),
    ).toEqual([
      ["api-new", 2, "web:2"],
      ["api-old", 1, "web:1"],
    ]);
    expect(owners?.pods).toMatchObject([
      { name: "web-0", revision: "api-new", restarts: 5, isReady: false },
      { name: "web-1", revision: "api-old", restarts: 0, isReady: true },
    ]);
    expect(owners?.missing).toEqual([]);
  });

  it.each([
    { kind: "StatefulSet", plural: "statefulsets", hash: "db-6cc4f9b9dd" },
    { kind: "DaemonSet", plural: "daemonsets", hash: "6cc4f9b9dd" },
  ])("of a $kind come with its pods, each in the revision that its label says", async ({ kind, plural, hash }) => {
    const owner = { kind, name: "db" };
    answer(inProd(plural, "db"), aRawWorkload(kind, "db"));
    const data = { spec: { template: { spec: { containers: [{ name: "app", image: "db:1" }] } } } };
    const revision = { metadata: ownedBy(owner, "db-6cc4f9b9dd"), revision: 4, data };
    answerList("controllerrevisions", [revision], "app=db");
    const pod = aRawOwnedPod(owner, "web-0", { "controller-revision-hash": hash });
    answerList("pods", [pod], "app=db");
    const owners = await ownersOf(pod);
    expect(owners?.pods[0]?.revision).toBe("db-6cc4f9b9dd");
    expect(owners?.revisions).toMatchObject([
      { name: "db-6cc4f9b9dd", number: 4, template: { containers: [{ name: "app", image: "db:1" }] } },
    ]);
  });

  it("of a Job's pod include the CronJob", async () => {
    const job = { kind: "Job", name: "nightly-29921311" };
    const metadata = { ...ownedBy({ kind: "CronJob", name: "nightly" }, job.name), uid: uidOf(job) };
    const spec = { backoffLimit: 2, selector: { matchLabels: { job: "x" } } };
    answer(inProd("jobs", job.name), aRawWorkload("Job", job.name, { metadata, spec }));
    const cron = { schedule: "@daily", concurrencyPolicy: "Forbid" };
    const status = { active: [{ apiVersion: "batch/v1", ...job, namespace: "prod" }] };
    answer(inProd("cronjobs", "nightly"), aRawWorkload("CronJob", "nightly", { spec: cron, status }));
    answerList("pods", [], "job=x");
    const owners = await ownersOf(aRawOwnedPod(job, "web-0"));
    expect(owners?.chain.map(({ kind }) => kind)).toEqual(["Job", "CronJob"]);
    expect(owners?.workload).toMatchObject({ kind: "Job", backoffLimit: 2, cronJob: { name: "nightly", ...cron } });
    expect(owners?.unusable).toBeUndefined();
  });

  it("are inferred from a ReplicaSet's name that ends in the pod-template-hash, if they may not be read", async () => {
    answer(inProd("replicasets", "api-new"), 403);
    const hash = { "pod-template-hash": "5d8c9f6b7" };
    const name = "api-5d8c9f6b7";
    answer(inProd("replicasets", name), 403);
    const plain = await ownersOf(aRawOwnedPod(SET, "web-0", { "pod-template-hash": "other" }));
    expect(plain?.chain).toEqual([{ ...SET, basis: "observed" }]);
    const owners = await ownersOf(aRawOwnedPod({ ...SET, name }, "web-0", hash));
    expect(owners).toMatchObject({
      chain: [{ name }, { kind: "Deployment", name: "api", basis: "inferred" }],
      workload: null,
      missing: [{ what: "owner", owner: { kind: "ReplicaSet", name }, why: "forbidden" }],
    });
  });

  it.each([
    { set: SET, plural: "replicasets", label: "pod-template-hash=new", revision: "api-new", why: "a Deployment" },
    {
      set: { kind: "StatefulSet", name: "db" },
      plural: "statefulsets",
      label: "controller-revision-hash=db-7",
      revision: "db-7",
      why: "a StatefulSet",
    },
  ])("come with the pods of the same revision even if the owners are forbidden: $why", async (each) => {
    const { set, plural, label, revision } = each;
    const [key = "", hash = ""] = label.split("=");
    answer(inProd(plural, set.name), 403);
    const labels = { [key]: hash };
    const stranger = aFineRawPod({ ...set, name: "other" }, "web-9", labels);
    answerList("pods", [aRawOwnedPod(set, "web-0", labels), aFineRawPod(set, "web-1", labels), stranger], label);
    const owners = await ownersOf(aRawOwnedPod(set, "web-0", labels));
    expect(owners?.pods).toMatchObject([
      { name: "web-0", revision, isReady: false },
      { name: "web-1", revision, isReady: true },
    ]);
    expect(owners?.missing).toMatchObject([{ what: "owner", why: "forbidden" }]);
  });

  it("come with a note that revisions and pods are missing if the user may not list them", async () => {
    const owner = { kind: "StatefulSet", name: "db" };
    answer(inProd("statefulsets", "db"), aRawWorkload("StatefulSet", "db"));
    answerList("controllerrevisions", 403, "app=db");
    answerList("pods", 403, "app=db");
    const owners = await ownersOf(aRawOwnedPod(owner, "web-0"));
    expect(owners?.missing).toMatchObject([
      { what: "revisions", why: "forbidden" },
      { what: "owned-pods", why: "forbidden" },
    ]);
  });

  it("do not include another object with the name of a deleted owner", async () => {
    const owner = { kind: "StatefulSet", name: "db" };
    answer(inProd("statefulsets", "db"), aRawWorkload("StatefulSet", "db", { metadata: { uid: "another" } }));
    const owners = await ownersOf(aRawOwnedPod(owner, "web-0"));
    expect(owners).toMatchObject({ workload: null, missing: [{ what: "owner", why: "not-found" }] });
  });

  const STRANGE = { kind: "Rollout", name: "r" };
  it.each([
    { pod: aFineRawPod(SET, "web-0", { app: "api" }), owner: SET, why: "the pod is healthy" },
    { pod: aRawOwnedPod(STRANGE, "web-0"), owner: STRANGE, why: "the owner is of an unknown kind" },
  ])("are not requested: $why", async ({ pod, owner }) => {
    expect(await ownersOf(pod)).toMatchObject({ chain: [{ ...owner, basis: "observed" }], missing: [] });
  });

  it("are absent for a pod without a controller", async () => {
    const pod = { ...aRawOwnedPod(SET, "web-0"), metadata: { name: "web-0", namespace: "prod" } };
    expect(await ownersOf(pod)).toBeUndefined();
  });
});
