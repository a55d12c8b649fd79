import { describe, expect, it } from "vitest";
import type { PodObservation } from "../../src/explain/observed/observation.ts";
import { meaningOfExit } from "../../src/explain/words/meaning.ts";
import { aContainer, anEvent, aPod, aStatus, observationOf, T0_MS, terminated, waiting } from "../support/builders.ts";

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

  it.each([
    {
      exit: { exitCode: -1073741510 },
      says: "Exit code -1073741510 (0xC000013A, STATUS_CONTROL_C_EXIT): it was stopped by Ctrl+C or a shutdown.",
    },
    {
      exit: { exitCode: -1073741819 },
      says: "Exit code -1073741819 (0xC0000005, STATUS_ACCESS_VIOLATION): it used memory that is not its own.",
    },
    { exit: { exitCode: -1073740286 }, says: "Exit code -1073740286 (0xC0000602): Windows ended it with this error." },
    { exit: { exitCode: -1 }, says: "Exit code -1: it ended by itself and reported an error." },
    {
      exit: { exitCode: 255, reason: "Unknown" },
      says: "Exit code 255, reason Unknown: the container runtime lost the container, usually because it or its node restarted. How the container ended is not recorded.",
    },
    {
      exit: { exitCode: 255 },
      says: "Exit code 255: exit(-1), a fatal error of a Go program (klog.Fatal), or a restart of the node or its container runtime.",
    },
    {
      exit: { exitCode: 255, startedAtMs: EXIT.finishedAtMs },
      says: 'Exit code 255: exit(-1), a fatal error of a Go program (klog.Fatal), or "exec format error" (an image for another architecture).',
    },
  ])("reads the code $exit", ({ exit, says }) => {
    expect(meaningOfExit({ ...EXIT, ...exit }, { cause: "exited", basis: "inferred" }, aContainer(), OBSERVED)).toBe(
      says,
    );
  });

  it.each([
    { spec: { memoryLimit: "64Mi" }, says: "it exceeded its memory limit of 64Mi" },
    { spec: {}, says: "the node or the pod ran out of memory (the container has no limit of its own)" },
    { spec: { isFromStatus: true as const }, says: "it was out of memory" },
  ])("names the limit that an OOM kill is about: $says", ({ spec, says }) => {
    const oom = meaningOfExit(EXIT, { cause: "oom", basis: "observed" }, aContainer(spec), OBSERVED);
    expect(oom).toBe(`OOMKilled (exit code 137): ${says}.`);
  });

  it("quotes what a hook or a probe was told", () => {
    const said = `Exec lifecycle hook ([x]) for Container "app" in Pod "web" failed - error: command 'x' exited with 1: , message: ""`;
    const hooked = { ...OBSERVED, pod: aPod({ statuses: [aStatus({ state: waiting("PostStartHookError", said) })] }) };
    expect(meaningOfExit(EXIT, { cause: "post-start-hook", basis: "observed" }, aContainer(), hooked)).toBe(
      "Its postStart hook failed (command 'x' exited with 1), so the kubelet killed it (exit code 137).",
    );
    const probe = { initialDelayMs: 0, periodMs: 3_000, timeoutMs: 1_000, failureThreshold: 3, gracePeriodMs: null };
    const probed = {
      ...OBSERVED,
      events: [anEvent({ reason: "Unhealthy", message: "Liveness probe failed: HTTP 500" })],
    };
    const spec = aContainer({ livenessProbe: probe });
    expect(meaningOfExit(EXIT, { cause: "liveness-probe", basis: "observed" }, spec, probed)).toMatch(
      /\(3 in a row, one every 3s\), and its last answer was: HTTP 500\.$/,
    );
  });
});
