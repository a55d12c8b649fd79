import type { PolicyExplanation } from "../../explain/answer/explanation.ts";
import type { RestartPolicyName } from "../../kubelet/restart-policy.ts";
import type { FailingProbe } from "../../simulate/probe-runs.ts";
import type { Simulation } from "../../simulate/simulate.ts";
import type { SimulatedRun, VariedLength } from "../../simulate/simulated-run.ts";
import type { StartWindow } from "../../simulate/start-windows.ts";

/** Where the run lengths of a simulation are from. */
export type RunsOrigin =
  | { readonly kind: "lengths"; readonly lengths: readonly VariedLength[]; readonly exitCode: number }
  | { readonly kind: "probe"; readonly probe: FailingProbe }
  /** Seen of a real container. */
  | { readonly kind: "seen"; readonly runs: readonly SimulatedRun[] };

/** A simulation with what it was made of: what renderers print. */
export interface SimulationReport {
  /** The configuration's name in a comparison. */
  readonly name: string;
  /** The container whose runs and configuration were taken, e.g. "prod/web-0, container app"; null: none. */
  readonly container: string | null;
  readonly runs: RunsOrigin;
  readonly restartPolicy: RestartPolicyName;
  readonly policy: PolicyExplanation;
  /** Null: the kubelet looks at the usual moments. */
  readonly seed: number | null;
  readonly simulation: Simulation;
  /** By start: the window of the next one. */
  readonly windows: readonly StartWindow[];
}
