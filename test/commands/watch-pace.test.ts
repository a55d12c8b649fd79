import { beforeEach, describe, expect, it } from "vitest";
import { VirtualTimers } from "../../lab/watch/virtual-timers.ts";
import { FramePace } from "../../src/commands/watch/watch-pace.ts";

let timers: VirtualTimers;
let pace: FramePace;
let turns: AsyncGenerator<void>;

async function pauseMs(meanwhile: () => void = () => {}): Promise<number> {
  const beganAtMs = timers.nowMs();
  let endedAtMs = Number.NaN;
  void turns.next().then(() => {
    endedAtMs = timers.nowMs();
  });
  timers.after(10, meanwhile);
  await timers.pass(5_000);
  return endedAtMs - beganAtMs;
}

beforeEach(async () => {
  timers = new VirtualTimers();
  pace = new FramePace(timers, () => timers.nowMs() - 300, 1_000);
  turns = pace.turns(new Promise(() => {}));
  await turns.next();
});

describe("FramePace", () => {
  it("waits for the next whole second of the given clock", async () => {
    expect(await pauseMs()).toBe(300);
  });

  it("shows a burst of changes 100 ms after the first change", async () => {
    const burst = (): void => {
      pace.news();
      timers.after(50, () => pace.news());
    };
    expect(await pauseMs(burst)).toBe(110);
  });

  it("shows a change that arrives while a frame is drawn in the next frame", async () => {
    pace.news();
    expect(await pauseMs()).toBe(100);
    expect(await pauseMs()).toBe(300);
  });

  it("stops waiting when it is ended, and leaves no timer behind", async () => {
    expect(await pauseMs(() => pace.end())).toBe(10);
    expect(await turns.next()).toEqual({ done: true, value: undefined });
    expect(timers.pending).toBe(0);
  });
});
