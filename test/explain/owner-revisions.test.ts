import { describe, expect, it } from "vitest";
import { ageIn } from "../../src/explain/answer/excerpt.ts";
import type { OwnersObservation } from "../../src/explain/observed/observation.ts";
import { explained, revisionEvidence } from "../../src/explain/owners/owner-explanation.ts";
import { aPod, aStatus, observationOf, T0_MS, terminated } from "../support/builders.ts";
import { aDeployment, anOwnedPod, aRevision, condition } from "../support/owners.ts";

const MINUTE = 60_000;
const AT_MS = T0_MS + 11 * MINUTE;
const REVISIONS = [
  aRevision(3, "web:3", { createdAtMs: T0_MS + 10 * MINUTE }),
  aRevision(2, "web:2"),
  aRevision(1, "web:1"),
];
const bad = anOwnedPod("web", { revision: "rev-3" });
const good = (revision: string) => anOwnedPod("old", { revision, restarts: 0, isReady: true });

function owners(more: Partial<OwnersObservation>): OwnersObservation {
  return { chain: [], workload: null, revisions: REVISIONS, pods: [bad], missing: [], ...more };
}

describe("revisionEvidence()", () => {
  it("compares images, ages and restarts with the revision before", () => {
    const [compared, concluded] = revisionEvidence(owners({ pods: [bad, good("rev-2")] }), "web", AT_MS);
    expect(compared).toMatchObject({ basis: "seen", rule: "revisions-compared" });
    expect(compared?.text).toBe(
      "revision 3 (image web:3, 60s old, 5 restarts in one pod); before it revision 2 (image web:2, 11m old, no restarts in one pod)",
    );
    expect(concluded).toMatchObject({
      basis: "inferred",
      text: expect.stringContaining("the crashes began with revision 3"),
    });
  });

  it.each([
    {
      pods: [bad, good("rev-1")],
      says: ["before it revision 1", "the crashes began after revision 1"],
      why: "the last one that has pods",
    },
    {
      pods: [bad],
      says: ["before it revision 2 (image web:2, 11m old, no pods)"],
      why: "nothing follows from no pods",
    },
    {
      pods: [bad, { ...good("rev-2"), restarts: 2 }],
      says: ["2 restarts in one pod", "revision 3 did not start it"],
      why: "the older one restarts too",
    },
    {
      pods: [bad, { ...good("rev-2"), isReady: false }],
      says: ["before it revision 2"],
      why: "nothing follows from pods that are not up",
    },
    {
      pods: [{ ...bad, revision: "rev-1" }, good("rev-3")],
      says: ["after it revision 3 (image web:3"],
      why: "the oldest against the newest",
    },
    { pods: [{ ...bad, revision: null }], says: [], why: "its revision is not known" },
    { pods: [], says: [], why: "the pod was not seen among them" },
  ])("says $says: $why", ({ pods, says }) => {
    const texts = revisionEvidence(owners({ pods }), "web", AT_MS).map(({ text }) => text);
    expect(texts).toEqual(says.map((part) => expect.stringContaining(part)));
  });

  it("names only the images that changed, with their containers", () => {
    const images = (app: string) => [
      { container: "app", image: app },
      { container: "proxy", image: "proxy:1" },
    ];
    const revisions = [aRevision(2, "", { images: images("web:2") }), aRevision(1, "", { images: images("web:1") })];
    const pods = [anOwnedPod("web", { revision: "rev-2" })];
    expect(revisionEvidence(owners({ revisions, pods }), "web", AT_MS)[0]?.text).toMatch(
      /^revision 2 \(image web:2 of app, 11m old/,
    );
    const same = revisions.map((revision) => ({ ...revision, images: images("web:1") }));
    expect(revisionEvidence(owners({ revisions: same, pods }), "web", AT_MS)[0]?.text).toContain(
      "revision 2 (the same template,",
    );
  });

  it.each([
    { own: { command: "1" }, before: { command: "2" }, says: "revision 2 (changed command, 11m old" },
    { own: {}, before: { livenessProbe: "1" }, says: "revision 2 (changed livenessProbe, 11m old" },
    { own: { a: "1", b: "1", c: "1" }, before: {}, says: "revision 2 (changed a, b and c, 11m old" },
    { own: { a: "1", b: "1", c: "1", d: "1", e: "1" }, before: { e: "1" }, says: "(changed a, b, c and 1 more, 11m" },
  ])("names the settings that changed: $says", ({ own, before, says }) => {
    const settings = (fields: object) =>
      new Map(Object.entries(fields).map(([name, text]) => [`${name} of app`, text]));
    const revisions = [
      aRevision(2, "web:1", { settings: settings(own) }),
      aRevision(1, "web:1", { settings: settings(before) }),
    ];
    const pods = [anOwnedPod("web", { revision: "rev-2" })];
    expect(revisionEvidence(owners({ revisions, pods }), "web", AT_MS)[0]?.text).toContain(says);
  });

  it("has nothing to compare a first revision with", () => {
    const evidence = revisionEvidence(
      owners({ revisions: [aRevision(1, "web:1")], pods: [good("rev-1")] }),
      "old",
      AT_MS,
    );
    expect(evidence.map(({ rule }) => rule)).toEqual(["first-revision"]);
  });
});

describe("explained()", () => {
  const conditions = [condition("Progressing", "False", { reason: "ProgressDeadlineExceeded" })];
  const seen = owners({
    chain: [{ kind: "ReplicaSet", name: "web-1", basis: "seen" }],
    workload: aDeployment({ conditions }),
    missing: [{ what: "revisions", owner: { kind: "Deployment", name: "web" }, why: "forbidden" }],
  });
  const crashed = aPod({ statuses: [aStatus({ restartCount: 3, state: terminated(T0_MS, T0_MS + 5_000) })] });

  function withOwners(pod: ReturnType<typeof aPod>, known?: OwnersObservation) {
    const more = known === undefined ? {} : { owners: known };
    return explained(observationOf(pod, { atMs: T0_MS + 10_000, ...more }), {}).pods[0];
  }

  it("adds the chain, what it means, and what could not be seen", () => {
    const pod = withOwners(crashed, seen);
    expect(pod?.owners).toEqual(seen.chain);
    expect(pod?.ownerEvidence?.map(({ rule }) => rule)).toEqual(["rollout-stuck", "revisions-compared"]);
    expect(pod?.gaps).toContainEqual({
      code: "revisions-forbidden",
      message:
        "No permission to read the revisions of Deployment web (list replicasets). Can't tell when the crashes began.",
    });
  });

  it.each([
    [[bad], "perhaps revision 3 (image web:3, 0s ago); no pod of revision 2 is left to compare"],
    [[bad, good("rev-2")], "revision 3 (image web:3, 0s ago); revision 2 does not crash"],
    [[bad, { ...good("rev-2"), restarts: 1 }], "before revision 3: pods of revision 2 crash too"],
    [[bad, { ...good("rev-2"), isReady: false }], null],
    [[{ ...bad, restarts: 0 }, good("rev-2")], "revision 3 (image web:3, 0s ago); revision 2 is running"],
    [[{ ...bad, restarts: 0 }], null],
  ])("says since which revision it crashes, row %#", (pods, since) => {
    expect(withOwners(aPod({ ...crashed, name: "web" }), { ...seen, pods })?.since).toBe(since);
  });

  it("says of a pod that is fine only whose it is", () => {
    expect(withOwners(aPod(), seen)).toMatchObject({ owners: seen.chain, ownerEvidence: [] });
  });

  it("leaves a pod alone whose owners nobody looked for", () => {
    expect(withOwners(crashed)).not.toHaveProperty("owners");
  });
});

describe("ageIn()", () => {
  it.each([
    [-5, "0s"],
    [119_999, "119s"],
    [120_000, "2m"],
    [7_199_999, "119m"],
    [7_200_000, "2h"],
    [172_799_000, "47h"],
    [172_800_000, "2d"],
  ])("writes %d ms as %s", (ms, text) => {
    expect(ageIn(ms)).toBe(text);
  });
});
