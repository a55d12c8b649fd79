import { describe, expect, it } from "vitest";
import { sinceInWords } from "../../src/explain/answer/since.ts";
import type { OwnedPod, OwnersObservation, PodSnapshot } from "../../src/explain/observed/observation.ts";
import { explainWithOwners } from "../../src/explain/owners/owner-explanation.ts";
import { revisionEvidence, sinceOf } from "../../src/explain/owners/revisions.ts";
import { aPod, aStatus, observationOf, T0_MS, terminated } from "../support/builders.ts";
import { aFailingPod, anOwnedPod } from "../support/owners.ts";

const AT_MS = T0_MS + 11 * 60_000;
const bad = anOwnedPod("web", { revision: "web-7d9f" });
const good = (name: string, revision = "web-7d9f") =>
  anOwnedPod(name, { revision, restarts: 0, isReady: true, readySinceMs: T0_MS });

function found(pods: readonly OwnedPod[]) {
  const owners: OwnersObservation = { chain: [], workload: null, revisions: [], pods, missing: [] };
  const since = sinceOf(owners, aFailingPod(3_000), AT_MS);
  const texts = revisionEvidence(owners, "web", since, AT_MS).map(({ text }) => text);
  return { since: since && sinceInWords(since, AT_MS, "all"), texts };
}

describe("what pods of the same revision show if the revisions could not be read", () => {
  it("says that another pod is healthy, with the name of the revision", () => {
    const { since, texts } = found([bad, good("web-1"), good("web-2", "web-5c4b")]);
    expect(since).toBe("web-1 runs the same revision (web-7d9f) and is healthy; look at this pod's data or node");
    expect(texts).toEqual([
      expect.stringMatching(/^one other pod of revision web-7d9f is healthy, which speaks against/),
    ]);
  });

  it.each([
    { why: "no other pod is healthy", pods: [bad, anOwnedPod("web-1", { revision: "web-7d9f" })] },
    {
      why: "the pod has been Ready for as long as the other one",
      pods: [{ ...bad, restarts: 12, isReady: true, readySinceMs: T0_MS }, good("web-1")],
    },
    { why: "the pod's revision is unknown", pods: [{ ...bad, revision: null }, good("web-1")] },
  ])("says nothing if $why", ({ pods }) => {
    expect(found(pods)).toEqual({ since: null, texts: [] });
  });
});

describe("what healthy pods of the same revision show of a pod that is over", () => {
  const owners: OwnersObservation = {
    chain: [],
    workload: null,
    revisions: [],
    pods: [bad, good("web-1")],
    missing: [],
  };
  const sinceOfPod = (pod: Partial<PodSnapshot>) =>
    explainWithOwners(observationOf(aPod(pod), { atMs: AT_MS, owners }), {}).pods[0]?.since?.kind;
  const CRASHED = { statuses: [aStatus({ restartCount: 0, state: terminated(T0_MS, T0_MS + 3_000) })] };

  it.each([
    { why: "was evicted", pod: { phase: "Failed", reason: "Evicted", message: "low on memory" }, is: undefined },
    { why: "is being deleted", pod: { deletionAtMs: T0_MS }, is: undefined },
    {
      why: "failed by itself",
      pod: { ...CRASHED, phase: "Failed", restartPolicy: "Never" as const },
      is: "healthy-peers",
    },
  ])("is $is if the pod $why", ({ pod, is }) => {
    expect(sinceOfPod(pod) ?? undefined).toBe(is);
  });
});
