import { beforeEach, describe, expect, it } from "vitest";
import { failure, LAB_PATHS } from "../../lab/watch/api.ts";
import { CrashLoop } from "../../lab/watch/crash-loop.ts";
import { Laptop } from "../../lab/watch/laptop.ts";
import { firstOf, PodLab } from "../../lab/watch/pod-lab.ts";
import { noticingJumps } from "../../src/cluster/connection/timers.ts";
import { linesOf } from "../../src/commands/watch/watch-explain.ts";
import { type Frame, WatchSession } from "../../src/commands/watch/watch-session.ts";
import { renderLive } from "../../src/render/watch/live.ts";

const S = 1_000;
const HOUR = 3_600 * S;
const LOOK = { columns: 80, rows: 60, color: false };

let lab: PodLab;
let laptop: Laptop;
let loop: CrashLoop;
let frames: Frame[];
let lines: string[];

beforeEach(async () => {
  lab = new PodLab();
  laptop = new Laptop(lab.timers);
  loop = new CrashLoop(lab, () => 300 * S);
  [frames, lines] = [[], []];
  const { body } = await lab.api.connection().get(`${LAB_PATHS.pods}/web-0`);
  const first = firstOf(body);
  const observation = { atMs: lab.timers.nowMs(), atBasis: "server-clock" as const, pods: [first] };
  const request = { observation, first, nodeConfig: "auto" as const, kubelet: {} };
  const session = new WatchSession(lab.api.connection(), request, noticingJumps(laptop));
  const linesIn = linesOf(LOOK);
  void (async () => {
    for await (const frame of session.frames()) {
      frames.push(frame);
      lines.push(linesIn(frame));
    }
  })();
  await lab.timers.pass(60 * S);
});

function last(): Frame {
  const frame = frames.at(-1);
  if (frame === undefined) throw new Error("nothing was shown");
  return frame;
}

function offMs(): number {
  return Math.abs(last().explanation.atMs - lab.timers.nowMs());
}

describe("a watch on a laptop that slept for eight hours", () => {
  beforeEach(async () => {
    lab.api.each((pipe) => pipe.stall());
    laptop.sleep(8 * HOUR);
    await lab.timers.pass(8 * HOUR);
    lab.api.compact();
  });

  it("shows the right time and the right state within seconds", async () => {
    await lab.timers.pass(4 * S);
    expect(offMs()).toBeLessThanOrEqual(1.5 * S);
    expect(last().trouble).toBeNull();
    expect(last().explanation.pods[0]?.containers[0]?.restartCount).toBe(loop.restartCount);
  });

  it("tells of the restarts that it slept through on one line, and of each once", async () => {
    await lab.timers.pass(4 * S);
    const unseen = /app restarted (\d+) times while disconnected \(\d+ to \d+\)\./.exec(lines.join(""));
    expect(Number(unseen?.[1])).toBeGreaterThan(60);
    expect(lines.join("").match(/while disconnected/g)).toHaveLength(1);
  });

  it("says since when it is not connected if the network is not back yet", async () => {
    lab.api.refusal = failure("unreachable", 0);
    await lab.timers.pass(4 * S);
    const { trouble, explanation } = last();
    expect(explanation.atMs - (trouble?.sinceMs ?? 0)).toBeGreaterThan(8 * HOUR - 60 * S);
    expect(renderLive(last(), LOOK)).toMatch(/\nDisconnected since [^(]+ \(it was asked to fail as\s+unreachable\)/);
  });
});

describe("a watch whose clock is set", () => {
  it.each([
    { how: "three hours ahead", clockMs: 3 * HOUR },
    { how: "three hours back", clockMs: -3 * HOUR },
  ])("shows the server's time again within seconds: $how", async ({ clockMs }) => {
    laptop.clockOffMs = clockMs;
    await lab.timers.pass(5 * S);
    expect(offMs()).toBeLessThanOrEqual(1.5 * S);
    const asked = lab.api.asked.length;
    await lab.timers.pass(60 * S);
    expect(offMs()).toBeLessThanOrEqual(1.5 * S);
    expect(lab.api.asked.length - asked).toBeLessThan(10);
  });
});
