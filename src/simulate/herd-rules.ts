import { type CrashLoopPolicy, crashLoopPolicy, type PolicyInput } from "../kubelet/policy.ts";

/** A kubelet's version and configuration, as far as its restarts depend on it. */
export interface HerdRule {
  readonly name: string;
  readonly policy: CrashLoopPolicy;
}

const NEWEST: PolicyInput = {
  version: null,
  featureGates: {},
  maxContainerRestartPeriodMs: null,
  syncFrequencyMs: null,
};

/** The kubelets that a herd is compared under. */
export const HERD_RULES: readonly HerdRule[] = [
  { name: "v1.34", policy: crashLoopPolicy({ ...NEWEST, version: { major: 1, minor: 34 } }) },
  { name: "v1.35+", policy: crashLoopPolicy(NEWEST) },
  { name: "max=60s", policy: crashLoopPolicy({ ...NEWEST, maxContainerRestartPeriodMs: 60_000 }) },
  {
    name: "reduced",
    policy: crashLoopPolicy({ ...NEWEST, featureGates: { ReduceDefaultCrashLoopBackOffDecay: true } }),
  },
];
