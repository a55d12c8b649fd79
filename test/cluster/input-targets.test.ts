import { describe, expect, it } from "vitest";
import { type InputTargets, observeTargetsInFiles } from "../../src/cluster/files/target-input.ts";
import type { TargetsObservation } from "../../src/cluster/pods/found-targets.ts";
import { ndjson, rawPod, streamOf } from "../support/input.ts";
import { aFineRawPod, aRawOwnedPod, aRawReplicaSet, aRawWorkload, ownedBy } from "../support/raw-workloads.ts";

const API = { kind: "ReplicaSet", name: "api-5d8c9f6b7" };
const API_B = { kind: "ReplicaSet", name: "api-b-5d8c9f6b7" };
const PODS = [
  aFineRawPod({ kind: "StatefulSet", name: "db" }, "db-0", { app: "db" }),
  aRawOwnedPod(API, "api-x", { app: "api", "pod-template-hash": "5d8c9f6b7" }),
  aRawOwnedPod(API_B, "api-b-x", { app: "api", "pod-template-hash": "5d8c9f6b7" }),
  aFineRawPod({ kind: "Job", name: "nightly-29921310" }, "nightly-old"),
  aFineRawPod({ kind: "Job", name: "nightly-29921311" }, "nightly-new"),
];

function observe(objects: readonly object[], options: Partial<InputTargets>): Promise<TargetsObservation> {
  const input = { filenames: ["-"], stdin: streamOf(ndjson(objects)), onNote: () => {}, namespace: undefined };
  const moment = { atMs: Date.UTC(2026, 10, 21, 12, 10), localNowMs: 0 };
  const nothing = { words: [], selector: undefined, allNamespaces: false };
  return observeTargetsInFiles({ ...input, ...moment, ...nothing, ...options });
}

const IN_NAMESPACES = ["shop/web", "shop/api", "test/web"].map((key) => {
  const [namespace, name] = key.split("/");
  return rawPod({ metadata: { namespace, name, uid: key } });
});

const names = ({ observation }: TargetsObservation): string[] => observation.pods.map(({ pod }) => pod.name);

describe("observeTargetsInFiles()", () => {
  it.each<[found: string, options: Partial<InputTargets>, note?: string]>([
    ["api-b-x api-x db-0 nightly-new nightly-old", {}],
    ["db-0 api-x", { words: ["db-0", "po/api-x"] }],
    ["db-0", { words: ["prod/db-0"] }],
    ["db-0", { words: ["sts", "db"] }, "those that name it as their controller"],
    ["api-x", { words: ["deploy/api"] }, "inferred from the names of their ReplicaSets"],
    ["nightly-new", { words: ["cj/nightly"] }, "inferred from the names of their Jobs"],
    ["api-b-x api-x", { selector: "app in (api)" }],
    ["", { selector: "app=nope" }, 'No pods match "app=nope" in the input.'],
    ["", { words: ["sts"], selector: "app=db" }, 'No statefulsets match "app=db" in the input.'],
    ["db-0", { namespace: "other", allNamespaces: true, selector: "app=db" }],
  ])("selects %s for %j", async (found, options, note = "") => {
    const result = await observe(PODS, options);
    expect(names(result).join(" ")).toBe(found);
    expect(result.notes[0] ?? "").toContain(note);
    expect(result.notes.length > 0).toBe(note !== "");
  });

  it.each<[found: string, options: Partial<InputTargets>]>([
    ["shop/api shop/web test/web", {}],
    ["shop/web test/web", { words: ["web"] }],
    ["test/web", { words: ["test/web"] }],
    ["test/web", { words: ["web"], namespace: "test" }],
    ["shop/api shop/web", { namespace: "shop" }],
    ["test/web", { words: ["test/web"], namespace: "shop" }],
  ])("selects from several namespaces %s for %j", async (found, options) => {
    const { observation } = await observe(IN_NAMESPACES, options);
    expect(observation.pods.map(({ pod }) => `${pod.namespace}/${pod.name}`).join(" ")).toBe(found);
  });

  it.each<[said: string, options: Partial<InputTargets>]>([
    ['"db"', { words: ["db"] }],
    ['"test/api"', { words: ["api"], namespace: "test" }],
    ['""', { words: [""] }],
  ])("lists all pods of the input if there is no pod %s", async (said, options) => {
    const text = `There is no pod ${said} in the input.\nThe input has shop/web, shop/api and test/web.`;
    await expect(observe(IN_NAMESPACES, options)).rejects.toMatchObject({ code: "podNotInInput", text });
  });

  it("lists all pods of the input if no pod is in the namespace", async () => {
    const text = 'There is no pod of namespace "prod" in the input.\nThe input has shop/web, shop/api and test/web.';
    const observed = observe(IN_NAMESPACES, { namespace: "prod" });
    await expect(observed).rejects.toMatchObject({ code: "namespaceNotInInput", text });
  });

  it("infers nothing if the Deployment and its ReplicaSets are in the input", async () => {
    const objects = [
      aRawWorkload("Deployment", "api", { metadata: { labels: { team: "a" } } }),
      aRawReplicaSet("api", "5d8c9f6b7", 2, "web:2"),
      aRawReplicaSet("api", "old", 1, "web:1"),
    ].map((object) => ({ ...object, apiVersion: "apps/v1" }));
    for (const options of [{ words: ["deploy/api"] }, { words: ["deploy"], selector: "team=a" }]) {
      const result = await observe([...PODS, ...objects], options);
      expect(names(result)).toEqual(["api-x"]);
      expect(result.notes).toEqual([]);
      expect(result.observation.pods[0]?.owners).toMatchObject({
        chain: [{ name: API.name }, { kind: "Deployment", name: "api", basis: "observed" }],
        workload: { kind: "Deployment" },
        revisions: [{ number: 2 }, { number: 1 }],
      });
    }
  });

  it("finds the pods of a Deployment that only the owner reference of its ReplicaSet shows", async () => {
    const result = await observe([...PODS, aRawReplicaSet("api", "5d8c9f6b7", 2, "web:2")], { words: ["deploy/api"] });
    expect(names(result)).toEqual(["api-x"]);
    expect(result.notes).toEqual([]);
    const top = { kind: "Deployment", name: "api", basis: "observed" };
    expect(result.observation.pods[0]?.owners?.chain.at(-1)).toEqual(top);
  });

  it("returns the pods that are in the input, and a failure for each other word", async () => {
    const result = await observe(PODS, { words: ["db-0", "db-9", "deploy/apj"] });
    expect(names(result)).toEqual(["db-0"]);
    expect(result.failures.map(({ code }) => code)).toEqual(["podNotInInput", "workloadNotInInput"]);
  });

  it.each([
    ["deploy/apj", "workloadNotInInput", "There are pods of deployment/api."],
    ["cj/nightli", "workloadNotInInput", "There are pods of cronjob/nightly."],
    ["dep/api", "unknownType", "deployment"],
  ])("rejects %s with %s: %s", async (word, code, says) => {
    const error = { code, text: expect.stringContaining(says) };
    await expect(observe(PODS, { words: [word] })).rejects.toMatchObject(error);
  });

  it("gives no owners for a pod without a controller", async () => {
    const { observation } = await observe([{ ...PODS[0], metadata: ownedBy(null, "alone") }], {});
    expect(observation.pods[0]?.owners).toBeUndefined();
  });
});
