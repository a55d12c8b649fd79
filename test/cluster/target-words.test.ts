import { describe, expect, it } from "vitest";
import { connect } from "../../src/cluster/api/connect.ts";
import { nearestNames } from "../../src/cluster/api/nearest-names.ts";
import { dated } from "../../src/cluster/api/server-clock.ts";
import { parseSelector, selectorOfWorkload } from "../../src/cluster/api/target-selector.ts";
import { nameOfTarget, targetsIn } from "../../src/cluster/api/target-words.ts";
import type { Connection } from "../../src/cluster/connection/connection.ts";
import { kindOfWord } from "../../src/cluster/objects/workload-kinds.ts";
import { apiServer, useFakeApiServer } from "../support/api-server.ts";
import { writeKubeconfig } from "../support/kubeconfig.ts";
import { SERVER_CLOCK_MS } from "../support/raw-objects.ts";

const LIVE = { mayLackName: false, isNamespace: () => false };

describe("kindOfWord()", () => {
  it.each([
    { words: ["pod", "pods", "po", "PO", "Pods"], kind: "Pod", why: "the type is in the core group" },
    {
      words: ["deploy", "Deployments", "deployments.apps", "deployment.v1.apps"],
      kind: "Deployment",
      why: "the word may name the group, or version and group",
    },
    { words: ["sts", "StatefulSet", "statefulsets"], kind: "StatefulSet", why: "upper and lower case are the same" },
    {
      words: ["ds", "daemonset", "daemonsets.apps"],
      kind: "DaemonSet",
      why: "the word may be short, singular or plural",
    },
    { words: ["rs", "replicaset"], kind: "ReplicaSet", why: "the word may be short or singular" },
    { words: ["job", "jobs", "jobs.batch"], kind: "Job", why: "the type has no short name" },
    { words: ["cj", "cronjob", "cronjobs.v1.batch"], kind: "CronJob", why: "the type is in the group batch" },
    {
      words: ["svc", "jobs.apps", "deployments.extensions", "", "null"],
      kind: null,
      why: "these are no types that have pods",
    },
  ])("takes $words for $kind: $why", ({ words, kind }) => {
    expect(words.map(kindOfWord)).toEqual(words.map(() => kind));
  });
});

describe("targetsIn()", () => {
  it.each([
    { words: ["web-0"], targets: ["pod/web-0"], why: "the name of a pod" },
    { words: ["web-0", "web-1"], targets: ["pod/web-0", "pod/web-1"], why: "the names of several pods" },
    { words: ["deploy/api"], targets: ["deployment/api"], why: "TYPE/NAME" },
    { words: ["STS", "db", "kv"], targets: ["statefulset/db", "statefulset/kv"], why: "TYPE NAME NAME" },
    {
      words: ["web-0", "deploy/api", "po/x"],
      targets: ["pod/web-0", "deployment/api", "pod/x"],
      why: "TYPE/NAME and the names of pods",
    },
    { words: ["web-0", "job"], targets: ["pod/web-0", "pod/job"], why: "only the first word is a type" },
    { words: ["pod", "job"], targets: ["pod/job"], why: "a pod with the name of a type" },
  ])("reads $words as $targets: $why", ({ words, targets }) => {
    expect(targetsIn(words, LIVE).targets.map(nameOfTarget)).toEqual(targets);
  });

  it("reads a type without names as the kind of the objects that a selector matches", () => {
    expect(targetsIn(["deploy"], { ...LIVE, mayLackName: true })).toEqual({ kind: "Deployment", targets: [] });
    expect(targetsIn([], { ...LIVE, mayLackName: true })).toEqual({ kind: "Pod", targets: [] });
  });

  it("reads a word before the slash as a namespace if the input has it", () => {
    const options = { ...LIVE, isNamespace: (prefix: string) => prefix === "prod" };
    expect(targetsIn(["prod/web-0"], options).targets).toEqual([{ kind: "Pod", name: "web-0", namespace: "prod" }]);
  });

  it.each([
    ["svc/web", "unknownType", "pod, deployment, statefulset, daemonset, replicaset, job or cronjob"],
    ["../web", "unknownType", 'type ".."'],
    ["deploy", "noNameForType", "deployment/NAME"],
    ["deploy/", "noNameForType", "deployment/NAME"],
  ])("refuses %s with %s", (word, code, says) => {
    const error = { code, exitCode: 2, text: expect.stringContaining(says) };
    expect(() => targetsIn([word], LIVE)).toThrow(expect.objectContaining(error));
  });
});

const LABELS = { app: "web", tier: "front", "example.com/size": "7" };

describe("parseSelector()", () => {
  it.each([
    { text: "", matches: true, why: "no condition" },
    { text: "app=web", matches: true, why: "one equals sign" },
    { text: "app==web", matches: true, why: "two equals signs" },
    { text: " app = web , tier != back ", matches: true, why: "blanks do not matter" },
    { text: "app=db", matches: false, why: "the value is another" },
    { text: "zone!=eu", matches: true, why: "a label that does not exist is not equal" },
    { text: "app in (web, db),tier notin (back)", matches: true, why: "the value is in the set" },
    { text: "app in (db)", matches: false, why: "the value is not in the set" },
    { text: "zone notin (eu)", matches: true, why: "a label that does not exist is not in a set" },
    { text: "tier,!zone", matches: true, why: "one label exists, another does not" },
    { text: "zone", matches: false, why: "the label does not exist" },
    { text: "!app", matches: false, why: "the label exists" },
    { text: "example.com/size>6", matches: true, why: "values are compared as numbers" },
    { text: "example.com/size<7", matches: false, why: "a number is not less than itself" },
    { text: "app=", matches: false, why: "the value is not empty" },
    { text: "constructor", matches: false, why: "a property of every object is no label" },
  ])("matches '$text': $matches ($why)", ({ text, matches }) => {
    expect(parseSelector(text).matches(LABELS)).toBe(matches);
  });

  it.each(["a==b=c", "app=web,", "=web", "app in web", "app in (a,b", "app web", "-app", "a=b c", "size>x"])(
    "refuses '%s'",
    (text) => {
      expect(() => parseSelector(text)).toThrow(expect.objectContaining({ code: "badFlag", exitCode: 2 }));
    },
  );
});

describe("selectorOfWorkload()", () => {
  const selector = {
    matchLabels: { app: "web" },
    matchExpressions: [
      { key: "tier", operator: "In", values: ["front", "edge"] },
      { key: "old", operator: "DoesNotExist" },
      { key: "app", operator: "Exists" },
      { key: "zone", operator: "NotIn", values: ["eu"] },
    ],
  };

  it("writes labels and expressions as the API server takes them", () => {
    const { text, matches } = selectorOfWorkload({ spec: { selector } }) ?? parseSelector("");
    expect(text).toBe("app=web,tier in (front,edge),!old,app,zone notin (eu)");
    expect(matches(LABELS)).toBe(true);
    expect(parseSelector(text).text).toBe(text);
  });

  it.each([{}, { spec: {} }, { spec: { selector: {} } }, null])(
    "returns null for %j, which would match everything",
    (raw) => {
      expect(selectorOfWorkload(raw)).toBeNull();
    },
  );
});

useFakeApiServer();

const live = (): Connection => connect({ kubeconfig: writeKubeconfig(), env: {} });

describe("dated()", () => {
  it("remembers the latest Date header", async () => {
    apiServer().get("/a").reply(200, {});
    const connection = dated(live());
    expect(connection.newestDateMs()).toBeNull();
    await connection.get("/a");
    expect(connection.newestDateMs()).toBe(SERVER_CLOCK_MS);
  });
});

const OLD = "api-5d8c9f6b7-x2x4q";

describe("nearestNames()", () => {
  it.each([
    { name: "web-0", names: ["web-1", "db-0", "wbe-0"], nearest: ["web-1"], why: "one letter is wrong" },
    { name: "payments", names: ["paymnets", "orders"], nearest: ["paymnets"], why: "two letters are swapped" },
    { name: "api", names: ["apo", OLD], nearest: [OLD, "apo"], why: "the pods of a workload of that name come first" },
    {
      name: OLD,
      names: ["api-7f6bd4c99-zzk9t", "web-7f6bd4c99-zzk9t"],
      nearest: ["api-7f6bd4c99-zzk9t"],
      why: "the pod has been replaced",
    },
    {
      name: "web",
      names: ["web-4", "web-3", "web-2", "web-1"],
      nearest: ["web-1", "web-2", "web-3"],
      why: "at most three names are given",
    },
    { name: "web", names: ["a", "postgres", ""], nearest: [], why: "no name is similar" },
    { name: "web", names: [], nearest: [], why: "there are no names to choose from" },
  ])("gives $nearest for $name: $why", ({ name, names, nearest }) => {
    expect(nearestNames(name, names)).toEqual(nearest);
  });
});
