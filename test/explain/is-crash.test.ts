import { describe, expect, it } from "vitest";
import type { EventSnapshot, PodSnapshot, TerminatedState } from "../../src/explain/observed/observation.ts";
import { isCrash } from "../../src/explain/triage.ts";
import { aContainer, anEvent, aProbe, aStatus, terminated } from "../support/builders.ts";
import { at, explainApp } from "../support/explain-pod.ts";

describe("isCrash() of an exit", () => {
  function killing(message: string): EventSnapshot {
    return anEvent({ type: "Normal", reason: "Killing", message, firstAtMs: at(99) });
  }

  it.each<{
    why: string;
    exit: Partial<TerminatedState>;
    pod?: Partial<PodSnapshot>;
    event?: EventSnapshot;
    is: boolean;
  }>([
    { why: "the program exited with an error", exit: { exitCode: 1 }, is: true },
    { why: "the reason is OOMKilled", exit: { exitCode: 137, reason: "OOMKilled" }, is: true },
    { why: "the program exited with 0", exit: { exitCode: 0 }, is: false },
    {
      why: "the program exited with 0 after a kill by a probe",
      exit: { exitCode: 0 },
      event: killing("Container app failed liveness probe, will be restarted"),
      is: true,
    },
    {
      why: "the kubelet killed the container after a change of the spec",
      exit: { exitCode: 143 },
      event: killing("Container app definition changed, will be restarted"),
      is: false,
    },
    { why: "the runtime lost the container", exit: { exitCode: 255, reason: "Unknown" }, is: false },
    {
      why: "the container was stopped together with the pod",
      exit: { exitCode: 137 },
      pod: { deletionAtMs: at(120), deletionRequestedAtMs: at(90) },
      is: false,
    },
    {
      why: "the container was stopped at the pod's deadline",
      exit: { exitCode: 137 },
      pod: { phase: "Failed", reason: "DeadlineExceeded" },
      is: false,
    },
    {
      why: "the container was stopped together with the pod's sandbox",
      exit: { exitCode: 143 },
      event: anEvent({ reason: "SandboxChanged", message: "", container: null, firstAtMs: at(101) }),
      is: false,
    },
  ])("is $is: $why", ({ exit, pod = {}, event, is }) => {
    const state = terminated(at(0), at(100), exit);
    const containers = [aContainer({ livenessProbe: aProbe() })];
    const seen = { atMs: at(102), events: event === undefined ? [] : [event] };
    const { lastExit } = explainApp({ statuses: [aStatus({ state, restartCount: 1 })], containers, ...pod }, seen);
    expect(lastExit !== null && isCrash(lastExit)).toBe(is);
  });
});
