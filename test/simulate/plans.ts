import { type CrashLoopPolicy, crashLoopPolicy, type PolicyInput } from "../../src/kubelet/crash-loop-policy.ts";
import { parseKubeletVersion } from "../../src/kubelet/versions.ts";
import { seededRandom } from "../../src/simulate/seeded-random.ts";
import { repeatingLast, type SimulatedRun } from "../../src/simulate/simulated-run.ts";
import { drawnStarts, typicalStarts } from "../../src/simulate/start-choice.ts";
import type { SimulationPlan } from "../../src/simulate/walk.ts";

export function policyOf(version: string, changes: Partial<PolicyInput> = {}): CrashLoopPolicy {
  const unset = { featureGates: {}, maxContainerRestartPeriodMs: null, syncFrequencyMs: null };
  return crashLoopPolicy({ ...unset, version: parseKubeletVersion(version), ...changes });
}

export function exits(...seconds: number[]): SimulatedRun[] {
  return seconds.map((ran) => ({ ranMs: ran * 1_000, exitCode: 1, ending: "exited" }));
}

export function kills(...seconds: number[]): SimulatedRun[] {
  return seconds.map((ran) => ({ ranMs: ran * 1_000, exitCode: 137, ending: "liveness-probe" }));
}

export function planOf(policy: CrashLoopPolicy, runs: readonly SimulatedRun[], seed?: number): SimulationPlan {
  const startAfter =
    seed === undefined ? typicalStarts(policy.retry) : drawnStarts(policy.retry, seededRandom(seed, "looks"));
  const restart = { type: "app", podPolicy: "Always", containerPolicy: null, rules: [] } as const;
  return { policy, restart, runOf: repeatingLast(runs), startAfter };
}
