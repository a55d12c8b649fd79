import { describe, expect, it } from "vitest";
import type { TargetsObservation } from "../../src/cluster/pods/target-observe.ts";
import { aRawNode, SERVER_CLOCK_MS, useFakeApiServer } from "../support/api-server.ts";
import { answer, answerList, inProd, observeWords, refuseTheRest } from "../support/observe-targets.ts";
import { aFineRawPod, aRawOwnedPod, aRawReplicaSet, aRawWorkload, ownedBy } from "../support/raw-workloads.ts";

useFakeApiServer();

const SET = { kind: "StatefulSet", name: "db" };
const podNames = ({ observation }: TargetsObservation): string[] => observation.pods.map(({ pod }) => pod.name);

describe("observeTargets() of a workload", () => {
  it("finds a StatefulSet's pods by its selector and its UID, asking for each thing once", async () => {
    answer(inProd("statefulsets", "db"), aRawWorkload("StatefulSet", "db"));
    const stranger = aRawOwnedPod({ kind: "StatefulSet", name: "db-of-old" }, "db-of-old-0");
    answerList("pods", [aRawOwnedPod(SET, "db-0"), aRawOwnedPod(SET, "db-1"), stranger], "app=db");
    answerList("controllerrevisions", [], "app=db");
    answer("/api/v1/nodes/node-a", aRawNode());
    answer("/api/v1/nodes/node-a/proxy/configz", 403);
    for (const kind of [
      "Node,involvedObject.name=node-a",
      "Pod,involvedObject.name=db-0",
      "Pod,involvedObject.name=db-1",
    ]) {
      const path = kind.startsWith("Node") ? "/api/v1/namespaces/default/events" : inProd("events");
      answer(path, { items: [] }, { fieldSelector: `involvedObject.kind=${kind}`, limit: "500" });
    }
    const found = await observeWords(["sts/db"]);
    expect(podNames(found)).toEqual(["db-0", "db-1"]);
    expect(found).toMatchObject({ failures: [], notes: [], selection: { matched: 2, named: [] } });
    expect(found.observation).toMatchObject({ atMs: SERVER_CLOCK_MS, atBasis: "server-clock" });
    expect(found.observation.pods.map(({ node }) => node?.name)).toEqual(["node-a", "node-a"]);
  });

  it("finds a Deployment's pods through its ReplicaSets, the current revision's first", async () => {
    answer(inProd("deployments", "api"), aRawWorkload("Deployment", "api"));
    const old = { kind: "ReplicaSet", name: "api-old" };
    const current = { kind: "ReplicaSet", name: "api-new" };
    const foreign = aRawOwnedPod({ kind: "ReplicaSet", name: "other-x" }, "other-x-1");
    answerList(
      "pods",
      [aRawOwnedPod(old, "a-old"), foreign, aFineRawPod(current, "c-fine"), aRawOwnedPod(current, "b-new")],
      "app=api",
    );
    answerList(
      "replicasets",
      [aRawReplicaSet("api", "old", 9, "web:1"), aRawReplicaSet("api", "new", 10, "web:2")],
      "app=api",
    );
    for (const hash of ["old", "new"])
      answer(inProd("replicasets", `api-${hash}`), aRawReplicaSet("api", hash, 1, "x"));
    refuseTheRest();
    const found = await observeWords(["deploy", "api"]);
    expect(podNames(found)).toEqual(["b-new", "a-old", "c-fine"]);
    expect(found.observation.pods[2]?.missing).toContainEqual({ what: "node", why: "not-asked" });
  });

  it("takes the newest Job of a CronJob that has pods, and says what is left out", async () => {
    answer(inProd("cronjobs", "nightly"), aRawWorkload("CronJob", "nightly"));
    const jobs = ["29921310", "29921311", "29921312"].map((suffix, index) => {
      const name = `nightly-${suffix}`;
      const metadata = {
        ...ownedBy({ kind: "CronJob", name: "nightly" }, name),
        creationTimestamp: `2026-11-21T12:0${index}:00Z`,
      };
      return aRawWorkload("Job", name, { metadata });
    });
    answerList("jobs", jobs);
    answerList("pods", [], "app=nightly-29921312");
    answerList(
      "pods",
      [aFineRawPod({ kind: "Job", name: "nightly-29921311" }, "nightly-29921311-x")],
      "app=nightly-29921311",
    );
    refuseTheRest();
    const found = await observeWords(["cj/nightly"]);
    expect(podNames(found)).toEqual(["nightly-29921311-x"]);
    expect(found.notes).toEqual([
      expect.stringContaining(
        "those of job/nightly-29921311, the newest of cronjob/nightly that has any; one older Job",
      ),
    ]);
  });

  it.each([
    {
      kind: "deploy/api",
      plural: "deployments",
      owner: { kind: "ReplicaSet", name: "api-5d8c9f6b7" },
      says: "names of their ReplicaSets",
    },
    { kind: "cj/api", plural: "cronjobs", owner: { kind: "Job", name: "api-29921311" }, says: "names of their Jobs" },
    {
      kind: "ds/api",
      plural: "daemonsets",
      owner: { kind: "DaemonSet", name: "api" },
      says: "those that name it as their controller",
    },
  ])("infers the pods of $kind if it may not be read", async ({ kind, plural, owner, says }) => {
    answer(inProd(plural, "api"), 403);
    const labels = { "pod-template-hash": "5d8c9f6b7" };
    const other = aFineRawPod({ ...owner, name: "api-b-5d8c9f6b7" }, "other", labels);
    answerList("pods", [aFineRawPod(owner, "mine", labels), other]);
    if (plural === "deployments") answerList("replicasets", 403);
    refuseTheRest();
    const found = await observeWords([kind]);
    expect(podNames(found)).toEqual(["mine"]);
    expect(found.notes).toEqual([expect.stringContaining(says)]);
  });

  it("fails with the refusal if no pod tells of the workload either", async () => {
    answer(inProd("jobs", "x"), 403);
    answerList("pods", []);
    await expect(observeWords(["job/x"])).rejects.toMatchObject({ code: "forbidden", exitCode: 1 });
  });

  it("names the nearest of that type if there is none", async () => {
    answer(inProd("deployments", "apii"), 404);
    answer(inProd("deployments"), { items: [{ metadata: { name: "api" } }] }, { limit: "500" });
    await expect(observeWords(["deploy/apii"])).rejects.toMatchObject({
      text: 'There is no deployment "apii" in namespace "prod".\nDid you mean api? Pass -n to look elsewhere.',
    });
  });

  it.each([
    { spec: { replicas: 0 }, status: {}, says: "has no pods: spec.replicas is 0." },
    {
      spec: {},
      status: { conditions: [{ type: "ReplicaFailure", status: "True", message: "quota" }] },
      says: "has no pods: ReplicaFailure, quota.",
    },
    { spec: {}, status: {}, says: "has no pods." },
  ])("says of a workload without pods that it $says", async ({ spec, status, says }) => {
    answer(
      inProd("replicasets", "web"),
      aRawWorkload("ReplicaSet", "web", { spec: { selector: { matchLabels: { app: "web" } }, ...spec }, status }),
    );
    answerList("pods", [], "app=web");
    const { notes, observation } = await observeWords(["rs/web"]);
    expect(observation.pods).toEqual([]);
    expect(notes).toEqual([`replicaset/web in namespace "prod" ${says}`]);
  });
});
