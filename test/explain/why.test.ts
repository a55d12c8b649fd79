import { describe, expect, it } from "vitest";
import { textInUtc } from "../../src/explain/answer/prose.ts";
import type { PodObservation, PodSnapshot } from "../../src/explain/observed/observation.ts";
import { aContainer, aNode, anEvent, aProbe, aStatus, S, T0_MS, waiting } from "../support/builders.ts";
import { explainApp, statusOf } from "../support/explain-pod.ts";
import { condition } from "../support/owners.ts";

const NOT_READY = condition("Ready", "Unknown");
const ON_0 = [{ action: "Restart", operator: "In", exitCodes: [0] }] as const;
const KILLING = anEvent({
  type: "Normal",
  reason: "Killing",
  message: "Container app failed liveness probe, will be restarted",
  firstAtMs: T0_MS + 970 * S,
});
const OLD: Partial<PodObservation> = { node: aNode({ kubeletVersion: "v1.33.4" }), kubeletConfig: null };

function exitedAfter(ranS: number, restarts: number, exitCode = 1): Pick<PodSnapshot, "statuses"> {
  return { statuses: [statusOf({ runs: [[1_000 - ranS, 1_000]], restarts, exit: { exitCode } })] };
}

describe("why", () => {
  it.each<{ why: string; pod: Partial<PodSnapshot>; seen?: Partial<PodObservation>; says: string }>([
    {
      why: "an older kubelet does not apply the container's own policy",
      pod: { restartPolicy: "Never", containers: [aContainer({ restartPolicy: "Always" })], ...exitedAfter(5, 0) },
      seen: OLD,
      says: "restartPolicy Never does not restart it after exit code 1.",
    },
    {
      why: "the policy restarts the container after a success",
      pod: exitedAfter(5, 0, 0),
      says: "It exited with 0, but restartPolicy Always restarts it anyway. No back-off applies, so the kubelet restarts it immediately.",
    },
    {
      why: "a rule restarts the container after a success",
      pod: {
        restartPolicy: "Never",
        containers: [aContainer({ restartPolicy: "Never", restartPolicyRules: ON_0 })],
        ...exitedAfter(5, 0, 0),
      },
      says: "It exited with 0, but a restart rule restarts it anyway. No back-off applies, so the kubelet restarts it immediately.",
    },
    {
      why: "a pull comes before an immediate restart",
      pod: { containers: [aContainer({ imagePullPolicy: "Always" })], ...exitedAfter(5, 0) },
      says: "No back-off applies, so the kubelet restarts it as soon as it has pulled the image (imagePullPolicy Always).",
    },
    {
      why: "a node that is not ready restarts nothing",
      pod: exitedAfter(5, 0),
      seen: { node: aNode({ conditions: [NOT_READY] }) },
      says: "No back-off applies.",
    },
    {
      why: "a success waits for the back-off like a failure",
      pod: exitedAfter(5, 3, 0),
      says: "It exited with 0, but restartPolicy Always restarts it anyway. The kubelet waits 40s after this exit, 1m20s after the next.",
    },
    {
      why: "Never does not restart an init container that has failed",
      pod: { restartPolicy: "Never", containers: [aContainer({ type: "init" })], ...exitedAfter(5, 0, 4) },
      says: "restartPolicy Never does not restart it after exit code 4.",
    },
    {
      why: "the wait after a probe kill counts from the previous exit",
      pod: { containers: [aContainer({ livenessProbe: aProbe({ periodMs: 3 * S }) })], ...exitedAfter(42, 3, 137) },
      seen: { events: [KILLING] },
      says: "The kubelet killed it itself, so it counts the wait from the previous exit. That wait is already over: it restarts immediately.",
    },
    {
      why: "the wait ends when the back-off resets",
      pod: exitedAfter(590, 5),
      says: "The back-off resets 10s after this exit (10m after the last start), which ends the 2m40s wait: the kubelet restarts it at its next sync. The next wait is only 10s.",
    },
  ])("$why", ({ pod, seen = {}, says }) => {
    expect(explainApp(pod, { atMs: T0_MS + 1_001 * S, ...seen }).why).toBe(says);
  });

  it.each<{ why: string; pod: Partial<PodSnapshot>; delayMs: number | null; says: string }>([
    {
      why: "nothing restarts it",
      pod: { restartPolicy: "Never" },
      delayMs: null,
      says: "It is running and has never exited; its restart policy never restarts it.",
    },
    {
      why: "failures restart it",
      pod: {
        restartPolicy: "OnFailure",
        statuses: [statusOf({ runs: [[15, 20], [31]], restarts: 2 })],
      },
      delayMs: 20 * S,
      says: "It is running. If it fails now, the kubelet waits 20s. Once it has run for 10m, the back-off is gone: the first restart is immediate, the next waits 10s.",
    },
  ])("of a running container has the wait after its next exit: $why", ({ pod, delayMs, says }) => {
    const app = explainApp(pod, { atMs: T0_MS + 40 * S });
    expect(app).toMatchObject({ delayMs, why: says, reset: delayMs === null ? null : { how: "if-it-keeps-running" } });
  });

  it("keeps both ends of a long message, because the end names the cause", () => {
    const message = `failed to create containerd task: ${"runc create failed: ".repeat(50)}no space left on device`;
    const status = aStatus({ state: waiting("CreateContainerError", message), containerID: null });
    const { why } = explainApp({ statuses: [status], phase: "Pending" }, { atMs: T0_MS + 20 * S });
    expect(why).toMatch(
      "The container cannot be created: failed to create containerd task: runc create failed: runc create failed: runc create failed: runc … create failed: runc create failed: runc create failed: runc create failed: no space left on device. The kubelet retries every 10-15s and starts it once that is fixed.",
    );
    expect(textInUtc(why).length).toBeLessThan(400);
  });
});

describe("evidence", () => {
  it("sums up the failures of a probe and quotes the last answer", () => {
    const failed = { reason: "Unhealthy", count: 12, firstAtMs: T0_MS, lastAtMs: T0_MS + 90 * S };
    const events = [
      anEvent({ ...failed, message: "Readiness probe failed: HTTP probe failed with statuscode: 500" }),
      anEvent({ ...failed, message: "Readiness probe failed: timeout", lastAtMs: T0_MS + 50 * S }),
      anEvent({
        ...failed,
        count: 6,
        message: "(combined from similar events): Readiness probe errored: no such file",
      }),
    ];
    const { evidence } = explainApp({}, { atMs: T0_MS + 100 * S, events });
    expect(evidence.filter(({ rule }) => rule === "failed-readiness-probe").map(({ text }) => textInUtc(text))).toEqual(
      [
        "its readiness probe failed at least 30 times since 2026-11-21T12:00:00Z, last reported at 2026-11-21T12:01:30Z: HTTP probe failed with statuscode: 500",
      ],
    );
  });
});
