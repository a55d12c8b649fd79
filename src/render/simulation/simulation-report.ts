import type { PolicyExplanation } from "../../explain/answer/explanation.ts";
import type { RestartPolicy } from "../../kubelet/restart-policy.ts";
import type { Window } from "../../kubelet/start-distribution.ts";
import type { Figures, Simulation } from "../../simulate/simulate.ts";
import type { FailingProbe, SimulatedRun, VariedLength } from "../../simulate/simulated-run.ts";
import type { SimulatedStart } from "../../simulate/walk.ts";
import { policyToJson } from "../json/json.ts";
import { API_VERSION } from "../json/json-values.ts";

export type RunsOrigin =
  | { readonly kind: "lengths"; readonly lengths: readonly VariedLength[]; readonly exitCode: number }
  | { readonly kind: "probe"; readonly probe: FailingProbe }
  | { readonly kind: "observed"; readonly runs: readonly SimulatedRun[] };

export interface SimulationReport {
  /** A configuration of --compare, e.g. "max=60s"; "as-is" without --compare. */
  readonly name: string;
  /** The imitated container, e.g. "prod/web-0, container app"; null if none. */
  readonly container: string | null;
  readonly runs: RunsOrigin;
  readonly restartPolicy: RestartPolicy;
  readonly policy: PolicyExplanation;
  readonly seed: number | null;
  readonly simulation: Simulation;
  /** For each item of `simulation.starts`, the window of the next start. */
  readonly windows: readonly (Window | null)[];
}

export type Simulated =
  | { readonly kind: "simulation"; readonly report: SimulationReport }
  | { readonly kind: "comparison"; readonly reports: readonly SimulationReport[] };

export function simulatedToJson(simulated: Simulated): object {
  return simulated.kind === "simulation" ? simulationToJson(simulated.report) : comparisonToJson(simulated.reports);
}

export function reportsIn(simulated: Simulated): readonly SimulationReport[] {
  return simulated.kind === "simulation" ? [simulated.report] : simulated.reports;
}

/** See docs/simulation.schema.json. */
function simulationToJson(report: SimulationReport) {
  const { policy, restartPolicy, seed, simulation, windows } = report;
  return {
    apiVersion: API_VERSION,
    kind: "Simulation",
    policy: policyToJson(policy),
    restartPolicy,
    seed,
    starts: simulation.starts.map((start, index) => startToJson(start, windows[index] ?? null)),
    incomplete: simulation.isCut,
    figures: figuresToJson(simulation.figures),
  };
}

function comparisonToJson(reports: readonly SimulationReport[]) {
  const simulations = reports.map((report) => {
    const { apiVersion: _version, kind: _kind, ...rest } = simulationToJson(report);
    return { name: report.name, ...rest };
  });
  return { apiVersion: API_VERSION, kind: "SimulationComparison", simulations };
}

function startToJson(simulated: SimulatedStart, window: Window | null) {
  const { start, startedMs, finishedMs, wait, nextStartedMs, crashLoopBackOff, run } = simulated;
  const delayMs = nextStartedMs === null ? null : (wait?.delayMs ?? 0);
  return {
    start,
    startedSeconds: roundedSeconds(startedMs),
    finishedSeconds: roundedSeconds(finishedMs),
    exitCode: run.exitCode,
    cause: run.ending,
    delaySeconds: delayMs === null ? null : roundedSeconds(delayMs),
    waitedSeconds: nextStartedMs === null ? null : roundedSeconds(nextStartedMs - finishedMs),
    nextStartBetweenSeconds: window && [roundedSeconds(window.notBeforeMs), roundedSeconds(window.likelyByMs)],
    crashLoopBackOff: crashLoopBackOff && {
      fromSeconds: roundedSeconds(crashLoopBackOff.fromMs),
      toSeconds: roundedSeconds(crashLoopBackOff.toMs),
    },
  };
}

function figuresToJson({ forMs, restarts, availability, shownShare, longestWaitMs, restartsWithin }: Figures) {
  return {
    forSeconds: roundedSeconds(forMs),
    restarts,
    availability: Math.round(availability * 1e6) / 1e6,
    crashLoopBackOffShare: Math.round(shownShare * 1e6) / 1e6,
    longestWaitSeconds: longestWaitMs === null ? null : roundedSeconds(longestWaitMs),
    restartsWithin: restartsWithin.map(({ withinMs, restarts: count }) => {
      return { withinSeconds: roundedSeconds(withinMs), restarts: count };
    }),
  };
}

function roundedSeconds(ms: number): number {
  return Math.round(ms) / 1_000;
}
