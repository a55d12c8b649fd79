import { crashLoopPolicy } from "../../src/kubelet/policy.ts";
import { parseKubeletVersion } from "../../src/kubelet/version.ts";
import { seededRandom } from "../../src/simulate/seeded-random.ts";
import type { SimulatedRun } from "../../src/simulate/simulated-run.ts";
import { drawnStarts, type StartChoice, typicalStarts } from "../../src/simulate/start-choice.ts";
import { walk } from "../../src/simulate/walk.ts";

const RESTARTS = 1_000_000;

const RUNS: Readonly<Record<string, SimulatedRun>> = {
  exits: { ranMs: 10_000, exitCode: 1, ending: "exited" },
  "probe kills": { ranMs: 42_000, exitCode: 137, ending: "liveness-probe" },
};

/** Prints how many simulated restarts one core makes in a second, by kubelet, cause and choice of looks. */
function main(): void {
  for (const version of ["v1.34.4", "v1.37.1"]) {
    const unset = { featureGates: {}, maxContainerRestartPeriodMs: null, syncFrequencyMs: null };
    const policy = crashLoopPolicy({ ...unset, version: parseKubeletVersion(version) });
    const choices: Readonly<Record<string, StartChoice>> = {
      typical: typicalStarts(policy.retry),
      drawn: drawnStarts(policy.retry, seededRandom(1, "looks")),
    };
    for (const [cause, run] of Object.entries(RUNS)) {
      for (const [looks, startAfter] of Object.entries(choices)) {
        const perSecond = restartsPerSecond((visit) => {
          walk({ policy, restart: SPEC, runOf: () => run, startAfter }, visit);
        });
        console.log(`${version}  ${cause.padEnd(11)}  ${looks.padEnd(7)}  ${(perSecond / 1e6).toFixed(1)} million/s`);
      }
    }
  }
}

const SPEC = { type: "app", podPolicy: "Always", containerPolicy: null, rules: [] } as const;

function restartsPerSecond(simulated: (visit: () => boolean) => void): number {
  let restarts = 0;
  const startedAtMs = performance.now();
  simulated(() => ++restarts < RESTARTS);
  return (restarts / (performance.now() - startedAtMs)) * 1_000;
}

main();
