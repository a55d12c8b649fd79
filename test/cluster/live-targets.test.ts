import { describe, expect, it } from "vitest";
import type { TargetsObservation } from "../../src/cluster/pods/found-targets.ts";
import { apiServer, useFakeApiServer } from "../support/api-server.ts";
import { answer, answerList, inProd, observeWords, refuseTheRest } from "../support/observe-targets.ts";
import { aRawEvent, aRawNode, SERVER_CLOCK_MS } from "../support/raw-objects.ts";
import { aFineRawPod, aRawOwnedPod, aRawReplicaSet, aRawWorkload, ownedBy } from "../support/raw-workloads.ts";

useFakeApiServer();

const SET = { kind: "StatefulSet", name: "db" };
const podNames = ({ observation }: TargetsObservation): string[] => observation.pods.map(({ pod }) => pod.name);

describe("observeTargets() of a workload", () => {
  it("finds a StatefulSet's pods by its selector and its UID, and requests each object once", async () => {
    answer(inProd("statefulsets", "db"), aRawWorkload("StatefulSet", "db"));
    const stranger = aRawOwnedPod({ kind: "StatefulSet", name: "db-of-old" }, "db-of-old-0");
    answerList("pods", [aRawOwnedPod(SET, "db-0"), aRawOwnedPod(SET, "db-1"), stranger], "app=db");
    answerList("controllerrevisions", [], "app=db");
    answer("/api/v1/nodes/node-a", aRawNode());
    answer("/api/v1/nodes/node-a/proxy/configz", 403);
    for (const name of ["node-a", "db-0", "db-1"]) {
      const [kind, namespace] = name === "node-a" ? ["Node", "default"] : ["Pod", "prod"];
      const query = { fieldSelector: `involvedObject.kind=${kind},involvedObject.name=${name}`, limit: "500" };
      answer(`/api/v1/namespaces/${namespace}/events`, { items: [] }, query);
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
    const [a, b, c] = [aRawOwnedPod(old, "a-old"), aRawOwnedPod(current, "b-new"), aFineRawPod(current, "c-fine")];
    answerList("pods", [a, foreign, c, b], "app=api");
    const sets = [aRawReplicaSet("api", "old", 9, "web:1"), aRawReplicaSet("api", "new", 10, "web:2")];
    answerList("replicasets", sets, "app=api");
    refuseTheRest();
    const found = await observeWords(["deploy", "api"]);
    expect(podNames(found)).toEqual(["b-new", "a-old", "c-fine"]);
    expect(found.observation.pods[2]?.missing).toContainEqual({ what: "node", why: "not-asked" });
  });

  it("takes the newest of a CronJob's Jobs that have pods, and notes the older one", async () => {
    answer(inProd("cronjobs", "nightly"), aRawWorkload("CronJob", "nightly"));
    const jobs = ["29921310", "29921311", "29921312"].map((suffix, index) => {
      const name = `nightly-${suffix}`;
      const created = { creationTimestamp: `2026-11-21T12:0${index}:00Z` };
      return aRawWorkload("Job", name, { metadata: ownedBy({ kind: "CronJob", name: "nightly" }, name, created) });
    });
    answerList("jobs", jobs);
    answerList("pods", [], "app=nightly-29921312");
    const name = "nightly-29921311";
    answerList("pods", [aFineRawPod({ kind: "Job", name }, `${name}-x`)], `app=${name}`);
    refuseTheRest();
    const found = await observeWords(["cj/nightly"]);
    expect(podNames(found)).toEqual([`${name}-x`]);
    const note = `those of job/${name}, the newest of cronjob/nightly that has any; one older Job`;
    expect(found.notes).toEqual([expect.stringContaining(note)]);
  });

  it.each([
    ["deploy/api", "deployments", "ReplicaSet api-5d8c9f6b7", "names of their ReplicaSets"],
    ["cj/api", "cronjobs", "Job api-29921311", "names of their Jobs"],
    ["ds/api", "daemonsets", "DaemonSet api", "those that name it as their controller"],
  ])("infers the pods of %s if it may not be read", async (word, plural, controller, says) => {
    const [kind = "", name = ""] = controller.split(" ");
    const owner = { kind, name };
    answer(inProd(plural, "api"), 403);
    const labels = { "pod-template-hash": "5d8c9f6b7" };
    const other = aFineRawPod({ ...owner, name: "api-b-5d8c9f6b7" }, "other", labels);
    answerList("pods", [aFineRawPod(owner, "mine", labels), other]);
    if (plural === "deployments") answerList("replicasets", 403);
    refuseTheRest();
    const found = await observeWords([word]);
    expect(podNames(found)).toEqual(["mine"]);
    expect(found.notes).toEqual([expect.stringContaining(says)]);
  });

  it("fails with the server's error if no pod shows the workload either", async () => {
    answer(inProd("jobs", "x"), 403);
    answerList("pods", []);
    await expect(observeWords(["job/x"])).rejects.toMatchObject({ code: "forbidden", exitCode: 1 });
  });

  it("fails if the server answers with no object", async () => {
    apiServer().get(inProd("jobs", "x")).reply(200, "null", { "Content-Type": "application/json" });
    await expect(observeWords(["job/x"])).rejects.toMatchObject({ code: "badAnswer" });
  });

  it("suggests the nearest name of that type if the workload does not exist", async () => {
    answer(inProd("deployments", "apii"), 404);
    answer(inProd("deployments"), { items: [{ metadata: { name: "api" } }] }, { limit: "500" });
    await expect(observeWords(["deploy/apii"])).rejects.toMatchObject({
      text: 'There is no deployment "apii" in namespace "prod".\nDid you mean api? Pass -n to look elsewhere.',
    });
  });

  const conditions = [{ type: "ReplicaFailure", status: "True", message: "quota" }];
  const selector = { matchLabels: { app: "web" } };
  it.each([
    { parts: { spec: { selector, replicas: 0 } }, says: "has no pods: spec.replicas is 0." },
    { parts: { status: { conditions } }, says: "has no pods: they can't be created: quota." },
    { parts: {}, says: "has no pods." },
  ])("says of a workload without pods that it $says", async ({ parts, says }) => {
    answer(inProd("replicasets", "web"), aRawWorkload("ReplicaSet", "web", parts));
    answerList("pods", [], "app=web");
    const { notes, observation } = await observeWords(["rs/web"]);
    expect(observation.pods).toEqual([]);
    expect(notes).toEqual([`replicaset/web in namespace "prod" ${says}`]);
  });
});

describe("observeTargets() of several pods", () => {
  it("returns the pods that exist, and a failure for each other word", async () => {
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

  it("requests the events of many pods in one request", async () => {
    const pods = Array.from({ length: 11 }, (_, index) => aFineRawPod(SET, `web-${index}`));
    answerList("pods", pods, "app=web");
    const event = (name: string, pod: string) => aRawEvent(name, { name: pod, uid: `uid-of-${pod}` });
    const events = [event("one", "web-1"), event("two", "web-3"), event("strange", "db-0")];
    answer(inProd("events"), { items: events }, { fieldSelector: "involvedObject.kind=Pod", limit: "500" });
    const { observation } = await observeWords([], { selector: "app=web" });
    const found = observation.pods.flatMap(({ pod, events: own }) => own.map(({ name }) => [pod.name, name]));
    expect(found).toEqual([
      ["web-1", "one"],
      ["web-3", "two"],
    ]);
  });

  it("reads a selector's pods page by page, with -A in all namespaces", async () => {
    const query = { labelSelector: "app=web", limit: "500" };
    answer("/api/v1/pods", { metadata: { continue: "t" }, items: [aFineRawPod(SET, "web-0")] }, query);
    answer("/api/v1/pods", { metadata: {}, items: [aFineRawPod(SET, "web-1")] }, { ...query, continue: "t" });
    refuseTheRest();
    expect(podNames(await observeWords([], { selector: "app=web", allNamespaces: true }))).toEqual(["web-0", "web-1"]);
  });

  it("takes all pods of the namespace if the user names none", async () => {
    answerList("pods", [aFineRawPod(SET, "web-0"), aFineRawPod(SET, "web-1")]);
    refuseTheRest();
    expect(podNames(await observeWords([]))).toEqual(["web-0", "web-1"]);
  });
});
