import { describe, expect, it } from "vitest";
import { crashLoopPolicy, type PolicyInput } from "../../src/kubelet/crash-loop-policy.ts";
import { rowsOf } from "../support/text-table.ts";

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

const GATES: Readonly<Record<string, PolicyInput["featureGates"]>> = {
  "maximum on": { [MAX]: true },
  "maximum off": { [MAX]: false },
  reduced: { [REDUCED]: true },
  "reduced, maximum off": { [REDUCED]: true, [MAX]: false },
  AllAlpha: { AllAlpha: true },
  "AllAlpha, not reduced": { AllAlpha: true, [REDUCED]: false },
  "no AllBeta": { AllBeta: false },
};

/** `configured` is maxContainerRestartPeriod. All numbers but the version are in seconds. */
const CURVES = `
  version  gates                  configured  initial  maximum  reset  why
  1.19     -                      -           10       300      600    a version older than the gates
  1.37     -                      -           10       300      600    the defaults of 1.37
  unknown  -                      -           10       300      600    an unknown version has the defaults of the newest
  1.35     -                      60          10       60       600    the period counts where its gate is on by default
  1.34     -                      60          10       300      600    the period does not count where its gate is off
  1.31     maximum on             60          10       300      600    the period does not count on a kubelet that does not know the gate
  1.33     maximum on             60          10       60       600    the period counts where the gate is turned on by hand
  1.37     maximum off            60          10       300      600    the period does not count where the gate is turned off by hand
  1.37     -                      2           2        2        600    a maximum below the initial delay lowers the initial delay, too
  1.34     reduced                -           1        60       600    reduced decay has a maximum of 60 s on 1.34
  1.37     reduced                300         1        300      600    a period of 5m, the default, overrides the reduced maximum of 60 s
  1.37     reduced, maximum off   -           1        60       600    reduced decay keeps its maximum of 60 s if the gate of the period is off
  1.37     AllAlpha               300         1        300      600    AllAlpha turns an alpha gate on
  1.37     AllAlpha, not reduced  -           10       300      600    a named gate wins over AllAlpha
  1.36     no AllBeta             60          10       300      600    AllBeta: false turns a beta gate off
`;
type Column = "version" | "gates" | "configured" | "initial" | "maximum" | "reset" | "why";

describe("crashLoopPolicy()", () => {
  it.each(rowsOf<Column>(CURVES))("$why ($version)", ({ version, gates, configured, ...row }) => {
    const minor = version === "unknown" ? null : Number(version.replace("1.", ""));
    const maxContainerRestartPeriodMs = configured === "" ? null : Number(configured) * 1_000;
    const curve = policy(minor, { featureGates: GATES[gates] ?? {}, maxContainerRestartPeriodMs });
    const [initialMs, maxMs, resetAfterMs] = [row.initial, row.maximum, row.reset].map((cell) => Number(cell) * 1_000);
    expect(curve).toMatchObject({ initialMs, maxMs, resetAfterMs });
  });

  it("retries every 10 s on v1.34, and when the wait ends on v1.35, with syncFrequency as the resync", () => {
    expect(policy(34).retry).toEqual({ kind: "every-10s" });
    expect(policy(35).retry).toEqual({ kind: "at-expiry", resyncMs: 60_000 });
    expect(policy(35, { syncFrequencyMs: 30_000 }).retry).toEqual({ kind: "at-expiry", resyncMs: 30_000 });
  });
});
