import { describe, expect, it } from "vitest";
import { type InputTargets, observeTargetsInFiles } from "../../src/cluster/files/target-input.ts";
import type { TargetsObservation } from "../../src/cluster/pods/target-observe.ts";
import { ndjson, streamOf } from "../support/input.ts";
import { aFineRawPod, aRawOwnedPod, aRawReplicaSet, aRawWorkload, ownedBy } from "../support/raw-workloads.ts";

const API = { kind: "ReplicaSet", name: "api-5d8c9f6b7" };
const API_B = { kind: "ReplicaSet", name: "api-b-5d8c9f6b7" };
const PODS = [
  aFineRawPod({ kind: "StatefulSet", name: "db" }, "db-0", { app: "db" }),
  aRawOwnedPod(API, "api-x", { app: "api" }),
  aRawOwnedPod(API_B, "api-b-x", { app: "api" }),
  aFineRawPod({ kind: "Job", name: "nightly-29921310" }, "nightly-old"),
  aFineRawPod({ kind: "Job", name: "nightly-29921311" }, "nightly-new"),
];

function observe(objects: readonly object[], options: Partial<InputTargets>): Promise<TargetsObservation> {
  const input = { filenames: ["-"], stdin: streamOf(ndjson(objects)), onSkip: () => {}, namespace: undefined };
  const moment = { atMs: Date.UTC(2026, 10, 21, 12, 10), localNowMs: 0 };
  return observeTargetsInFiles({
    ...input,
    ...moment,
    words: [],
    selector: undefined,
    allNamespaces: false,
    ...options,
  });
}

const names = ({ observation }: TargetsObservation): string[] => observation.pods.map(({ pod }) => pod.name);

describe("observeTargetsInFiles()", () => {
  it.each([
    {
      options: {},
      found: ["api-b-x", "api-x", "db-0", "nightly-new", "nightly-old"],
      note: null,
      why: "all pods, trouble first",
    },
    { options: { words: ["db-0", "po/api-x"] }, found: ["db-0", "api-x"], note: null, why: "as they are named" },
    { options: { words: ["prod/db-0"] }, found: ["db-0"], note: null, why: "with its namespace" },
    {
      options: { words: ["sts", "db"] },
      found: ["db-0"],
      note: "those that name it as their controller",
      why: "by the reference",
    },
    {
      options: { words: ["deploy/api"] },
      found: ["api-x"],
      note: "inferred from the names of their ReplicaSets",
      why: "by the ReplicaSet's name",
    },
    {
      options: { words: ["cj/nightly"] },
      found: ["nightly-new"],
      note: "inferred from the names of their Jobs",
      why: "the newest Job",
    },
    { options: { selector: "app in (api)" }, found: ["api-b-x", "api-x"], note: null, why: "by labels" },
    { options: { selector: "app=nope" }, found: [], note: 'No pods match "app=nope" in the input.', why: "no match" },
    {
      options: { words: ["sts"], selector: "app=db" },
      found: [],
      note: "No statefulsets in the input match.",
      why: "no such objects",
    },
    {
      options: { namespace: "other", allNamespaces: true, selector: "app=db" },
      found: ["db-0"],
      note: null,
      why: "-A before -n",
    },
  ])("gives $found for $options: $why", async ({ options, found, note }) => {
    const result = await observe(PODS, options);
    expect(names(result)).toEqual(found);
    expect(result.notes[0] ?? null).toEqual(note === null ? null : expect.stringContaining(note));
  });

  it("infers nothing where the objects are in the input", async () => {
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
        chain: [{ name: API.name }, { kind: "Deployment", name: "api", basis: "seen" }],
        workload: { kind: "Deployment" },
        revisions: [{ number: 2 }, { number: 1 }],
      });
    }
  });

  it("finds a Deployment's pods through ReplicaSets alone, and infers the rest of the chain", async () => {
    const result = await observe([...PODS, aRawReplicaSet("api", "5d8c9f6b7", 2, "web:2")], { words: ["deploy/api"] });
    expect(names(result)).toEqual(["api-x"]);
    expect(result.notes).toEqual([]);
    expect(result.observation.pods[0]?.owners?.chain.at(-1)).toEqual({
      kind: "Deployment",
      name: "api",
      basis: "seen",
    });
  });

  it("gives those of several that are there, and the failures of the others", async () => {
    const result = await observe(PODS, { words: ["db-0", "db-9", "deploy/apj"] });
    expect(names(result)).toEqual(["db-0"]);
    expect(result.failures.map(({ code }) => code)).toEqual(["podNotInInput", "workloadNotInInput"]);
  });

  it.each([
    {
      words: ["deploy/apj"],
      code: "workloadNotInInput",
      says: "There are pods of statefulset/db, replicaset/api-5d8c9f6b7",
    },
    { words: ["cj/nightli"], code: "workloadNotInInput", says: "There are pods of cronjob/nightly." },
    { words: ["dep/api"], code: "unknownType", says: "deployment" },
    { words: ["deploy"], code: null, says: "" },
  ])("of $words says $code", async ({ words, code, says }) => {
    const result = observe(PODS, { words });
    if (code === null) expect((await result).notes).toEqual(["No deployments in the input match."]);
    else await expect(result).rejects.toMatchObject({ code, text: expect.stringContaining(says) });
  });

  it("reads pods without a controller as they are", async () => {
    const { observation } = await observe([{ ...PODS[0], metadata: ownedBy(null, "alone") }], {});
    expect(observation.pods[0]?.owners).toBeUndefined();
  });
});
