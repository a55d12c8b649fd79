import { describe, expect, it } from "vitest";
import type { PodSnapshot } from "../../src/explain/observed/observation.ts";
import { explainWithOwners } from "../../src/explain/owners/owner-explanation.ts";
import { isFine } from "../../src/explain/triage.ts";
import { mainNotes } from "../../src/render/pod/notes.ts";
import { anEvent, aPod, aStatus, observationOf, S, T0_MS, terminated } from "../support/builders.ts";

const OVER_LIMIT = 'Usage of EmptyDir volume "scratch" exceeds the limit "20Mi". ';
const SHUT_DOWN = { reason: "Terminated", message: "Pod was terminated in response to imminent node shutdown" };
const EVENT = anEvent({
  ...{ reason: "Evicted", message: OVER_LIMIT, container: null },
  firstAtMs: T0_MS + 62 * S,
  lastAtMs: T0_MS + 62 * S,
});

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
  ])("is not recognized if it %s", (_, pod) => {
    expect(explained([0, 64], pod, []).found.ending).toBe(null);
  });
});

describe("a pod that the kubelet ended for another reason", () => {
  it.each([
    { reason: "DeadlineExceeded", why: "because the pod had run for its activeDeadlineSeconds" },
    { reason: "Preempting", why: "to make room for a critical pod" },
    { reason: "Terminated", why: "because its node was shutting down" },
    { reason: "Shutdown", why: "because its node was shutting down" },
  ])("stopped its containers: $reason", ({ reason, why }) => {
    const event = anEvent({ reason, message: "", container: null, firstAtMs: T0_MS + 62 * S });
    const pod = { phase: "Failed", reason, message: "In the kubelet's words" };
    const { crash, steps } = explained([137, 64], pod, [event]);
    expect(crash).toBe(`The kubelet probably stopped it ${why} (exit code 137).`);
    expect(steps).toEqual(["read the log", "see why it failed"]);
    expect(explained([137, 30], pod, [event]).crash).toMatch(/^Exit code 137: killed with SIGKILL, /);
  });

  it("stopped its containers from the transition of its DisruptionTarget condition on", () => {
    const target = { type: "DisruptionTarget", status: "True", reason: "TerminationByKubelet", message: null } as const;
    const conditions = [{ ...target, lastTransitionAtMs: T0_MS + 62 * S }];
    const pod = { phase: "Failed", reason: "Terminated", message: "Node shutdown", conditions };
    expect(explained([143, 64], pod, []).crash).toMatch(/^The kubelet probably stopped it because its node was/);
    expect(explained([143, 30], pod, []).crash).toMatch(/^Exit code 143: stopped by SIGTERM/);
  });

  it("is neither a pod that the kubelet rejected nor a pod whose reason another program wrote", () => {
    for (const reason of ["UnexpectedAdmissionError", "NodeAffinity", "Other"])
      expect(explained([143, 64], { phase: "Failed", reason }, []).crash).toMatch(/^Exit code 143/);
  });
});

it("says of no container of a preempted pod that restartPolicy Always restarts it", () => {
  const preempted = { phase: "Failed", reason: "Preempted", message: "Preempted in order to admit critical pod" };
  expect(explained([0, 64], preempted, []).crash).toBe(
    "Exit code 0: as far as the status shows, it finished successfully.",
  );
});

describe("a pod that is being deleted", () => {
  const NODE_LOST = "Node node-a which was running pod web is unresponsive";
  const DELETED = { deletionAtMs: T0_MS + 150 * S, deletionRequestedAtMs: T0_MS + 120 * S };

  it("has the reason and the message of its status, e.g. that its node is lost", () => {
    const { found } = explained([1, 64], { ...DELETED, reason: "NodeLost", message: NODE_LOST }, []);
    expect(found.ending).toEqual({ reason: "NodeLost", message: NODE_LOST });
  });
});

describe("a pod that still runs, as far as its status shows", () => {
  it("has the reason and the message of its status, and is not fine", () => {
    const [pod] = explainWithOwners(observationOf(aPod(SHUT_DOWN), { atMs: T0_MS + 3_600 * S }), {}).pods;
    if (pod === undefined) throw new Error("no pod");
    expect(pod.verdict).toBe("running");
    expect(pod.ending).toEqual(SHUT_DOWN);
    expect(isFine(pod)).toBe(false);
    expect(mainNotes(pod, { nowMs: T0_MS + 3_600 * S })[0]).toEqual({
      label: "Status",
      text: "Pod was terminated in response to imminent node shutdown (Terminated)",
    });
  });

  it("has no note about its status once its headline has the reason", () => {
    for (const pod of [{ phase: "Failed" }, { deletionAtMs: T0_MS + 30 * S, deletionRequestedAtMs: T0_MS }]) {
      const { found } = explained([137, 64], { ...SHUT_DOWN, ...pod }, []);
      expect(mainNotes(found, { nowMs: T0_MS }).map(({ label }) => label)).not.toContain("Status");
    }
  });
});
