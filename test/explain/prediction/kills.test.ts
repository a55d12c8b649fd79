import { describe, expect, it } from "vitest";
import type { EventSnapshot } from "../../../src/explain/observed/observation.ts";
import { aContainer, anEvent, aProbe, S } from "../../support/builders.ts";
import { at, explainApp, statusOf } from "../../support/explain-pod.ts";

function probeEvent(reason: "Killing" | "Unhealthy", atS: number): EventSnapshot {
  const message =
    reason === "Killing" ? "Container app failed liveness probe, will be restarted" : "Liveness probe failed: x";
  return anEvent({ name: `${reason} ${atS}`, type: "Normal", reason, message, firstAtMs: at(atS) });
}

function explained(events: readonly EventSnapshot[], exitCode = 0, fromS = 1_000) {
  const statuses = [statusOf({ runs: [[fromS, 1_720], [1_720]], restarts: 9, exit: { exitCode } })];
  const containers = [aContainer({ livenessProbe: aProbe({ periodMs: 60 * S, failureThreshold: 12 }) })];
  return explainApp({ containers, statuses }, { atMs: at(1_820), events });
}

const KILLED = probeEvent("Killing", 1_719);

describe("a kill in progress", () => {
  it("has the cause of the newest of several events", () => {
    const message = "Container app definition changed, will be restarted";
    const changed = { ...probeEvent("Killing", 1_815), name: "changed", message };
    expect(explained([probeEvent("Killing", 1_810), changed]).beingKilled).toBe("spec-change");
  });
});

describe("the next kill by a probe", () => {
  it("comes a whole number of periods after the last one if the probe goes on failing", () => {
    const { expectedKill } = explained([KILLED, probeEvent("Unhealthy", 1_780)]);
    expect(expectedKill).toEqual({
      probe: "liveness-probe",
      notBeforeMs: at(2_440),
      likelyByMs: at(2_441),
    });
  });

  it("counts from the kill, not from the exit of a program that ignores SIGTERM", () => {
    const { expectedKill } = explained([probeEvent("Killing", 1_690), probeEvent("Unhealthy", 1_780)], 137);
    expect(expectedKill?.notBeforeMs).toBe(at(2_410));
  });

  it.each([
    { why: "the probe has not failed in this run", events: [KILLED, probeEvent("Unhealthy", 1_715)] },
    { why: "the container ended by itself", events: [probeEvent("Unhealthy", 1_780)], fromS: 1_300 },
    { why: "a kill is in progress", events: [KILLED, probeEvent("Unhealthy", 1_780), probeEvent("Killing", 1_815)] },
  ])("is not expected: $why", ({ events, fromS }) => {
    expect(explained(events, 3, fromS).expectedKill).toBeNull();
  });
});
