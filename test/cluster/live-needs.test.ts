import { beforeEach, describe, expect, it } from "vitest";
import { apiServer, useFakeApiServer } from "../support/api-server.ts";
import { answer, inProd, observeWords, refuseTheRest } from "../support/observe-targets.ts";
import { aFineRawPod, aRawOwnedPod, UNREAD_OWNER } from "../support/raw-workloads.ts";

useFakeApiServer();

const LOGS = { tail: 5, isAsked: false, isPrevious: false };
const SERVICES = "/api/v1/namespaces/prod/services";
const SLICES = "/apis/discovery.k8s.io/v1/namespaces/prod/endpointslices";

function answerLog(line: string): void {
  answer(inProd("pods", "web-0"), aRawOwnedPod(UNREAD_OWNER, "web-0"));
  apiServer()
    .get(`${inProd("pods", "web-0")}/log`)
    .query(true)
    .reply(200, `starting\n${line}\n`);
}

function service(name: string, clusterIP: string): object {
  const annotations = { "kubectl.kubernetes.io/last-applied-configuration": "hunter2", "db/url": "hunter2" };
  return {
    metadata: { name, namespace: "prod", annotations },
    spec: { clusterIP, clusterIPs: [clusterIP], ports: [{ port: 5432 }], selector: { app: name, tier: "data" } },
  };
}

function answerServices(code = 200, metadata: object = {}): void {
  const items = [service("db", "10.0.0.7"), service("cache", "10.0.0.8"), service("peers", "None")];
  answer(SERVICES, code === 200 ? { metadata, items } : code, { limit: "500" });
}

function answerEndpoints(code = 200): void {
  const endpoint = (pod: string, ready?: boolean) => ({
    addresses: [`10.1.0.${pod.length}`],
    conditions: ready === undefined ? {} : { ready },
    targetRef: { kind: "Pod", name: pod },
  });
  const items = [{ endpoints: [endpoint("db-0", false), endpoint("db-1")] }, { endpoints: [endpoint("db-0", false)] }];
  const query = { labelSelector: "kubernetes.io/service-name=db", limit: "500" };
  answer(SLICES, code === 200 ? { items } : code, query);
}

function answerPods(items: readonly object[]): void {
  answer(inProd("pods"), { items }, { labelSelector: "app=db,tier=data", limit: "20" });
}

async function needsOf() {
  const { observation } = await observeWords(["web-0"], { logs: LOGS });
  expect(JSON.stringify(observation)).not.toContain("hunter2");
  return observation.pods[0]?.needs;
}

describe("what a pod could not reach", () => {
  beforeEach(() => refuseTheRest());

  it.each([
    "dial tcp 10.0.0.7:5432: connect: connection refused",
    "getaddrinfo ENOTFOUND db",
    "lookup db.prod.svc: no such host",
  ])("is looked up by its name or its address: %s", async (line) => {
    answerLog(line);
    answerServices();
    answerEndpoints();
    answerPods([aRawOwnedPod(UNREAD_OWNER, "db-0"), aFineRawPod(UNREAD_OWNER, "db-1")]);
    const needs = await needsOf();
    expect(needs).toMatchObject([
      { service: { name: "db", ports: [5432] }, namespace: "prod", endpoints: { ready: 1, total: 2 }, similar: [] },
    ]);
    const read = needs?.[0]?.pods?.map(({ pod, missing }) => [pod.name, ...new Set(missing.map(({ why }) => why))]);
    expect(read).toEqual([
      ["db-0", "forbidden"],
      ["db-1", "not-asked"],
    ]);
  });

  it("is reported with similar names if no Service has its name", async () => {
    answerLog("dial tcp: lookup dbx on 10.96.0.10:53: no such host");
    answerServices();
    expect(await needsOf()).toMatchObject([{ service: null, namespace: "prod", similar: ["db"], endpoints: null }]);
  });

  it("is not reported as missing if the namespace has more Services than the program reads", async () => {
    answerLog("dial tcp: lookup dbx on 10.96.0.10:53: no such host");
    answerServices(200, { continue: "more" });
    expect(await needsOf()).toBeUndefined();
  });

  it("is left out if its name or address is outside of the cluster", async () => {
    answerLog("getaddrinfo ENOTFOUND api.example.com; connect ECONNREFUSED 10.9.9.9:443");
    answerServices();
    expect(await needsOf()).toBeUndefined();
  });

  it("is not reported as missing if the log may mean something else", async () => {
    answerLog("connection refused, retries:30");
    answerServices();
    expect(await needsOf()).toBeUndefined();
  });

  it("is left out if it names another namespace that has no such Service", async () => {
    answerLog("connection refused to db.other:5432");
    answerServices();
    answer("/api/v1/namespaces/other/services", { items: [] }, { limit: "500" });
    expect(await needsOf()).toBeUndefined();
  });

  it("is not looked up if the log has no host", async () => {
    answerLog("panic: no config");
    expect(await needsOf()).toBeUndefined();
  });

  it("is left out without the right to list Services", async () => {
    answerLog("getaddrinfo ENOTFOUND db");
    answerServices(403);
    expect(await needsOf()).toBeUndefined();
  });

  it("is found without the right to read its endpoints and pods", async () => {
    answerLog("getaddrinfo ENOTFOUND db");
    answerServices();
    answerEndpoints(403);
    answer(inProd("pods"), 403, { labelSelector: "app=db,tier=data", limit: "20" });
    expect(await needsOf()).toMatchObject([{ service: { name: "db" }, endpoints: null, pods: null }]);
  });
});
