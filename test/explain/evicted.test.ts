import { describe, expect, it } from "vitest";
import type { PodSnapshot } from "../../src/explain/observed/observation.ts";
import { explainWithOwners } from "../../src/explain/owners/owner-explanation.ts";
import { isFine } from "../../src/explain/triage.ts";
import { anEvent, aPod, aStatus, observationOf, T0_MS, terminated } from "../support/builders.ts";

const OVER_LIMIT = 'Usage of EmptyDir volume "scratch" exceeds the limit "20Mi". ';
const S = 1_000;
const EVENT = anEvent({
  ...{ reason: "Evicted", message: OVER_LIMIT, container: null },
  firstAtMs: T0_MS + 62 * S,
  lastAtMs: T0_MS + 62 * S,
});

/** The pod ran for a minute, then the kubelet evicted it; `ended`: the exit's code and its second. */
function explained(ended: readonly [number, number], pod: Partial<PodSnapshot>, events = [EVENT]) {
  const [exitCode, second] = ended;
  const state = terminated(T0_MS + S, T0_MS + second * S, { exitCode, reason: exitCode === 0 ? "Completed" : "Error" });
  const statuses = [aStatus({ state, ready: false, started: false })];
  const observation = observationOf(aPod({ statuses, ...pod }), { events, atMs: T0_MS + 120 * S });
  const [found] = explainWithOwners(observation, {}).pods;
  if (found === undefined) throw new Error("no pod");
  return { found, crash: found.containers[0]?.lastExit?.crash, steps: (found.nextSteps ?? []).map((one) => one.what) };
}

describe("an evicted pod", () => {
  const FAILED = { phase: "Failed", reason: "Evicted", message: OVER_LIMIT };

  // The status of such a pod of the cluster had neither reason nor message.
  it("counts as evicted, and not as fine, if its container exited with 0 and its phase is Succeeded", () => {
    const { found, crash, steps } = explained([0, 64], { phase: "Succeeded" });
    expect(found.verdict).toBe("completed");
    expect(isFine(found)).toBe(false);
    expect(found.ending).toEqual({ reason: "Evicted", message: OVER_LIMIT.slice(0, -2) });
    expect(crash).toBe("The kubelet probably stopped it because it evicted the pod (exit code 0).");
    expect(steps).toEqual(["see its events"]);
  });

  it("was stopped by the kubelet, and has no log to read", () => {
    const { crash, steps } = explained([137, 64], FAILED);
    expect(crash).toBe("The kubelet probably stopped it because it evicted the pod (exit code 137).");
    expect(steps).toEqual(["see why it failed"]);
  });

  it("leads to a check of its node if that was low on memory", () => {
    const message = "The node was low on resource: memory. ";
    expect(explained([137, 64], { ...FAILED, message }, []).steps).toEqual(["check the node", "see why it failed"]);
  });

  it("keeps the exit of a container that ended by itself before the eviction", () => {
    expect(explained([1, 30], FAILED).crash).toBe(
      "Exit code 1: as far as the status shows, the program stopped with an error.",
    );
  });

  it.each<[string, Partial<PodSnapshot>]>([
    ["has completed without an eviction", { phase: "Succeeded" }],
    ["runs", {}],
  ])("is not one if it %s", (_, pod) => {
    expect(explained([0, 64], pod, []).found.ending).toBe(null);
  });
});
