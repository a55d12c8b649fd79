import { expect, it, vi } from "vitest";
import { run } from "../support/command.ts";
import { cluster } from "../support/listing.ts";
import { aRawPod, READY_NODE } from "../support/raw-objects.ts";

it("kubectl backoff eta -w ends although a debug container is never ready, and the node's clock is behind", async () => {
  const { simulator, flags } = await cluster({ objects: [aRawPod(), READY_NODE] });
  const running = run("eta", "-w", ...flags);
  await vi.waitFor(() => expect(simulator.watches.count()).toBe(1), { timeout: 45_000 });
  const state = { running: { startedAt: "2026-11-21T12:09:55Z" } };
  const debug = { name: "debugger", ready: false, restartCount: 0, state };
  const app = { ready: true, restartCount: 1, state };
  simulator.put(aRawPod({ app, status: { ephemeralContainerStatuses: [debug] } }));
  expect((await running).stdout).toMatch(/1 of 1 is up again/);
});
