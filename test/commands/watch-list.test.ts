import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { ListSession } from "../../src/commands/watch-list-session.ts";
import type { BackoffList } from "../../src/explain/list.ts";
import type { ListFrame } from "../../src/render/live-list.ts";
import { aRawNode, aRawPod } from "../support/api-server.ts";
import { run, stderrOf } from "../support/command.ts";
import { writeKubeconfig } from "../support/kubeconfig.ts";
import { type Simulator, startSimulator } from "../support/simulator/simulator.ts";
import { failure } from "../support/watch-lab/api.ts";
import { VirtualTimers } from "../support/watch-lab/virtual-timers.ts";

const S = 1_000;

describe("ListSession", () => {
  let timers: VirtualTimers;
  let reads: number;
  let frames: ListFrame[];

  beforeEach(() => {
    timers = new VirtualTimers();
    reads = 0;
    frames = [];
  });

  /** Follows a list; the server's clock is an hour ahead. */
  function follow(read: () => Promise<void>): { session: ListSession; ended: Promise<void> } {
    const list = async (): Promise<BackoffList> => {
      reads++;
      await read();
      return { atMs: timers.nowMs() + 3_600 * S, items: [], gaps: [] };
    };
    const session = new ListSession(list, timers);
    const ended = (async () => {
      for await (const frame of session.frames()) frames.push(frame);
    })();
    return { session, ended };
  }

  it("lists every five seconds, and counts the seconds in between by the server's clock", async () => {
    const { session, ended } = follow(async () => {});
    await timers.pass(60 * S);
    expect(reads).toBeGreaterThanOrEqual(12);
    expect(reads).toBeLessThanOrEqual(13);
    const gaps = frames.slice(1).map(({ list }, index) => list.atMs - (frames[index]?.list.atMs ?? 0));
    expect(new Set(gaps)).toEqual(new Set([1 * S]));
    expect(frames.at(-1)?.list.atMs).toBe(timers.nowMs() + 3_600 * S);
    session.end();
    await timers.pass(0);
    await ended;
    expect(timers.pending).toBe(0);
  });

  it("gives a large cluster rest: nine times as long as a list takes", async () => {
    follow(() => new Promise((resolve) => void timers.after(6 * S, resolve)));
    await timers.pass(600 * S);
    expect(reads).toBeLessThanOrEqual(11);
  });

  it("keeps the last list while the server cannot be reached, asks less often, and says so", async () => {
    let isDown = false;
    follow(async () => {
      if (isDown) throw failure("unreachable", 0);
    });
    await timers.pass(12 * S);
    isDown = true;
    const before = reads;
    await timers.pass(600 * S);
    expect(reads - before).toBeLessThan(60);
    const { trouble, list } = frames.at(-1) ?? {};
    expect(trouble?.because).toBe("it was asked to fail as unreachable");
    expect((list?.atMs ?? 0) - (trouble?.sinceMs ?? 0)).toBeGreaterThan(580 * S);
    isDown = false;
    await timers.pass(40 * S);
    expect(frames.at(-1)?.trouble).toBeNull();
  });

  it("fails where the first list does, and with a bug at any time", async () => {
    await expect(follow(() => Promise.reject(failure("forbidden", 403))).ended).rejects.toMatchObject({
      kind: "forbidden",
    });
    const { ended } = follow(async () => {
      if (reads > 2) throw new TypeError("a bug");
    });
    const failing = expect(ended).rejects.toThrow("a bug");
    await timers.pass(20 * S);
    await failing;
  });
});

describe("kubectl backoff list --watch", () => {
  let simulator: Simulator;

  beforeEach(async () => {
    const status = { conditions: [], nodeInfo: { kubeletVersion: "v1.37.1" }, addresses: [] };
    const metadata = { name: "node-a", creationTimestamp: "2026-11-21T08:00:00Z" };
    const objects = [aRawPod(), { ...aRawNode(), metadata, status }];
    simulator = await startSimulator({ objects, clock: () => Date.UTC(2026, 10, 21, 12, 10) });
    onTestFinished(() => simulator.close());
    vi.stubEnv("KUBECONFIG", writeKubeconfig(simulator.cluster, {}));
  });

  const lists = (): number => simulator.requests.filter(({ path }) => path.endsWith("/pods")).length;

  it("prints rows as they change, until ^C", { timeout: 20_000 }, async () => {
    const running = run("list", "-w");
    await vi.waitFor(() => expect(lists()).toBeGreaterThan(0));
    await new Promise((resolve) => setTimeout(resolve, 500));
    simulator.remove("prod", "web-0");
    const before = lists();
    await vi.waitFor(() => expect(lists()).toBeGreaterThan(before), { timeout: 10_000 });
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    process.emit("SIGINT");
    const { exitCode, stdout, stderr } = await running;
    expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: "" });
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(/^POD +CONTAINER +STATE/),
      expect.stringMatching(/^web-0 +app +backing-off/),
      "prod/web-0 app is no longer down.",
      "",
    ]);
  });

  it("prints a BackoffList on a line with -o json", async () => {
    const running = run("list", "-w", "-o", "json");
    await vi.waitFor(() => expect(lists()).toBeGreaterThan(0));
    await new Promise((resolve) => setTimeout(resolve, 500));
    process.emit("SIGINT");
    const { exitCode, stdout } = await running;
    expect(exitCode).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ kind: "BackoffList", items: [{ pod: "web-0" }] });
    expect(stdout.trimEnd()).not.toContain("\n");
  });

  it("does not go with -o name", async () => {
    expect(await stderrOf(["list", "-w", "-o", "name"], 2)).toContain("--watch cannot go with -o name");
  });
});
