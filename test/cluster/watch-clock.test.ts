import { describe, expect, it } from "vitest";
import { VirtualTimers } from "../../lab/watch/virtual-timers.ts";
import { sleep } from "../../src/cluster/connection/timers.ts";
import { ServerClock } from "../../src/cluster/watch/watch-clock.ts";
import { RetryPause } from "../../src/cluster/watch/watch-retry.ts";

describe("ServerClock", () => {
  /** An answer at `localMs` that took `tookMs`, of a server that is ahead by 3.7 s. */
  const hear = (clock: ServerClock, localMs: number, tookMs = 20, aheadMs = 3_700): void =>
    clock.heard(Math.floor((localMs + aheadMs - tookMs / 2) / 1000) * 1000, localMs - tookMs, localMs);

  it("knows nothing before the first answer, or from one that does not say what time it is", () => {
    const clock = new ServerClock();
    clock.heard(null, 0, 1);
    expect([clock.isSet, clock.nowMs(5)]).toEqual([false, null]);
  });

  it("is right within half a second after one answer, and to some hundredths after many", () => {
    const clock = new ServerClock();
    const error = (localMs: number): number => Math.abs((clock.nowMs(localMs) ?? 0) - localMs - 3_700);
    hear(clock, 100_000);
    expect(error(100_000)).toBeLessThanOrEqual(510);
    for (let index = 0; index < 30; index++) hear(clock, 100_000 + index * 137);
    expect(error(104_000)).toBeLessThan(60);
  });

  it("follows clocks that drift apart, and one that is set", () => {
    const clock = new ServerClock();
    for (let second = 0; second < 86_400; second += 60) hear(clock, second * 1000, 20, 3_700 + second * 0.1);
    expect(clock.nowMs(86_400_000)).toBeGreaterThan(86_400_000 + 3_700 + 8_640 - 700);
    expect(clock.nowMs(86_400_000)).toBeLessThan(86_400_000 + 3_700 + 8_640 + 700);
    hear(clock, 86_400_000, 20, -3_600_000);
    expect(clock.nowMs(86_400_000)).toBeLessThan(86_400_000 - 3_599_000);
  });
});

describe("RetryPause", () => {
  it("grows from 1 s to 30 s, with full jitter", () => {
    const pause = new RetryPause();
    expect([1, 2, 3, 4, 5, 6, 7].map(() => pause.nextMs(0, 1))).toEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
    ]);
    expect([pause.nextMs(0, 0), pause.nextMs(0, 0.5)]).toEqual([0, 15_000]);
  });

  it("begins anew only after an attempt that lasted as long as the longest pause", () => {
    const pause = new RetryPause();
    for (let count = 0; count < 100; count++) pause.nextMs(29_999, 1);
    expect(pause.nextMs(29_999, 1)).toBe(30_000);
    expect(pause.nextMs(30_000, 1)).toBe(1_000);
  });
});

describe("sleep()", () => {
  it("ends with time, or with its signal, or does not begin after it", async () => {
    const timers = new VirtualTimers();
    const ending = new AbortController();
    const woken: string[] = [];
    void sleep(timers, 1_000, ending.signal).then(() => woken.push("by time"));
    void sleep(timers, 9_000, ending.signal).then(() => woken.push("by the signal"));
    await timers.pass(1_000);
    expect(woken).toEqual(["by time"]);
    ending.abort();
    await timers.pass(0);
    await sleep(timers, 9_000, ending.signal);
    expect([woken, timers.pending]).toEqual([["by time", "by the signal"], 0]);
  });
});
