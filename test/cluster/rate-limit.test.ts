import { describe, expect, it } from "vitest";
import { rateLimited } from "../../src/cluster/api/rate-limit.ts";
import type { Connection } from "../../src/cluster/connection/connection.ts";
import { realTimers } from "../../src/cluster/connection/timers.ts";

const TIMERS = realTimers(() => performance.now());

describe("rateLimited()", () => {
  it("keeps at most fifty requests of both kinds in flight, and settles all of them, failures too", async () => {
    let inFlight = 0;
    let most = 0;
    const slow: Connection["get"] = async (path) => {
      most = Math.max(most, ++inFlight);
      await new Promise((resolve) => setTimeout(resolve, 2));
      inFlight--;
      if (path.endsWith("3")) throw new Error(path);
      return { body: path, serverClockMs: null };
    };
    const get = rateLimited(slow, TIMERS);
    const answers = await Promise.allSettled(
      Array.from({ length: 100 }, (_, index) => get(`/${index}`, { isOneOfMany: index % 2 === 1 })),
    );
    expect(most).toBe(50);
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(90);
    expect(inFlight).toBe(0);
  });

  it.each([
    {
      isOneOfMany: true,
      leastMs: 190,
      mostMs: Number.POSITIVE_INFINITY,
      says: "fifty of many requests immediately, and then fifty a second",
    },
    { isOneOfMany: false, leastMs: 0, mostMs: 150, says: "sixty other requests without a pause" },
  ])("sends $says", async ({ isOneOfMany, leastMs, mostMs }) => {
    const get = rateLimited(async () => ({ body: {}, serverClockMs: null }), TIMERS);
    const startedAtMs = performance.now();
    await Promise.all(Array.from({ length: 60 }, () => get("/", { isOneOfMany })));
    const tookMs = performance.now() - startedAtMs;
    expect(tookMs).toBeGreaterThan(leastMs);
    expect(tookMs).toBeLessThan(mostMs);
  });
});
