import { describe, expect, it } from "vitest";
import type { PodObservation } from "../../src/explain/observed/observation.ts";
import { meaningOfExit } from "../../src/explain/words/meaning.ts";
import { aContainer, aPod, observationOf, T0_MS, terminated } from "../support/builders.ts";

const [OBSERVED] = observationOf(aPod()).pods as [PodObservation];
const EXIT = terminated(T0_MS, T0_MS + 30_000, { exitCode: 137 });

describe("meaningOfExit()", () => {
  it.each([
    {
      cause: "post-start-hook",
      basis: "observed",
      says: "Its postStart hook failed, so the kubelet killed it (exit code 137).",
    },
    {
      cause: "post-start-hook",
      basis: "inferred",
      says: "Probably its postStart hook failed, so the kubelet killed it (exit code 137).",
    },
    {
      cause: "liveness-probe",
      basis: "inferred",
      says: "Probably the kubelet killed it after its liveness probe failed (exit code 137).",
    },
    {
      cause: "exited",
      basis: "inferred",
      says: "Exit code 137: killed with SIGKILL. Kubernetes does not record by whom: the kubelet after a grace period, the OOM killer (usually shown as OOMKilled), or someone else.",
    },
  ] as const)("is as sure of $cause as it is $basis", ({ says, ...cause }) => {
    expect(meaningOfExit(EXIT, cause, aContainer(), OBSERVED)).toBe(says);
  });

  it("does not take a code that the kubelet has made up for a signal", () => {
    const unknown = { ...EXIT, reason: "ContainerStatusUnknown", startedAtMs: null, finishedAtMs: null };
    expect(meaningOfExit(unknown, { cause: "unknown", basis: "observed" }, aContainer(), OBSERVED)).toBe(
      "How it ended is not recorded: the runtime no longer knew the container, and the kubelet made up the exit code 137.",
    );
  });
});
