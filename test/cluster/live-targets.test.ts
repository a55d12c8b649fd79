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

describe("observeTargets() of several", () => {
  it("gives those that are there, and the failures of the others, equal ones once", async () => {
    answer(inProd("pods", "web-0"), aFineRawPod(SET, "web-0"));
    answer(inProd("pods", "web-9"), 404);
    answerList("pods", [aFineRawPod(SET, "web-0")]);
    for (const name of ["a", "b"]) answer(inProd("pods", name), 500);
    refuseTheRest();
    const found = await observeWords(["web-0", "web-9", "a", "b"]);
    expect(podNames(found)).toEqual(["web-0"]);
    expect(found.selection.named).toEqual(["prod/web-0"]);
    expect(found.failures.map(({ code }) => code)).toEqual(["podNotFound", "serverError", "serverError"]);
  });

  it("asks for the events of many pods at once", async () => {
    const pods = Array.from({ length: 5 }, (_, index) => aFineRawPod(SET, `web-${index}`));
    answerList("pods", pods, "app=web");
    const event = (name: string, pod: string) => ({
      metadata: { name },
      reason: "BackOff",
      involvedObject: { kind: "Pod", name: pod, uid: `uid-of-${pod}` },
    });
    const events = [event("one", "web-1"), event("two", "web-3"), event("strange", "db-0")];
    answer(inProd("events"), { items: events }, { fieldSelector: "involvedObject.kind=Pod", limit: "500" });
    const { observation } = await observeWords([], { selector: "app=web" });
    expect(observation.pods.map(({ pod, events: own }) => [pod.name, own.map(({ name }) => name)])).toEqual([
      ["web-0", []],
      ["web-1", ["one"]],
      ["web-2", []],
      ["web-3", ["two"]],
      ["web-4", []],
    ]);
  });

  it("reads a selector's pods page by page, in all namespaces if told so", async () => {
    const query = { labelSelector: "app=web", limit: "500" };
    answer("/api/v1/pods", { metadata: { continue: "t" }, items: [aFineRawPod(SET, "web-0")] }, query);
    answer("/api/v1/pods", { metadata: {}, items: [aFineRawPod(SET, "web-1")] }, { ...query, continue: "t" });
    refuseTheRest();
    expect(podNames(await observeWords([], { selector: "app=web", allNamespaces: true }))).toEqual(["web-0", "web-1"]);
  });

  it("takes all pods of the namespace where nothing is named", async () => {
    answerList("pods", [aFineRawPod(SET, "web-0"), aFineRawPod(SET, "web-1")]);
    refuseTheRest();
    expect(podNames(await observeWords([]))).toEqual(["web-0", "web-1"]);
  });

  it("notes that nothing matches", async () => {
    answerList("pods", [], "app=nope");
    expect(await observeWords([], { selector: "app=nope" })).toMatchObject({
      notes: ['No pods match "app=nope" in namespace "prod".'],
      selection: { matched: 0 },
    });
  });

  it.each([
    { words: ["web-0"], request: { selector: "a=b" }, code: "namesAndSelector" },
    { words: ["web-0"], request: { allNamespaces: true }, code: "namesInAllNamespaces" },
    { words: [], request: { selector: "=" }, code: "badFlag" },
  ])("refuses $words with $request: $code", async ({ words, request, code }) => {
    await expect(observeWords(words, request)).rejects.toMatchObject({ code, exitCode: 2 });
  });
});
