import nock from "nock";
import { describe, expect, it } from "vitest";
import { apiServer, useFakeApiServer } from "../support/api-server.ts";
import { completed, wordsOf } from "../support/completed.ts";
import { writeKubeconfig } from "../support/kubeconfig.ts";
import { inProd } from "../support/observe-targets.ts";
import { status } from "../support/raw-objects.ts";
import { tinyServer } from "../support/tiny-server.ts";

useFakeApiServer();

const inCluster = (line: string) => completed(line, { KUBECONFIG: writeKubeconfig() });

const COLUMNS = ["Name", "Ready", "Status", "Restarts", "Age"];

function aTable(rows: readonly (readonly string[])[], next?: string): object {
  const healthy = ["", "1/1", "Running", "0", "1h"];
  return {
    kind: "Table",
    metadata: { continue: next },
    columnDefinitions: COLUMNS.map((name) => ({ name })),
    rows: rows.map((row) => ({ cells: healthy.map((cell, index) => row[index] ?? cell) })),
  };
}

const PODS = [
  ["api-0"],
  ["api-1", "0/1", "CrashLoopBackOff", "5 (2m ago)"],
  ["db-0", "0/1", "Completed"],
  ["web-0", "0/1", "Error", "1"],
];
const TYPES = ["pod/", "deployment/", "statefulset/", "daemonset/", "replicaset/", "job/", "cronjob/"];

function answerList(
  path: string,
  rows: readonly (readonly string[])[],
  next?: string,
  query: Record<string, string> = {},
): void {
  const asked = { limit: "500", includeObject: "None", ...query };
  apiServer()
    .matchHeader("accept", /as=Table/)
    .get(path)
    .query(asked)
    .reply(200, aTable(rows, next));
}
const answerPods = () => answerList("/api/v1/namespaces/prod/pods", PODS);

describe("complete(), with a cluster", () => {
  it("offers pods, failing ones first and with their status, then types", async () => {
    answerPods();
    expect(await inCluster("explain ")).toEqual([
      "api-1\tCrashLoopBackOff, 0/1 ready, restarts 5 (2m ago)",
      "web-0\tError, 0/1 ready, restarts 1",
      "api-0\tRunning, 1/1 ready, restarts 0",
      "db-0\tCompleted, 0/1 ready, restarts 0",
      ...TYPES,
      ":36",
    ]);
  });

  it.each([
    { line: "explain api", words: ["api-1", "api-0", ":36"], why: "these names begin with api" },
    { line: "explain api-1 api", words: ["api-0", ":36"], why: "no pod is offered twice" },
    { line: "api-1 api", words: ["api-0", ":36"], why: "explain may be left out" },
    { line: "wait we", words: ["web-0", ":36"], why: "wait takes a pod, too" },
    { line: "w", words: ["wait", "web-0", ":36"], why: "the word may be a command or a pod" },
    {
      line: "d",
      words: ["demo", "db-0", "deployment/", "daemonset/", ":36"],
      why: "the word may be a command, a pod or a type",
    },
    { line: "explain cron", words: ["cronjob/", ":6"], why: "the word is only a type, so no blank follows" },
    { line: "s", words: ["simulate", "strategies", "statefulset/", ":4"], why: "a blank follows a command" },
    { line: "explain pod/db", words: ["pod/db-0", ":36"], why: "a pod comes after its type" },
    { line: "simulate db", words: ["db-0", ":36"], why: "simulate takes a pod" },
  ])("prints $words for '$line': $why", async ({ line, words }) => {
    answerPods();
    expect(wordsOf(await inCluster(line))).toEqual(words);
  });

  it("sends no request for an empty line, or after the last word", async () => {
    expect(wordsOf(await inCluster(""))).toContain("explain");
    expect(await inCluster("wait web-0 ")).toEqual([":4"]);
  });

  const POD = { spec: { containers: [{ name: "app" }], initContainers: [{ name: "migrate" }] } };
  const SET = { spec: { template: POD } };

  it("names workloads after their type, and namespaces", async () => {
    const path = "/apis/apps/v1/namespaces/other/deployments";
    answerList(path, [["web"]]);
    expect(await inCluster("-n other deploy/")).toEqual(["deploy/web", ":36"]);
    answerList(path, [["web"]]);
    expect(await inCluster("explain --namespace=other deploy ")).toEqual(["web", ":36"]);
    answerList("/api/v1/namespaces", [["prod"], ["dev"]]);
    expect(await inCluster("explain -n d")).toEqual(["dev", ":36"]);
  });

  it.each([
    ["explain web-0 -c ", inProd("pods", "web-0"), POD],
    ["explain sts/web -c ", inProd("statefulsets", "web"), SET],
    ["explain cj web -c ", inProd("cronjobs", "web"), { spec: { jobTemplate: SET } }],
    ["simulate web-0 -c ", inProd("pods", "web-0"), POD],
  ])("names containers for '%s', those of the app first", async (line, path, object) => {
    apiServer().get(path).reply(200, object);
    expect(await inCluster(line)).toEqual(["app", "migrate", ":36"]);
  });

  it("reads all pages of a list, and keeps what it has if one fails", async () => {
    answerList("/api/v1/namespaces/prod/pods", [["a"]], "more");
    answerList("/api/v1/namespaces/prod/pods", [["b"]], "gone", { continue: "more" });
    const query = { limit: "500", includeObject: "None", continue: "gone" };
    apiServer().get("/api/v1/namespaces/prod/pods").query(query).reply(410, status(410, "expired"));
    expect(wordsOf(await inCluster("explain "))).toEqual(["a", "b", ...TYPES, ":36"]);
  });

  it.each([
    { code: 403, body: status(403, "forbidden") },
    { code: 500, body: "oops" },
    { code: 200, body: "no JSON" },
  ])("offers nothing if the server answers $code", async ({ code, body }) => {
    apiServer().get("/api/v1/namespaces/prod/pods").query(true).reply(code, body);
    expect(await inCluster("explain ")).toEqual([":4"]);
  });

  it("offers nothing if the server does not answer in time", async () => {
    nock.enableNetConnect("127.0.0.1");
    const server = await tinyServer(() => {});
    const env = { KUBECONFIG: writeKubeconfig({ server: server.url }) };
    expect(await completed("explain ", env, 200)).toEqual([":4"]);
    expect(server.asked).toHaveLength(1);
  });
});
