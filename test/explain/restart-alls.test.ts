import { describe, expect, it } from "vitest";
import { explain } from "../../src/explain/explain.ts";
import { aContainer, aNode, aPod, aStatus, observationOf, running, T0_MS, terminated } from "../support/builders.ts";

const EXIT_MS = T0_MS + 300_000;
const TRIGGER = aContainer({
  name: "trigger",
  restartPolicyRules: [{ action: "RestartAllContainers", operator: "In", exitCodes: [42] }],
});
const MADE_UP = terminated(null, null, { reason: "RestartingAllContainers", exitCode: 137, containerID: null });

/** A container that crashes by itself for the fifth time, beside one that has restarted all of them `restartAlls` times. */
function delayBeside(restartAlls: number, kubeletVersion: string): number | null {
  const other = aStatus({ restartCount: 5, state: terminated(EXIT_MS - 4_000, EXIT_MS) });
  const trigger = aStatus({
    name: "trigger",
    restartCount: restartAlls,
    state: running(EXIT_MS - 20_000),
    lastState: restartAlls === 0 ? null : MADE_UP,
  });
  const pod = aPod({ containers: [aContainer(), TRIGGER], statuses: [other, trigger] });
  const observation = observationOf(pod, { atMs: EXIT_MS + 1_000, node: aNode({ kubeletVersion }) });
  return explain(observation, {}).pods[0]?.containers[0]?.delayMs ?? null;
}

describe("restartCount in a pod that restarts all its containers", () => {
  it.each([
    { restartAlls: 0, kubeletVersion: "v1.37.1", delayMs: 160_000, why: "five restarts of its own" },
    { restartAlls: 2, kubeletVersion: "v1.37.1", delayMs: 40_000, why: "two of the five took no step" },
    { restartAlls: 2, kubeletVersion: "v1.34.4", delayMs: 160_000, why: "that kubelet does not know the rule" },
  ])("with $restartAlls of those on $kubeletVersion: $why", ({ restartAlls, kubeletVersion, delayMs }) => {
    expect(delayBeside(restartAlls, kubeletVersion)).toBe(delayMs);
  });
});
