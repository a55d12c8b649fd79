import { describe, expect, it } from "vitest";
import { notReadyPod } from "../../src/explain/not-ready.ts";
import type { PodObservation, PodSnapshot } from "../../src/explain/observed/observation.ts";
import { sinceOf } from "../../src/explain/owners/revisions.ts";
import { aContainer, aPod, aStatus, observationOf, running, T0_MS, waiting } from "../support/builders.ts";
import { anOwnedPod, aRevision } from "../support/owners.ts";

const MINUTE_MS = 60_000;

function observed(change: Partial<PodSnapshot>): PodObservation {
  const [found] = observationOf(aPod({ phase: "Running", ...change })).pods;
  if (found === undefined) throw new Error("no pod");
  return found;
}

describe("notReadyPod()", () => {
  const ready = (status: "True" | "False", lastTransitionAtMs: number | null = T0_MS): PodSnapshot["conditions"] => [
    { type: "Ready", status, reason: null, message: null, lastTransitionAtMs },
  ];

  it.each([
    { why: "not Ready for 2 minutes", change: { conditions: ready("False") }, isNamed: true },
    { why: "not Ready for a moment", change: { conditions: ready("False", T0_MS + MINUTE_MS) }, isNamed: false },
    { why: "Ready", change: { conditions: ready("True") }, isNamed: false },
    { why: "Pending without the condition", change: { conditions: [], phase: "Pending" }, isNamed: true },
    { why: "Running without the condition", change: { conditions: [] }, isNamed: false },
    { why: "being deleted", change: { conditions: ready("False"), deletionAtMs: T0_MS }, isNamed: false },
    { why: "over", change: { conditions: ready("False"), phase: "Succeeded" }, isNamed: false },
    { why: "without a node", change: { conditions: ready("False"), nodeName: null }, isNamed: false },
  ])("$why: $isNamed", ({ change, isNamed }) => {
    const found = notReadyPod(observed(change), T0_MS + 2 * MINUTE_MS);
    expect(found).toEqual(
      isNamed ? [{ namespace: "default", pod: "web", workload: null, sinceMs: T0_MS, waitsFor: null }] : [],
    );
  });

  it("names the init container that runs", () => {
    const containers = [aContainer({ name: "migrate", type: "init" }), aContainer()];
    const statuses = [
      aStatus({ name: "migrate", state: running(T0_MS) }),
      aStatus({ state: waiting("PodInitializing") }),
    ];
    const pod = observed({ conditions: ready("False"), phase: "Pending", containers, statuses });
    expect(notReadyPod(pod, T0_MS + 2 * MINUTE_MS)).toMatchObject([{ waitsFor: "migrate" }]);
  });
});

describe("sinceOf() a pod that has never been Ready", () => {
  const owners = {
    chain: [],
    workload: null,
    revisions: [aRevision(2, "web:2", { createdAtMs: T0_MS }), aRevision(1, "web:1")],
    pods: [anOwnedPod("web", { revision: "rev-2", restarts: 0, isReady: false, readySinceMs: null })],
    missing: [],
  };

  it.each([
    { afterMs: 2 * MINUTE_MS - 1, is: undefined, why: "it may still be starting up" },
    { afterMs: 2 * MINUTE_MS, is: "perhaps", why: "the new revision may keep it from it" },
  ])("after $afterMs ms: $why", ({ afterMs, is }) => {
    expect(sinceOf(owners, { name: "web", longestRunMs: 0 }, T0_MS + afterMs)?.kind).toBe(is);
  });
});
