import { describe, expect, it } from "vitest";
import { type CurrentWait, currentWait } from "../../src/explain/replay/current-wait.ts";
import { factsOf } from "../../src/explain/replay/facts.ts";
import { amongRivals, type RivalPolicy } from "../../src/explain/replay/inferred-policy.ts";
import { type CrashLoopPolicy, crashLoopPolicy } from "../../src/kubelet/policy.ts";
import { aContainer, aPod, aStatus, observationOf, T0_MS, terminated } from "../support/builders.ts";

/** The fifth restart, on time for any curve: the wait is 160 s by the default one. */
const EXIT_MS = T0_MS + 400_000;
const AT_MS = EXIT_MS + 10_000;
const POD = aPod({
  statuses: [
    aStatus({
      restartCount: 5,
      state: terminated(EXIT_MS - 5_000, EXIT_MS),
    }),
  ],
});
const OBSERVED = observationOf(POD).pods[0];

function policyWith(maxContainerRestartPeriodMs: number | null): CrashLoopPolicy {
  return crashLoopPolicy({
    version: { major: 1, minor: 37 },
    featureGates: {},
    maxContainerRestartPeriodMs,
    syncFrequencyMs: null,
  });
}

function rival(maxMs: number, share: number): RivalPolicy {
  const policy = policyWith(maxMs);
  return { policy, facts: OBSERVED === undefined ? [] : [factsOf(aContainer(), OBSERVED, policy)], share };
}

function ownWait(): CurrentWait {
  const policy = policyWith(null);
  const wait = OBSERVED === undefined ? null : currentWait(factsOf(aContainer(), OBSERVED, policy), policy, AT_MS);
  if (wait === null) throw new Error("It waits.");
  return wait;
}

describe("amongRivals()", () => {
  it("leaves the wait as it is where nothing rivals the policy", () => {
    const wait = ownWait();
    expect(amongRivals(wait, "app", [], AT_MS)).toBe(wait);
  });

  it("leaves a delay alone that the kubelet has named", () => {
    const wait: CurrentWait = { ...ownWait(), basis: "observed" };
    expect(amongRivals(wait, "app", [rival(60_000, 0.4)], AT_MS)).toBe(wait);
  });

  it("has the waits of the rivals beside it, by delay and with their shares", () => {
    const among = amongRivals(ownWait(), "app", [rival(60_000, 0.2), rival(90_000, 0.1)], AT_MS);
    expect(among.wait.delayMs).toBe(160_000);
    const shares = new Map(among.others.map(({ wait, share }) => [wait.delayMs, share]));
    expect(shares.get(60_000)).toBeCloseTo(0.2, 1);
    expect(shares.get(90_000)).toBeCloseTo(0.1, 1);
    expect(among.share + [...shares.values()].reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 6);
  });

  it("is surer of a delay that a rival gives as well", () => {
    const alone = amongRivals(ownWait(), "app", [rival(60_000, 0.4)], AT_MS);
    const backed = amongRivals(ownWait(), "app", [rival(200_000, 0.4)], AT_MS);
    expect(alone.share).toBeLessThan(0.6);
    expect(backed.share).toBeGreaterThan(0.85);
  });
});
