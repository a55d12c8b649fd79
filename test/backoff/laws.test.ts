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

interface Case {
  readonly policy: BackoffPolicy;
  readonly random: () => number;
}

function caseOf(seed: number): Case {
  const random = seededRandom(seed, "laws");
  const initialMs = 1 + Math.floor(random() * 20_000);
  const maxMs = initialMs + Math.floor(random() * 300_000);
  const resetAfterMs = Math.floor(random() * 600_000);
  const policy = {
    initialMs,
    maxMs,
    ...(random() < 0.5 ? { resetAfterMs } : {}),
    ...(random() < 0.5 ? { maxJitterFactor: random() } : {}),
  };
  return { policy, random };
}

/** Every step of a life of failures: the entry before, when it failed, when that was noticed, the entry after. */
function* lifeOf({ policy, random }: Case) {
  let nowMs = Date.UTC(2026, 10, 21);
  let before: BackoffEntry | undefined;
  for (let failure = 0; failure < FAILURES; failure += 1) {
    nowMs += Math.floor(random() ** 4 * 900_000);
    const eventMs = nowMs - Math.floor(random() * 3000);
    const after = next(before, eventMs, nowMs, policy, random);
    yield { before, eventMs, nowMs, after };
    before = after;
  }
}

const seeds = Array.from({ length: CASES }, (_, seed) => seed);

describe("the laws of a back-off", () => {
  it("keeps every delay between the initial one and the maximum, first jitter aside", () => {
    for (const seed of seeds) {
      const { policy, random } = caseOf(seed);
      const firstAtMostMs = policy.initialMs * (1 + (policy.maxJitterFactor ?? 0));
      for (const { after } of lifeOf({ policy, random })) {
        expect(after.delayMs, `seed ${seed}`).toBeGreaterThanOrEqual(policy.initialMs);
        expect(after.delayMs, `seed ${seed}`).toBeLessThanOrEqual(Math.max(policy.maxMs, firstAtMostMs));
      }
    }
  });

  it("never shortens a delay without a reset, unless the maximum cuts a jittered first one", () => {
    for (const seed of seeds) {
      const { policy, random } = caseOf(seed);
      for (const { before, eventMs, after } of lifeOf({ policy, random })) {
        if (before === undefined || hasExpired(before, eventMs, policy)) continue;
        expect(after.delayMs, `seed ${seed}`).toBeGreaterThanOrEqual(Math.min(before.delayMs, policy.maxMs));
      }
    }
  });

  it("gives the initial delay (and its jitter) after a pause longer than the limit", () => {
    let resets = 0;
    for (const seed of seeds) {
      const { policy, random } = caseOf(seed);
      for (const { before, eventMs, after } of lifeOf({ policy, random })) {
        if (before === undefined || !hasExpired(before, eventMs, policy)) continue;
        resets += 1;
        const jitterMs = after.delayMs - policy.initialMs;
        expect(jitterMs, `seed ${seed}`).toBeGreaterThanOrEqual(0);
        expect(jitterMs, `seed ${seed}`).toBeLessThanOrEqual(policy.initialMs * (policy.maxJitterFactor ?? 0));
      }
    }
    expect(resets).toBeGreaterThan(CASES);
  });

  it("ends a back-off exactly when the delay has passed, since the failure and since the update", () => {
    for (const seed of seeds) {
      const { policy: drawn, random } = caseOf(seed);
      const policy = { ...drawn, resetAfterMs: 4 * drawn.maxMs, maxJitterFactor: 0 };
      for (const { nowMs, eventMs, after } of lifeOf({ policy, random })) {
        const endMs = eventMs + after.delayMs;
        expect(isInBackOffSince(after, eventMs, endMs - 1, policy), `seed ${seed}`).toBe(true);
        expect(isInBackOffSince(after, eventMs, endMs, policy), `seed ${seed}`).toBe(false);
        expect(isInBackOffSinceUpdate(after, nowMs + after.delayMs - 1, policy), `seed ${seed}`).toBe(true);
        expect(isInBackOffSinceUpdate(after, nowMs + after.delayMs, policy), `seed ${seed}`).toBe(false);
      }
    }
  });

  it("is never in back-off for an event after the entry's end", () => {
    for (const seed of seeds) {
      const { policy, random } = caseOf(seed);
      const limitMs = policy.resetAfterMs ?? 2 * policy.maxMs;
      for (const { after } of lifeOf({ policy, random })) {
        const pastMs = after.lastUpdateMs + limitMs + 1;
        expect(isInBackOffSince(after, pastMs, pastMs, policy), `seed ${seed}`).toBe(false);
        expect(isInBackOffSinceUpdate(after, pastMs, policy), `seed ${seed}`).toBe(false);
      }
    }
  });
});
