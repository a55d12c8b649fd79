import { describe, expect, it } from "vitest";
import { NOON_MS, observeInput, rawEvent, rawNode, rawPod } from "../support/input.ts";

const MINUTE_MS = 60_000;
const ELEVEN = "2026-11-21T11:00:00Z";
const ELEVEN_MS = NOON_MS - 60 * MINUTE_MS;

async function nowOf(objects: readonly object[], overrides: { localNowMs?: number; atMs?: number } = {}) {
  const { atMs, atBasis } = (await observeInput(objects, overrides)).observation;
  return { atMs, atBasis };
}

function containerIn(state: object): object {
  return rawPod({ status: { containerStatuses: [{ name: "app", state }] } });
}

describe("now", () => {
  it.each([
    { localNowMs: ELEVEN_MS + 15 * MINUTE_MS, basis: "local-clock", why: "15 minutes after the newest timestamp" },
    { localNowMs: ELEVEN_MS + 15 * MINUTE_MS + 1, basis: "newest-input", why: "later than that" },
    { localNowMs: ELEVEN_MS - 1, basis: "local-clock", why: "before the newest timestamp" },
  ])("is by $basis $why", async ({ localNowMs, basis }) => {
    const objects = [rawPod({ metadata: { creationTimestamp: ELEVEN } })];
    const atMs = basis === "local-clock" ? localNowMs : ELEVEN_MS;
    expect(await nowOf(objects, { localNowMs })).toEqual({ atMs, atBasis: basis });
  });

  it("is --at where that is given, in the past as in the future", async () => {
    for (const atMs of [0, Date.UTC(2040, 0, 1)]) {
      expect(await nowOf([rawPod({ metadata: { creationTimestamp: ELEVEN } })], { atMs })).toEqual({
        atMs,
        atBasis: "flag",
      });
    }
  });

  it("is the local clock for input without any timestamp", async () => {
    expect(await nowOf([rawPod()])).toEqual({ atMs: NOON_MS, atBasis: "local-clock" });
  });

  it.each([
    { object: rawPod({ metadata: { creationTimestamp: ELEVEN } }), why: "creation" },
    { object: rawPod({ metadata: { managedFields: [{ manager: "kubelet", time: ELEVEN }] } }), why: "managedFields" },
    { object: rawPod({ status: { startTime: ELEVEN } }), why: "start of the pod" },
    { object: rawPod({ status: { conditions: [{ type: "Ready", lastTransitionTime: ELEVEN }] } }), why: "condition" },
    { object: containerIn({ running: { startedAt: ELEVEN } }), why: "start of a container" },
    { object: containerIn({ terminated: { finishedAt: ELEVEN } }), why: "end of a container" },
    { object: rawEvent({ lastTimestamp: ELEVEN }), why: "event" },
    { object: rawEvent({ series: { count: 2, lastObservedTime: ELEVEN } }), why: "series of events" },
    { object: rawNode({ status: { conditions: [{ type: "Ready", lastHeartbeatTime: ELEVEN }] } }), why: "heartbeat" },
    { object: { at: ELEVEN, kind: "Pod", type: "ADDED", object: rawPod() }, why: "arrival" },
  ])("knows every timestamp: $why", async ({ object }) => {
    const older = rawPod({ metadata: { name: "older", creationTimestamp: "2026-11-21T10:00:00Z" } });
    expect(await nowOf([object, older])).toEqual({ atMs: ELEVEN_MS, atBasis: "newest-input" });
  });

  it("is not the end of a deleted pod's grace period", async () => {
    const metadata = { creationTimestamp: ELEVEN, deletionTimestamp: "2026-11-21T11:30:00Z" };
    expect(await nowOf([rawPod({ metadata })])).toEqual({ atMs: ELEVEN_MS, atBasis: "newest-input" });
  });
});
