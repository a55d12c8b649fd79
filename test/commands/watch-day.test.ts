import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { LineOutput } from "../../src/commands/watch-output.ts";
import { type Frame, WatchSession } from "../../src/commands/watch-session.ts";
import { BadNetwork } from "../support/watch-lab/bad-network.ts";
import { CrashLoop } from "../support/watch-lab/crash-loop.ts";
import { firstOf, LAB_PATHS, PodLab } from "../support/watch-lab/pod-lab.ts";

const S = 1_000;
const HOUR = 3_600 * S;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function heapMiB(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

/** Watches the lab's pod for as long as its time passes. */
async function watch(lab: PodLab) {
  const lines: string[] = [];
  const print = async (text: string): Promise<void> => void lines.push(...text.trimEnd().split("\n"));
  const output = new LineOutput(print, { columns: 80, color: false });
  const { body } = await lab.api.connection().get(`${LAB_PATHS.pods}/web-0`);
  const first = firstOf(body);
  const observation = { atMs: lab.timers.nowMs(), atBasis: "server-clock" as const, pods: [first] };
  const request = { observation, first, nodeConfig: "auto" as const, kubelet: {} };
  const session = new WatchSession(lab.api.connection(), request, lab.timers, 600 * S);
  let last: Frame | undefined;
  const showAll = async (): Promise<void> => {
    for await (const frame of session.frames()) {
      last = frame;
      await output.show(frame);
    }
  };
  return { lines, last: () => last, session, ended: showAll() };
}

/** The starts that lines tell of, in the order of telling. */
function startsIn(lines: readonly string[]): number[] {
  return lines.flatMap((line) => [...line.matchAll(/started \(start (\d+)\)/g)].map(([, start]) => Number(start)));
}

describe("a watch that runs for a day, while connections break all the time", () => {
  it("tells of every restart once, keeps its predictions, and leaks nothing", { timeout: 120_000 }, async () => {
    const lab = new PodLab();
    const loop = new CrashLoop(lab, () => (300 + lab.timers.random() * 200) * S);
    const network = new BadNetwork(lab, 180 * S);
    const { lines, last, session, ended } = await watch(lab);
    await lab.timers.pass(12 * HOUR);
    const [heapAtNoon, timersAtNoon] = [heapMiB(), lab.timers.pending];
    await lab.timers.pass(12 * HOUR);
    const heapAtMidnight = heapMiB();

    expect(network.breaks).toBeGreaterThan(400);
    expect(loop.runs.length).toBeGreaterThan(150);
    expect(startsIn(lines)).toEqual(loop.runs.slice(1).map(({ start }) => start));
    const history = last()?.explanation.pods[0]?.containers[0]?.history ?? [];
    const seen = history.filter(({ basis }) => basis === "observed");
    expect(seen.length).toBeGreaterThan(100);
    expect(seen.map(({ start, startedAtMs, finishedAtMs }) => ({ start, startedAtMs, finishedAtMs }))).toEqual(
      loop.runs.slice(-seen.length),
    );
    const { kept = 0, missed = 0 } = last()?.predictions ?? {};
    expect(kept + missed).toBeGreaterThan(100);
    expect(kept / (kept + missed)).toBeGreaterThan(0.93);

    expect(last()?.observed.earlier.length).toBeLessThanOrEqual(100);
    expect(lab.timers.pending - timersAtNoon).toBeLessThan(10);
    expect(lab.api.open).toBeLessThanOrEqual(3);
    expect(heapAtMidnight - heapAtNoon).toBeLessThan(10);
    session.end();
    await lab.timers.pass(1 * S);
    await ended;
    expect(lab.api.open).toBe(0);
  });
});
