import { describe, expect, it } from "vitest";
import { Backoff } from "../../scripts/vectors/keyed-backoff.ts";

/**
 * The expected numbers are those of client-go's own tests, v0.37.1 (v0.34.4 has the same):
 * https://github.com/kubernetes/client-go/blob/v0.37.1/util/flowcontrol/backoff_test.go
 */
const STEP_MS = 1000;
const START_MS = Date.UTC(2026, 10, 21);

function fakeClock() {
  let nowMs = START_MS;
  return {
    nowMs: () => nowMs,
    step: (ms: number) => {
      nowMs += ms;
    },
    setTime: (ms: number) => {
      nowMs = ms;
    },
  };
}

function start(maxSteps: number, resetAfterMs?: number) {
  const clock = fakeClock();
  const expiry = resetAfterMs === undefined ? {} : { resetAfterMs };
  return { clock, backoff: new Backoff({ initialMs: STEP_MS, maxMs: maxSteps * STEP_MS, ...expiry }, clock) };
}

function atMaximum() {
  const { clock, backoff } = start(5);
  for (let failure = 0; failure < 6; failure += 1) {
    clock.step(STEP_MS);
    backoff.next("id", clock.nowMs());
  }
  return { clock, backoff };
}

describe("Backoff", () => {
  it("doubles from the initial delay, holds at the maximum, and a reset clears it (TestSlowBackoff)", () => {
    const { clock, backoff } = start(50);
    const delays = Array.from({ length: 10 }, () => {
      clock.step(STEP_MS);
      const delayMs = backoff.get("id");
      backoff.next("id", clock.nowMs());
      return delayMs / STEP_MS;
    });
    expect(delays).toEqual([0, 1, 2, 4, 8, 16, 32, 50, 50, 50]);
    backoff.next("id", clock.nowMs());
    backoff.reset("id");
    expect(backoff.get("id")).toBe(0);
  });

  it("is in back-off at the maximum, and out of it after more than twice the maximum (TestBackoffReset)", () => {
    const { clock, backoff } = atMaximum();
    expect(backoff.isInBackOffSince("id", clock.nowMs())).toBe(true);
    const lastUpdateMs = clock.nowMs();
    clock.step(11 * STEP_MS);
    expect(backoff.isInBackOffSince("id", lastUpdateMs)).toBe(false);
  });

  it("stays at the maximum while less than twice the maximum has passed (TestBackoffHighWaterMark)", () => {
    const { clock, backoff } = atMaximum();
    clock.step(6 * STEP_MS);
    backoff.next("id", clock.nowMs());
    expect(backoff.get("id")).toBe(5 * STEP_MS);
  });

  it("drops an entry only after twice the maximum (TestBackoffGC)", () => {
    const { clock, backoff } = atMaximum();
    clock.step(6 * STEP_MS);
    backoff.gc();
    expect(backoff.ids()).toEqual(["id"]);
    clock.step(6 * STEP_MS);
    backoff.gc();
    expect(backoff.ids()).toEqual([]);
  });

  // HasExpiredFunc of client-go's tests compares with ≥, the kubelet and this program with >. No row is exactly at the
  // limit.
  it.each([
    { name: "default GC", resetAfterMs: undefined, keptAfter: 5, goneAfter: 101 },
    { name: "GC later than 2*maxDuration", resetAfterMs: 200 * STEP_MS, keptAfter: 101, goneAfter: 501 },
  ])(
    "drops an entry only after its policy's limit: $name (TestAlternateBackoffGC)",
    ({ resetAfterMs, keptAfter, goneAfter }) => {
      const { clock, backoff } = start(50, resetAfterMs);
      backoff.next("id", clock.nowMs());
      clock.step(keptAfter * STEP_MS);
      backoff.gc();
      expect(backoff.ids()).toEqual(["id"]);
      clock.step(goneAfter * STEP_MS);
      backoff.gc();
      expect(backoff.ids()).toEqual([]);
    },
  );

  it.each([
    { name: "default expiration", resetAfterMs: undefined, keptAfter: 5, goneAfter: 101 },
    { name: "expires faster than maxDuration", resetAfterMs: 8 * STEP_MS, keptAfter: 5, goneAfter: 9 },
  ])(
    "starts over only after its policy's limit: $name (TestAlternateHasExpiredFunc)",
    ({ resetAfterMs, keptAfter, goneAfter }) => {
      const { clock, backoff } = start(50, resetAfterMs);
      backoff.next("id", clock.nowMs());
      clock.step(keptAfter * STEP_MS);
      backoff.next("id", clock.nowMs());
      expect(backoff.get("id")).toBeGreaterThanOrEqual(2 * STEP_MS);
      clock.step(goneAfter * STEP_MS);
      backoff.next("id", clock.nowMs());
      expect(backoff.get("id")).toBe(STEP_MS);
    },
  );

  it("isInBackOffSinceUpdate counts from the last update, tick by tick (TestIsInBackOffSinceUpdate)", () => {
    const { clock, backoff } = start(10);
    // At each of these ticks no back-off is in force, and the test adds a failure. The back-off then lasts `delay`
    // ticks.
    const failures = [
      { tick: 0, delay: 1 },
      { tick: 1, delay: 2 },
      { tick: 3, delay: 4 },
      { tick: 7, delay: 8 },
      { tick: 15, delay: 10 },
      { tick: 25, delay: 10 },
      { tick: 35, delay: 10 },
      { tick: 56, delay: 1 },
      { tick: 57, delay: 2 },
    ];
    const delayAfter = new Map(failures.map(({ tick, delay }) => [tick, delay]));
    const ticks = [...Array(36).keys(), 56, 57];
    let delay = 0;
    for (const tick of ticks) {
      clock.setTime(START_MS + tick * STEP_MS);
      const inBackOff = backoff.isInBackOffSinceUpdate("id", clock.nowMs());
      expect({ tick, inBackOff }).toEqual({ tick, inBackOff: !delayAfter.has(tick) });
      if (inBackOff) expect({ tick, delayMs: backoff.get("id") }).toEqual({ tick, delayMs: delay * STEP_MS });
      else backoff.next("id", clock.nowMs());
      delay = delayAfter.get(tick) ?? delay;
    }
  });

  it.each([0.000001, 0.5, 0.999999])(
    "adds at most a tenth of the previous delay, up to the maximum, for a random number of %d (TestBackoffWithJitter)",
    (drawn) => {
      const clock = fakeClock();
      const maxMs = 60_000;
      const policy = { initialMs: 100, maxMs, maxJitterFactor: 0.1 };
      const backoff = new Backoff(policy, { nowMs: clock.nowMs, random: () => drawn });
      expect(backoff.get("id")).toBe(0);
      let previousMs = 100;
      for (let attempt = 0; attempt <= 10; attempt += 1) {
        clock.step(100);
        backoff.next("id", clock.nowMs());
        const delayMs = backoff.get("id");
        const lowMs = previousMs * (attempt === 0 ? 1 : 2);
        const isWithin = delayMs > lowMs && delayMs <= lowMs + 0.1 * previousMs;
        expect({ attempt, delayMs, ok: isWithin || delayMs === maxMs }).toEqual({ attempt, delayMs, ok: true });
        previousMs = delayMs;
      }
      expect(previousMs).toBe(maxMs);
    },
  );
});
