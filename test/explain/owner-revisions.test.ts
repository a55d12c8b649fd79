import { describe, expect, it } from "vitest";
import { ageIn } from "../../src/explain/answer/excerpt.ts";
import { textInUtc } from "../../src/explain/answer/prose.ts";
import { sinceInWords } from "../../src/explain/answer/since.ts";
import type { OwnedPod, OwnersObservation, RevisionSnapshot } from "../../src/explain/observed/observation.ts";
import { explainWithOwners } from "../../src/explain/owners/owner-explanation.ts";
import { revisionEvidence, sinceOf } from "../../src/explain/owners/revisions.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/kubelet/go-duration.ts";
import { aPod, aStatus, observationOf, T0_MS, terminated } from "../support/builders.ts";
import { aDeployment, aFailingPod, anOwnedPod, aRevision, aTemplate, condition } from "../support/owners.ts";

const AT_MS = T0_MS + 11 * MINUTE_MS;
const REVISIONS = [
  aRevision(3, "web:3", { createdAtMs: T0_MS + 10 * MINUTE_MS }),
  aRevision(2, "web:2"),
  aRevision(1, "web:1"),
];
const bad = anOwnedPod("web", { revision: "rev-3" });
const good = (revision: string, name = "old") =>
  anOwnedPod(name, { revision, restarts: 0, isReady: true, readySinceMs: T0_MS });

function owners(more: Partial<OwnersObservation>): OwnersObservation {
  return { chain: [], workload: null, revisions: REVISIONS, pods: [bad], missing: [], ...more };
}

interface Rollout {
  readonly revisions?: readonly RevisionSnapshot[];
  readonly pods: readonly OwnedPod[];
  readonly longestRunMs?: number;
}

function found({ longestRunMs = 3_000, ...more }: Rollout) {
  const observed = owners(more);
  const since = sinceOf(observed, aFailingPod(longestRunMs), AT_MS);
  const evidence = revisionEvidence(observed, "web", since, AT_MS);
  return {
    since: since && textInUtc(sinceInWords(since, AT_MS, "all")),
    evidence,
    texts: evidence.map(({ text }) => text),
  };
}

describe("what revisions show", () => {
  it("compare images, ages and restarts with the previous revision", () => {
    const { evidence } = found({ pods: [bad, good("rev-2")] });
    const [compared, concluded] = evidence;
    expect(compared).toMatchObject({ basis: "observed", rule: "revisions-compared" });
    expect(compared?.text).toBe(
      "revision 3 (image web:2 → web:3, 1m old, 5 restarts in one pod); before it revision 2 (11m old, no restarts in one pod)",
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
      why: "it compares with the newest older revision that has pods",
    },
    { pods: [bad], says: ["before it revision 2 (11m old, no pods)"], why: "no older pod, so it concludes nothing" },
    {
      pods: [bad, { ...good("rev-2"), restarts: 2, isReady: false, readySinceMs: null }],
      says: ["2 restarts in one pod", "revision 3 did not start it"],
      why: "the older pod restarts too",
    },
    {
      pods: [bad, { ...good("rev-2"), restarts: 2 }],
      says: ["2 restarts in one pod", "the crashes began with revision 3"],
      why: "the older pod restarted before, and has been Ready for long since",
    },
    {
      pods: [bad, { ...good("rev-2"), isReady: false }],
      says: ["before it revision 2"],
      why: "it concludes nothing from older pods that are not Ready",
    },
    {
      pods: [{ ...bad, revision: "rev-1" }, good("rev-3")],
      says: ["after it revision 3 (image web:1 → web:3"],
      why: "it compares the pod's older revision with the newest",
    },
    { pods: [{ ...bad, revision: null }], says: [], why: "the pod's revision is unknown" },
    { pods: [], says: [], why: "the pod is not among the observed pods" },
  ])("says $says: $why", ({ pods, says }) => {
    expect(found({ pods }).texts).toEqual(says.map((part) => expect.stringContaining(part)));
  });

  it.each<{ why: string; rollout: Rollout; is: string | null }>([
    {
      why: "no pod of the older revision is left",
      rollout: { pods: [bad] },
      is: "perhaps 2026-11-21T12:10:00Z (1m ago), with revision 3: image web:2 → web:3; no pod of revision 2 is left to compare",
    },
    {
      why: "the older pods are healthy",
      rollout: { pods: [bad, good("rev-2")] },
      is: "2026-11-21T12:10:00Z (1m ago), with revision 3: image web:2 → web:3; revision 2 does not crash",
    },
    {
      why: "the older pods crash, too",
      rollout: { pods: [bad, { ...good("rev-2"), restarts: 1, isReady: false, readySinceMs: null }] },
      is: "before revision 3: pods of revision 2 crash too",
    },
    { why: "the older pods are not up", rollout: { pods: [bad, { ...good("rev-2"), isReady: false }] }, is: null },
    {
      why: "the new pods fail to start",
      rollout: { pods: [{ ...bad, restarts: 0 }, good("rev-2")] },
      is: "2026-11-21T12:10:00Z (1m ago), with revision 3: image web:2 → web:3; revision 2 is running",
    },
    { why: "the new pods have not crashed yet", rollout: { pods: [{ ...bad, restarts: 0 }] }, is: null },
    {
      why: "there is only one revision",
      rollout: { pods: [{ ...bad, revision: "rev-1" }], revisions: [aRevision(1, "web:1")] },
      is: null,
    },
    {
      why: "a rollback gives an old ReplicaSet a new number",
      rollout: {
        pods: [{ ...bad, createdAtMs: AT_MS - 2 * MINUTE_MS }],
        revisions: [
          aRevision(3, "web:1", { isReused: true }),
          aRevision(2, "web:2", { createdAtMs: T0_MS + MINUTE_MS }),
        ],
      },
      is: "2026-11-21T12:09:00Z (2m ago), with revision 3, a rollback from revision 2 to an earlier template, which may have failed before",
    },
  ])("says since when: $why", ({ rollout, is }) => {
    expect(found(rollout).since).toBe(is);
  });
});

describe("a restart without a change", () => {
  const restartedAt = { annotations: { "kubectl.kubernetes.io/restartedAt": "2026-11-21T12:10:00Z" } };
  const restart = (number: number, atMs: number, image = "web:2") =>
    aRevision(number, image, { createdAtMs: atMs, template: aTemplate({ image }, restartedAt) });

  it.each([
    { pods: [bad, good("rev-2")], why: "the old pods just have not restarted yet" },
    { pods: [bad], why: "no old pod is left" },
  ])("is not called a release: $why", ({ pods }) => {
    const revisions = [restart(3, AT_MS - MINUTE_MS), aRevision(2, "web:2", { createdAtMs: T0_MS - 30 * HOUR_MS })];
    const { since, evidence } = found({ pods, revisions: [...revisions, aRevision(1, "web:1", { createdAtMs: 0 })] });
    expect(since).toBe(
      "2026-11-21T12:10:00Z (1m ago), with revision 3, a restart: the template is unchanged; look at what it reads",
    );
    expect(evidence.map(({ rule }) => rule)).toEqual(["revisions-compared", "template-unchanged"]);
    expect(evidence[0]?.text).toMatch(/^revision 3 \(a restart: the same template, /);
  });

  it("soon after a release leaves the release as the likely cause", () => {
    const revisions = [restart(3, AT_MS - MINUTE_MS), aRevision(2, "web:2", { createdAtMs: AT_MS - 9 * MINUTE_MS })];
    expect(found({ pods: [bad], revisions: [...revisions, aRevision(1, "web:1")] }).since).toBe(
      "perhaps 2026-11-21T12:02:00Z (9m ago), with revision 2: image web:1 → web:2; no pod of revision 1 is left to compare",
    );
  });

  it("is not claimed for redacted templates, which lack settings", () => {
    const template = { ...aTemplate({ image: "web:2" }), isComplete: false };
    const revisions = [aRevision(3, "", { template }), aRevision(2, "", { template })];
    const { since, texts } = found({ pods: [bad, good("rev-2")], revisions });
    expect(since).not.toContain("restart");
    expect(texts[0]).toContain("revision 3 (the same images, ");
  });
});

describe("healthy pods of the same revision", () => {
  const peer = (name: string, more: Partial<OwnedPod> = {}) => ({ ...good("rev-3", name), ...more });

  it.each<{ why: string; pods: OwnedPod[]; longestRunMs?: number; is: RegExp }>([
    {
      why: "one other pod",
      pods: [bad, peer("queue-0")],
      is: /^queue-0 runs the same revision \(3\) and is healthy; look at this pod's data or node$/,
    },
    { why: "two other pods", pods: [bad, peer("queue-0"), peer("queue-2")], is: /^queue-0 and queue-2 run the same/ },
    { why: "four", pods: [bad, ...["a", "b", "c", "d"].map((name) => peer(name))], is: /^a, b and 2 more run the/ },
    {
      why: "a peer that has been Ready for only 9 s",
      pods: [bad, peer("a", { readySinceMs: AT_MS - 9_000 })],
      is: /^perhaps/,
    },
    {
      why: "a peer that has been Ready for less than the longest run",
      pods: [bad, peer("a")],
      longestRunMs: 8 * MINUTE_MS,
      is: /^perhaps/,
    },
    { why: "a peer that has long recovered", pods: [bad, peer("a", { restarts: 1 })], is: /^a runs the same revision/ },
  ])("are named instead of a release: $why", ({ pods, longestRunMs, is }) => {
    expect(found({ pods, ...(longestRunMs !== undefined && { longestRunMs }) }).since).toMatch(is);
  });

  it("are named even if there is only one revision", () => {
    const pods = [{ ...bad, revision: "rev-1" }, good("rev-1", "queue-0")];
    expect(found({ pods, revisions: [aRevision(1, "web:1")] }).since).toMatch(/^queue-0 runs the same revision/);
  });
});

describe("explainWithOwners()", () => {
  const conditions = [condition("Progressing", "False", { reason: "ProgressDeadlineExceeded" })];
  const seen = owners({
    chain: [{ kind: "ReplicaSet", name: "web-1", basis: "observed" }],
    workload: aDeployment({ conditions }),
    missing: [{ what: "revisions", owner: { kind: "Deployment", name: "web" }, why: "forbidden" }],
  });
  const crashed = aPod({ statuses: [aStatus({ restartCount: 3, state: terminated(T0_MS, T0_MS + 5_000) })] });

  function withOwners(pod: ReturnType<typeof aPod>, known?: OwnersObservation) {
    const more = known === undefined ? {} : { owners: known };
    return explainWithOwners(observationOf(pod, { atMs: T0_MS + 10_000, ...more }), {}).pods[0];
  }

  it("adds the owners, the evidence from them, and what could not be read", () => {
    const pod = withOwners(crashed, seen);
    expect(pod?.owners).toEqual(seen.chain);
    expect(pod?.ownerEvidence?.map(({ rule }) => rule)).toEqual(["rollout-stuck", "revisions-compared"]);
    expect(pod?.gaps).toContainEqual({
      code: "revisions-forbidden",
      message:
        "No permission to read the revisions of Deployment web (list replicasets). Can't tell when the crashes began.",
    });
  });

  it("adds only the owners to a healthy pod", () => {
    expect(withOwners(aPod(), seen)).toMatchObject({ owners: seen.chain, ownerEvidence: [] });
  });

  it("adds nothing to a pod whose owners were not read", () => {
    expect(withOwners(crashed)).not.toHaveProperty("owners");
  });
});

describe("ageIn()", () => {
  it.each([
    [-5, "0s"],
    [119_999, "1m59s"],
    [120_000, "2m"],
    [7_199_999, "119m"],
    [7_200_000, "2h"],
    [172_799_000, "47h"],
    [172_800_000, "2d"],
  ])("writes %d ms as %s", (ms, text) => {
    expect(ageIn(ms)).toBe(text);
  });
});
