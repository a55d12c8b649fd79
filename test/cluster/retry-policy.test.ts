import { describe, expect, it } from "vitest";
import { VirtualTimers } from "../../lab/watch/virtual-timers.ts";
import { type FailureKind, RequestFailure } from "../../src/cluster/connection/request-failure.ts";
import { pauseBeforeRetryMs, withRetries } from "../../src/cluster/connection/retry.ts";
import { S } from "../support/builders.ts";

const NEW = { retries: 0, isOptional: false, hasAnswered: false } as const;

function failure(
  detail: Partial<ConstructorParameters<typeof RequestFailure>[1]> = {},
  kind: FailureKind = "unreachable",
): RequestFailure {
  return new RequestFailure(kind, { message: "it fails", ...detail });
}

const BROKEN = failure({ lost: "broken" });
const REFUSED = failure({ lost: "refused" });
const BUSY = failure({ status: 429, retryAfterMs: 2 * S }, "server-error");
const most = (): number => 1;

describe("pauseBeforeRetryMs()", () => {
  it.each([
    { what: "a connection that broke", failed: BROKEN, isRetried: true },
    { what: "a 429 with Retry-After", failed: BUSY, isRetried: true },
    { what: "500 without Retry-After", failed: failure({ status: 500 }, "server-error"), isRetried: false },
    { what: "a refused connection", failed: REFUSED, isRetried: false },
    { what: "a failure that lost no connection", failed: failure(), isRetried: false },
    { what: "a timeout", failed: failure({}, "timeout"), isRetried: false },
  ])("sends again after $what: $isRetried", ({ failed, isRetried }) => {
    expect(pauseBeforeRetryMs(failed, NEW, most) !== null).toBe(isRetried);
  });

  it("sends again to a server that has answered before and refuses connections now", () => {
    expect(pauseBeforeRetryMs(REFUSED, { ...NEW, hasAnswered: true }, most)).not.toBeNull();
  });

  it("waits up to 100 ms, and twice as long before each of four more retries, with full jitter", () => {
    const pauses = (random: () => number) =>
      [0, 1, 2, 3, 4, 5].map((retries) => pauseBeforeRetryMs(BROKEN, { ...NEW, retries }, random));
    expect(pauses(() => 1)).toEqual([100, 200, 400, 800, 1_600, null]);
    expect(pauses(() => 0)).toEqual([0, 0, 0, 0, 0, null]);
  });

  it("waits as long as the server asks, plus jitter, up to ten times", () => {
    const pauses = Array.from({ length: 11 }, (_, retries) => pauseBeforeRetryMs(BUSY, { ...NEW, retries }, most));
    expect(pauses.slice(0, 6)).toEqual([2_100, 2_200, 2_400, 2_800, 3_600, 4_000]);
    expect(pauses.slice(9)).toEqual([4_000, null]);
  });

  it("does not wait if the server asks for more than a minute", () => {
    expect(pauseBeforeRetryMs(failure({ retryAfterMs: 61 * S }), NEW, most)).toBeNull();
  });

  it("retries an optional request once, and never after Retry-After", () => {
    const optional = { ...NEW, isOptional: true };
    expect(pauseBeforeRetryMs(BROKEN, optional, most)).toBe(100);
    expect(pauseBeforeRetryMs(BROKEN, { ...optional, retries: 1 }, most)).toBeNull();
    expect(pauseBeforeRetryMs(BUSY, optional, most)).toBeNull();
  });
});

describe("withRetries()", () => {
  async function tried(failures: number, failed: RequestFailure, limitMs: number) {
    const timers = new VirtualTimers();
    const beganAtMs = timers.nowMs();
    let tries = 0;
    const send = async (): Promise<string> => {
      await new Promise<void>((resolve) => void timers.after(10, resolve));
      if (tries++ < failures) throw failed;
      return "answered";
    };
    let outcome: unknown;
    let endedAtMs = Number.NaN;
    const attempt = withRetries(send, () => NEW, limitMs, timers);
    const end = (value: unknown): void => {
      outcome = value;
      endedAtMs = timers.nowMs();
    };
    const settled = attempt.then(end, end);
    await timers.pass(600 * S);
    await settled;
    return { outcome, tries, tookMs: endedAtMs - beganAtMs };
  }

  it("returns the answer of the first try that succeeds", async () => {
    expect(await tried(3, BROKEN, 10 * S)).toMatchObject({ outcome: "answered", tries: 4 });
  });

  it("fails with the last try's failure when it gives up", async () => {
    expect(await tried(Number.POSITIVE_INFINITY, BROKEN, 10 * S)).toMatchObject({ outcome: BROKEN, tries: 6 });
  });

  it("does not begin a pause that the limit would cut off", async () => {
    const { outcome, tries, tookMs } = await tried(Number.POSITIVE_INFINITY, BUSY, 5 * S);
    expect([outcome, tries]).toEqual([BUSY, 3]);
    expect(tookMs).toBeLessThan(5 * S);
  });

  it("has one limit for all tries together, and none with Infinity", async () => {
    expect(await tried(0, BROKEN, 5)).toMatchObject({ outcome: { kind: "timeout" }, tookMs: 5 });
    expect(await tried(10, BUSY, Infinity)).toMatchObject({ outcome: "answered", tries: 11 });
  });
});
