import { describe, expect, it } from "vitest";
import { delayMsInMessage, hookErrorIn, meaningOfEvent, probeAnswerIn } from "../../src/kubelet/event-messages.ts";
import { kindOfWaiting } from "../../src/kubelet/waiting-reasons.ts";

describe("meaningOfEvent()", () => {
  it.each([
    { reason: "Killing", message: "Container app failed liveness probe, will be restarted", meaning: "liveness-probe" },
    { reason: "Killing", message: "Container app failed startup probe, will be restarted", meaning: "startup-probe" },
    { reason: "Killing", message: "Container app definition changed, will be restarted", meaning: "spec-change" },
    { reason: "Killing", message: "Init container proxy failed liveness probe", meaning: "liveness-probe" },
    { reason: "Killing", message: "Init container proxy failed startup probe", meaning: "startup-probe" },
    { reason: "Killing", message: "Init container proxy definition changed", meaning: "spec-change" },
    { reason: "Killing", message: "FailedPostStartHook", meaning: "post-start-hook" },
    { reason: "Killing", message: "Stopping container app", meaning: "pod-deletion" },
    { reason: "Killing", message: "something new", meaning: null },
    { reason: "Unhealthy", message: "Liveness probe failed: HTTP 500", meaning: "liveness-failure" },
    { reason: "Unhealthy", message: "Readiness probe errored: timeout", meaning: "readiness-failure" },
    { reason: "Failed", message: 'Failed to pull image "a:1": no such host', meaning: "pull-failure" },
    { reason: "Failed", message: "Error: ErrImagePull", meaning: null },
  ])("gives $meaning for $reason: $message", ({ reason, message, meaning }) => {
    expect(meaningOfEvent(reason, message)).toBe(meaning);
  });
});

describe("delayMsInMessage()", () => {
  it.each([
    { message: "back-off 2m40s restarting failed container=app pod=web_default(uid)", delayMs: 160_000 },
    { message: "Back-off 5m0s restarting failed container=app pod=web_default(uid)", delayMs: 300_000 },
    { message: "Back-off restarting failed container app in pod web_default(uid)", delayMs: null },
    { message: 'Back-off pulling image "a:1"', delayMs: null },
    { message: null, delayMs: null },
  ])("returns $delayMs for: $message", ({ message, delayMs }) => {
    expect(delayMsInMessage(message)).toBe(delayMs);
  });
});

describe("hookErrorIn()", () => {
  const hook = 'lifecycle hook ([sh -c exit 1]) for Container "app" in Pod "web_default(uid)" failed - error:';
  it.each([
    {
      message: `Exec ${hook} command 'sh -c exit 1' exited with 1: , message: ""`,
      error: "command 'sh -c exit 1' exited with 1",
    },
    {
      message: `Exec ${hook} command 'sh -c exit 1' exited with 1: no db\n, message: "no db\n"`,
      error: "command 'sh -c exit 1' exited with 1: no db",
    },
    {
      message: `Exec ${hook} command 'sh -c exit 1' exited with 1: , message: "no db"`,
      error: "command 'sh -c exit 1' exited with 1: no db",
    },
    { message: `Exec ${hook} exec failed: `, error: "exec failed" },
    { message: `HTTP ${hook} connection refused`, error: "connection refused" },
    { message: "PostStartHook failed", error: null },
    { message: null, error: null },
  ])("returns $error for: $message", ({ message, error }) => {
    expect(hookErrorIn(message)).toBe(error);
  });
});

describe("probeAnswerIn()", () => {
  it.each([
    ["Liveness probe failed: HTTP probe failed with statuscode: 500", "HTTP probe failed with statuscode: 500"],
    ["Readiness probe errored: timeout", "timeout"],
    ["something new", "something new"],
  ])("returns for %j: %j", (message, answer) => {
    expect(probeAnswerIn(message)).toBe(answer);
  });
});

describe("kindOfWaiting()", () => {
  it.each([
    { reason: "CrashLoopBackOff", kind: "crash-loop" },
    { reason: "ImagePullBackOff", kind: "image-pull" },
    { reason: "ErrImageNeverPull", kind: "start-failure" },
    { reason: "ImageInspectError", kind: "start-failure" },
    { reason: "RunContainerError", kind: "failed-start-with-exit" },
    { reason: "ContainerCreating", kind: "pending" },
    { reason: null, kind: "pending" },
    { reason: "SomeNewError", kind: "start-failure" },
    { reason: "constructor", kind: "pending" },
  ])("returns for $reason: $kind", ({ reason, kind }) => {
    expect(kindOfWaiting(reason)).toBe(kind);
  });
});
