import { describe, expect, it } from "vitest";
import { failure } from "../../lab/watch/api.ts";
import { LAB_PATHS } from "../../lab/watch/lab-paths.ts";
import { PodLab } from "../../lab/watch/pod-lab.ts";
import { aRawEvent } from "../support/api-server.ts";

const S = 1_000;

describe("the node of a watched pod", () => {
  it("is read again every few minutes", async () => {
    const lab = new PodLab();
    lab.watch();
    await lab.timers.pass(1 * S);
    const before = lab.asked(LAB_PATHS.config);
    await lab.timers.pass(1_800 * S);
    expect(lab.asked(LAB_PATHS.config) - before).toBeGreaterThanOrEqual(8);
    expect(lab.asked(LAB_PATHS.config) - before).toBeLessThanOrEqual(10);
  });

  it("is read again at once when its kubelet has started anew, or on request, but not in bursts", async () => {
    const lab = new PodLab();
    const { pod } = lab.watch();
    await lab.timers.pass(15 * S);
    const before = lab.asked(LAB_PATHS.config);
    const start = aRawEvent("start", { kind: "Node", name: "node-a", uid: "node-a" });
    for (let count = 0; count < 5; count++) {
      lab.put(LAB_PATHS.nodeEvents, { ...start, reason: "Starting", message: "Starting kubelet." });
      pod.askNode();
    }
    await lab.timers.pass(5 * S);
    expect(lab.asked(LAB_PATHS.config)).toBe(before + 1);
    expect(lab.told("node").at(-1)?.node.nodeEvents).toMatchObject([{ reason: "Starting" }]);
  });

  it("is read once more for a reason that came just after the last look", async () => {
    const lab = new PodLab();
    const { pod } = lab.watch();
    await lab.timers.pass(15 * S);
    const before = lab.asked(LAB_PATHS.config);
    pod.askNode();
    await lab.timers.pass(3 * S);
    pod.askNode();
    await lab.timers.pass(3 * S);
    expect(lab.asked(LAB_PATHS.config)).toBe(before + 1);
    await lab.timers.pass(10 * S);
    expect(lab.asked(LAB_PATHS.config)).toBe(before + 2);
  });

  it("keeps what was known of it while it cannot be read, and is asked more often", async () => {
    const lab = new PodLab();
    lab.watch();
    await lab.timers.pass(200 * S);
    lab.api.refusal = failure("timeout", 504);
    const before = lab.asked(LAB_PATHS.config);
    await lab.timers.pass(400 * S);
    expect(lab.asked(LAB_PATHS.config) - before).toBeGreaterThan(5);
    expect(lab.told("node").at(-1)?.node).toMatchObject({
      node: { kubeletVersion: "v1.37.1" },
      kubeletConfig: { maxContainerRestartPeriodMs: 60_000 },
      missing: [],
    });
  });
});
