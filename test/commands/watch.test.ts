import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Simulator } from "../../lab/api-server/simulator.ts";
import { oncePrinted, type Run, run, stderrOf } from "../support/command.ts";
import { clockFrom, currentCluster } from "../support/listing.ts";
import { aRawConfig, aRawEvent, aRawNode, aRawPod } from "../support/raw-objects.ts";
import { validExplanation } from "../support/schema.ts";

let simulator: Simulator;

beforeEach(() => startAt(CLOCK_MS));

async function startAt(clockMs: number): Promise<void> {
  simulator = await currentCluster({ objects: [aRawPod(), aRawNode(), aRawEvent("one")], clock: clockFrom(clockMs) });
  simulator.on("/api/v1/nodes/node-a/proxy/configz", JSON.stringify(aRawConfig()));
}

/** The container of aRawPod() waits for 2m40s from 12:09:14, so 14 s of its wait are left at this time. */
const CLOCK_MS = Date.UTC(2026, 10, 21, 12, 11, 40);
/** The restart is overdue after this second of the minute 12:12. */
const OVERDUE_SECOND = 29;

function startSixth(): void {
  const pod = aRawPod() as { status: { containerStatuses: [{ lastState: object }] } };
  const [status] = pod.status.containerStatuses;
  const state = { running: { startedAt: "2026-11-21T12:12:00Z" } };
  const started = { ...status, restartCount: 6, containerID: "containerd://c", state };
  simulator.put({ ...pod, status: { ...pod.status, containerStatuses: [started] } });
}

async function runWhile(argv: readonly string[], act: () => Promise<void>): Promise<Run> {
  const running = run(...argv);
  await vi.waitFor(() => expect(simulator.watches.count()).toBe(3), { timeout: 45_000 });
  await act();
  return running;
}

const pressControlC = (): void => void process.emit("SIGINT");

describe("explain --watch into a pipe", () => {
  it("prints a line for each change, and ends when the pod is deleted", async () => {
    const { exitCode, stdout, stderr } = await runWhile(["web-0", "-w"], async () => {
      startSixth();
      await oncePrinted("app started (restart 6)");
      simulator.remove("prod", "web-0");
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const lines = stdout.trimEnd().split("\n");
    const started = "app started (restart 6) at 13:12:00 GMT+1, inside the window 13:11:54-";
    expect(lines.map((line) => line.replace(/^13:11:\d\d GMT\+1 {2}/, ""))).toEqual([
      expect.stringMatching(/^prod\/web-0: app is in CrashLoopBackOff\. Restarts in \S+ \(13:11:54-/),
      expect.stringContaining(started),
      "prod/web-0 has been deleted.",
    ]);
    expect(lines[1]).toContain(" app is running again");
  });

  it("goes on when connections break, and prints each change once", async () => {
    const { stdout, stderr } = await runWhile(["web-0", "--watch"], async () => {
      for (let round = 0; round < 5; round++) {
        simulator.watches.drop();
        await sleep(50);
      }
      startSixth();
      await vi.waitFor(() => expect(simulator.watches.count()).toBe(3), { timeout: 45_000, interval: 20 });
      await oncePrinted("app started");
      simulator.watches.expire();
      simulator.remove("prod", "web-0");
    });
    const lines = stdout.trimEnd().split("\n");
    expect(lines.map((line) => line.slice(16, 27))).toEqual(["prod/web-0:", "app started", "prod/web-0 "]);
    expect(stderr).toBe("");
  }, 30_000);

  it("prints once that the restart is overdue, and no window after that", async () => {
    await startAt(Date.UTC(2026, 10, 21, 12, 12, OVERDUE_SECOND - 5));
    const { stdout } = await runWhile(["web-0", "-w"], async () => {
      await oncePrinted("its restart is due");
      await sleep(5_500);
      // A restart counts as overdue only after something new has arrived: until then, it may have happened unseen.
      simulator.put({ ...(aRawEvent("of no consequence") as object), reason: "Pulled", type: "Normal" });
      await oncePrinted("its restart is overdue");
      await sleep(1_500);
      pressControlC();
    });
    const [due, overdue, ...more] = stdout.trimEnd().split("\n");
    expect(more).toEqual([]);
    expect(due).toMatch(/ is crash-looping; its restart is due.+ Restart due, within \S+ \(by 13:1[23]:/);
    expect(overdue).toMatch(/; its restart is overdue .+ Overdue by \d+s: .+; check the kubelet and the container /);
  }, 40_000);

  it("prints an Explanation on a line with -o json, one for each change", async () => {
    const { exitCode, stdout } = await runWhile(["web-0", "-w", "-o", "json"], async () => {
      startSixth();
      await oncePrinted(/"state": ?"running"/);
      simulator.put({ ...(aRawEvent("of no consequence") as object), reason: "Pulled", type: "Normal" });
      await sleep(400);
      pressControlC();
    });
    expect(exitCode).toBe(130);
    const explanations = stdout.trimEnd().split("\n").map(validExplanation);
    expect(explanations.map(({ pods }) => pods[0].containers[0].state)).toEqual(["backing-off", "running"]);
    expect(explanations[1].pods[0].containers[0].history.map(({ start }: { start: number }) => start)).toContain(5);
  });

  it("ends with 130 on ^C, also if it is pressed twice, and leaves no watch open", async () => {
    const { exitCode, stderr } = await runWhile(["web-0", "-w"], async () => {
      pressControlC();
      pressControlC();
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: "" });
    await vi.waitFor(() => expect(simulator.watches.count()).toBe(0), { timeout: 45_000 });
  });

  it("ends when the reader of stdout is gone", async () => {
    const { exitCode, stderr } = await runWhile(["web-0", "-w"], async () => {
      process.stdout.emit("error", Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  });
});

describe("explain --watch rejects", () => {
  it.each([
    { argv: ["-f", "pod.json"], says: "--watch can't be combined with -f" },
    { argv: ["web-0", "--at", "2026-11-21T12:00:00Z"], says: "--watch can't be combined with --at" },
    { argv: ["web-0", "--exit-code"], says: "--watch can't be combined with --exit-code" },
    { argv: ["web-0", "-o", "yaml"], says: "--watch can't be combined with -o yaml" },
  ])("$argv", async ({ argv, says }) => {
    expect(await stderrOf(["explain", "-w", ...argv], 2)).toContain(says);
  });

  it("a container that does not exist", async () => {
    expect(await stderrOf(["explain", "web-0", "-w", "-c", "ap"], 1)).toContain('has no container "ap"');
  });
});
