import { describe, expect, it } from "vitest";
import { crashLoopPolicy, type PolicyInput } from "../../src/kubelet/policy.ts";

const MAX = "KubeletCrashLoopBackOffMax";
const REDUCED = "ReduceDefaultCrashLoopBackOffDecay";

function policy(minor: number | null, overrides: Partial<PolicyInput> = {}) {
  return crashLoopPolicy({
    version: minor === null ? null : { major: 1, minor },
    featureGates: {},
    maxContainerRestartPeriodMs: null,
    syncFrequencyMs: null,
    ...overrides,
  });
}

describe("crashLoopPolicy()", () => {
  it.each([
    {
      why: "the curve of every version without gates",
      minor: 19,
      initialMs: 10_000,
      maxMs: 300_000,
      resetAfterMs: 600_000,
    },
    { why: "the defaults of 1.37", minor: 37, initialMs: 10_000, maxMs: 300_000, resetAfterMs: 600_000 },
    {
      why: "an unknown version has the newest one's defaults",
      minor: null,
      initialMs: 10_000,
      maxMs: 300_000,
      resetAfterMs: 600_000,
    },
    {
      why: "the period counts where its gate is on by default",
      minor: 35,
      maxContainerRestartPeriodMs: 60_000,
      initialMs: 10_000,
      maxMs: 60_000,
      resetAfterMs: 600_000,
    },
    {
      why: "the period does not count where its gate is off",
      minor: 34,
      maxContainerRestartPeriodMs: 60_000,
      initialMs: 10_000,
      maxMs: 300_000,
      resetAfterMs: 600_000,
    },
    {
      why: "nor where the gate is not known at all",
      minor: 31,
      featureGates: { [MAX]: true },
      maxContainerRestartPeriodMs: 60_000,
      initialMs: 10_000,
      maxMs: 300_000,
      resetAfterMs: 600_000,
    },
    {
      why: "the gate turned on by hand",
      minor: 33,
      featureGates: { [MAX]: true },
      maxContainerRestartPeriodMs: 60_000,
      initialMs: 10_000,
      maxMs: 60_000,
      resetAfterMs: 600_000,
    },
    {
      why: "the gate turned off by hand",
      minor: 37,
      featureGates: { [MAX]: false },
      maxContainerRestartPeriodMs: 60_000,
      initialMs: 10_000,
      maxMs: 300_000,
      resetAfterMs: 600_000,
    },
    {
      why: "a maximum below the initial delay lowers that too",
      minor: 37,
      maxContainerRestartPeriodMs: 2_000,
      initialMs: 2_000,
      maxMs: 2_000,
      resetAfterMs: 600_000,
    },
    {
      why: "reduced decay on 1.34 ends at 60 s",
      minor: 34,
      featureGates: { [REDUCED]: true },
      initialMs: 1_000,
      maxMs: 60_000,
      resetAfterMs: 600_000,
    },
    {
      why: "the trap: on 1.35 the period's default of 5m overrides the reduced maximum",
      minor: 37,
      featureGates: { [REDUCED]: true },
      maxContainerRestartPeriodMs: 300_000,
      initialMs: 1_000,
      maxMs: 300_000,
      resetAfterMs: 600_000,
    },
    {
      why: "reduced decay with the other gate off",
      minor: 37,
      featureGates: { [REDUCED]: true, [MAX]: false },
      initialMs: 1_000,
      maxMs: 60_000,
      resetAfterMs: 600_000,
    },
    {
      why: "AllAlpha turns an alpha gate on",
      minor: 37,
      featureGates: { AllAlpha: true },
      maxContainerRestartPeriodMs: 300_000,
      initialMs: 1_000,
      maxMs: 300_000,
      resetAfterMs: 600_000,
    },
    {
      why: "a named gate wins over AllAlpha",
      minor: 37,
      featureGates: { AllAlpha: true, [REDUCED]: false },
      initialMs: 10_000,
      maxMs: 300_000,
      resetAfterMs: 600_000,
    },
    {
      why: "AllBeta: false turns a beta gate off",
      minor: 36,
      featureGates: { AllBeta: false },
      maxContainerRestartPeriodMs: 60_000,
      initialMs: 10_000,
      maxMs: 300_000,
      resetAfterMs: 600_000,
    },
  ])("$why (1.$minor)", ({ why: _, minor, initialMs, maxMs, resetAfterMs, ...input }) => {
    expect(policy(minor, input as Partial<PolicyInput>)).toMatchObject({ initialMs, maxMs, resetAfterMs });
  });

  it("comes back every 10 s up to 1.34, and from what remains since 1.35", () => {
    expect(policy(34).retry).toEqual({ kind: "every-10s" });
    expect(policy(35).retry).toEqual({ kind: "at-expiry", resyncMs: 60_000 });
    expect(policy(35, { syncFrequencyMs: 30_000 }).retry).toEqual({ kind: "at-expiry", resyncMs: 30_000 });
  });
});
