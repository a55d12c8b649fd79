import { describe, expect, it } from "vitest";
import {
  type BackoffEntry,
  type BackoffPolicy,
  hasExpired,
  isInBackOffSince,
  isInBackOffSinceUpdate,
  next,
} from "../../src/backoff/backoff.ts";
import { seededRandom } from "../../src/simulate/seeded-random.ts";

const CASES = 300;
const FAILURES = 40;

function policyOf(random: () => number): BackoffPolicy {
  const initialMs = 1 + Math.floor(random() * 20_000);
  const maxMs = initialMs + Math.floor(random() * 300_000);
  const resetAfterMs = Math.floor(random() * 600_000);
  return {
    initialMs,
    maxMs,
    ...(random() < 0.5 ? { resetAfterMs } : {}),
    ...(random() < 0.5 ? { maxJitterFactor: random() } : {}),
  };
}

function* failures(changed = (policy: BackoffPolicy) => policy) {
  for (let seed = 0; seed < CASES; seed++) {
    const random = seededRandom(seed, "laws");
    const policy = changed(policyOf(random));
    let nowMs = Date.UTC(2026, 10, 21);
    let before: BackoffEntry | undefined;
    for (let failure = 0; failure < FAILURES; failure++) {
      nowMs += Math.floor(random() ** 4 * 900_000);
      const eventMs = nowMs - Math.floor(random() * 3000);
      const after = next(before, eventMs, nowMs, policy, random);
      yield { why: `seed ${seed}`, policy, before, eventMs, nowMs, after };
      before = after;
    }
  }
}

describe("the laws of a back-off", () => {
  it("keeps every delay between the initial delay and the maximum, which only a first delay may exceed", () => {
    for (const { why, policy, after } of failures()) {
      const firstAtMostMs = policy.initialMs * (1 + (policy.maxJitterFactor ?? 0));
      expect(after.delayMs, why).toBeGreaterThanOrEqual(policy.initialMs);
      expect(after.delayMs, why).toBeLessThanOrEqual(Math.max(policy.maxMs, firstAtMostMs));
    }
  });

  it("never shortens a delay without a reset, unless a first delay with jitter is above the maximum", () => {
    for (const { why, policy, before, eventMs, after } of failures()) {
      if (before === undefined || hasExpired(before, eventMs, policy)) continue;
      expect(after.delayMs, why).toBeGreaterThanOrEqual(Math.min(before.delayMs, policy.maxMs));
    }
  });

  it("gives the initial delay (and its jitter) after a pause longer than the limit", () => {
    let resets = 0;
    for (const { why, policy, before, eventMs, after } of failures()) {
      if (before === undefined || !hasExpired(before, eventMs, policy)) continue;
      resets += 1;
      const jitterMs = after.delayMs - policy.initialMs;
      expect(jitterMs, why).toBeGreaterThanOrEqual(0);
      expect(jitterMs, why).toBeLessThanOrEqual(policy.initialMs * (policy.maxJitterFactor ?? 0));
    }
    expect(resets).toBeGreaterThan(CASES);
  });

  it("ends a back-off exactly when the delay has passed, since the failure and since the update", () => {
    const lasting = (policy: BackoffPolicy) => ({ ...policy, resetAfterMs: 4 * policy.maxMs, maxJitterFactor: 0 });
    for (const { why, policy, nowMs, eventMs, after } of failures(lasting)) {
      const endMs = eventMs + after.delayMs;
      expect(isInBackOffSince(after, eventMs, endMs - 1, policy), why).toBe(true);
      expect(isInBackOffSince(after, eventMs, endMs, policy), why).toBe(false);
      expect(isInBackOffSinceUpdate(after, nowMs + after.delayMs - 1, policy), why).toBe(true);
      expect(isInBackOffSinceUpdate(after, nowMs + after.delayMs, policy), why).toBe(false);
    }
  });

  it("is never in back-off for an event after the entry has expired", () => {
    for (const { why, policy, after } of failures()) {
      const pastMs = after.lastUpdateMs + (policy.resetAfterMs ?? 2 * policy.maxMs) + 1;
      expect(isInBackOffSince(after, pastMs, pastMs, policy), why).toBe(false);
      expect(isInBackOffSinceUpdate(after, pastMs, policy), why).toBe(false);
    }
  });
});
