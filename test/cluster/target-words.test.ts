import { describe, expect, it } from "vitest";
import { nameOfTarget, targetsIn } from "../../src/cluster/api/target-words.ts";
import { kindOfWord } from "../../src/cluster/objects/workload-kinds.ts";

const LIVE = { isSelecting: false, isNamespace: () => false };

describe("kindOfWord()", () => {
  it.each([
    { words: ["pod", "pods", "po", "PO", "Pods"], kind: "Pod", why: "of the core group" },
    {
      words: ["deploy", "deployment", "Deployments", "deployments.apps", "deployment.v1.apps"],
      kind: "Deployment",
      why: "with version and group",
    },
    { words: ["sts", "StatefulSet", "statefulsets"], kind: "StatefulSet", why: "in any case" },
    { words: ["ds", "daemonset", "daemonsets.apps"], kind: "DaemonSet", why: "short, singular, plural" },
    { words: ["rs", "replicaset"], kind: "ReplicaSet", why: "short and singular" },
    { words: ["job", "jobs", "jobs.batch"], kind: "Job", why: "without a short name" },
    { words: ["cj", "cronjob", "cronjobs.v1.batch"], kind: "CronJob", why: "of the group batch" },
    {
      words: ["svc", "jobs.apps", "deployments.extensions", "", "null", "controllerrevision"],
      kind: null,
      why: "no type that has pods",
    },
  ])("takes $words for $kind: $why", ({ words, kind }) => {
    expect(words.map(kindOfWord)).toEqual(words.map(() => kind));
  });
});

describe("targetsIn()", () => {
  it.each([
    { words: ["web-0"], targets: ["pod/web-0"], why: "the name of a pod" },
    { words: ["web-0", "web-1"], targets: ["pod/web-0", "pod/web-1"], why: "several" },
    { words: ["deploy/api"], targets: ["deployment/api"], why: "TYPE/NAME" },
    { words: ["STS", "db", "kv"], targets: ["statefulset/db", "statefulset/kv"], why: "TYPE NAME NAME" },
    { words: ["web-0", "deploy/api", "po/x"], targets: ["pod/web-0", "deployment/api", "pod/x"], why: "a mix" },
    { words: ["web-0", "job"], targets: ["pod/web-0", "pod/job"], why: "only the first word is a type" },
    { words: ["pod", "job"], targets: ["pod/job"], why: "a pod with the name of a type" },
  ])("reads $words as $targets: $why", ({ words, targets }) => {
    expect(targetsIn(words, LIVE).targets.map(nameOfTarget)).toEqual(targets);
  });

  it("takes a type alone for what a selector chooses", () => {
    expect(targetsIn(["deploy"], { ...LIVE, isSelecting: true })).toEqual({ kind: "Deployment", targets: [] });
    expect(targetsIn([], { ...LIVE, isSelecting: true })).toEqual({ kind: "Pod", targets: [] });
  });

  it("takes a namespace before the slash where there is one", () => {
    const options = { ...LIVE, isNamespace: (prefix: string) => prefix === "prod" };
    expect(targetsIn(["prod/web-0"], options).targets).toEqual([{ kind: "Pod", name: "web-0", namespace: "prod" }]);
  });

  it.each([
    {
      words: ["svc/web"],
      code: "unknownType",
      says: "pod, deployment, statefulset, daemonset, replicaset, job or cronjob",
    },
    { words: ["../web"], code: "unknownType", says: 'type ".."' },
    { words: ["deploy"], code: "noNameForType", says: "deployment/NAME" },
    { words: ["deploy/"], code: "noNameForType", says: "deployment/NAME" },
  ])("refuses $words with $code", ({ words, code, says }) => {
    expect(() => targetsIn(words, LIVE)).toThrow(
      expect.objectContaining({ code, exitCode: 2, text: expect.stringContaining(says) }),
    );
  });
});
