import { describe, expect, it } from "vitest";
import { traceOf } from "../../src/explain/trace/pod-trace.ts";
import { nowLine, replayLines } from "../../src/render/pod/debug-replay.ts";
import { aPod, aStatus, observationOf, T0_MS, terminated, waiting } from "../support/builders.ts";

function lines(): string[] {
  const lastState = terminated(T0_MS + 20_000, T0_MS + 25_000);
  const state = waiting("CrashLoopBackOff", "back-off 40s restarting failed container=app pod=web_default(u)");
  const status = aStatus({ restartCount: 3, state, lastState });
  const observation = observationOf(
    aPod({ statuses: [status], createdAtMs: T0_MS - 120_000, startedAtMs: T0_MS - 120_000 }),
    {
      atMs: T0_MS + 40_000,
    },
  );
  const [observed] = observation.pods;
  if (observed === undefined) throw new Error("no pod");
  return replayLines(traceOf(observed, {}, observation));
}

describe("replayLines()", () => {
  it("says what fired, a line for each thing", () => {
    expect(lines()).toEqual([
      "replay default/web policy initial=10s max=5m reset=10m retry=at-expiry basis=configz kubelet=v1.37.1 node-clock-ahead=0s",
      "replay default/web app state=backing-off restarts=3 runs-seen=1",
      "replay default/web app begins start=3 entry=40s inferred-by=restart-count-names-the-step",
      "replay default/web app exit start=3 at=2026-11-21T12:00:25Z code=1 cause=exited(observed) wait=delayed:40s because=entry-in-force entry=pending next-start=awaited",
      expect.stringMatching(
        /^replay default\/web app belief entry=40s weight=100% rules=restart-count-names-the-step$/,
      ),
      "replay default/web app wait delay=40s observed share=100% others=none rules=message-names-the-delay from=2026-11-21T12:00:25Z ready=2026-11-21T12:01:05Z planned=2026-11-21T12:01:05Z dropped=never",
      "replay default/web app syncs retry=at-expiry known-sync=2026-11-21T12:00:25Z within=2s no-other-until=unknown",
      "replay default/web app confidence 95% = 95% of the syncs x 100% no shorter delay",
    ]);
  });
});

describe("nowLine()", () => {
  it.each([
    { leadMs: null, says: "now 2026-11-21T12:00:00Z from server-clock" },
    { leadMs: 1_234, says: "now 2026-11-21T12:00:00Z from server-clock local clock 1.2s ahead of the server's" },
    { leadMs: -700, says: "now 2026-11-21T12:00:00Z from server-clock local clock -0.7s ahead of the server's" },
  ])("says where now is from, and how far the clocks are apart: $leadMs", ({ leadMs, says }) => {
    expect(nowLine({ atMs: T0_MS, atBasis: "server-clock" }, leadMs)).toBe(says);
  });
});
