import { UserError } from "../../errors.ts";
import type {
  ContainerExplanation,
  Explanation,
  PodExplanation,
  PolicyExplanation,
} from "../../explain/answer/explanation.ts";
import { restartSpecOf } from "../../explain/history/restart-rules.ts";
import type { ContainerSpec, Now, Observation, PodObservation, Probe } from "../../explain/observed/observation.ts";
import { type ContainerFacts, factsOf } from "../../explain/replay/facts.ts";
import { type PolicyOverrides, policyOf } from "../../explain/replay/policy.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import type { RestartSpec } from "../../kubelet/restart-policy.ts";
import type { Ending, FailingProbe, SimulatedRun } from "../../simulate/simulated-run.ts";

/** A container that was seen, as a simulation takes it: how it runs, whether it restarts, and under which policy. */
export interface SimulatedContainer {
  /** "prod/web-0, container app" */
  readonly name: string;
  /** Those whose start and end were seen, oldest first. */
  readonly runs: readonly SimulatedRun[];
  /** Its liveness or else its startup probe, as if it failed at every try. */
  readonly probe: FailingProbe | null;
  readonly restart: RestartSpec;
  readonly policy: CrashLoopPolicy;
  readonly explained: PolicyExplanation;
  /** `syncFrequency` of its kubelet; null if unknown. */
  readonly syncFrequencyMs: number | null;
}

/** Which of what was seen. */
interface Choice {
  /** The pods are those of one target: any of them will do. Else there may only be one. */
  readonly isNamed: boolean;
  /** Undefined: the one with the most restarts. */
  readonly container: string | undefined;
}

/** The container that is meant, of the pod with the most restarts. A UserError where there is none, or pods at random. */
export function simulatedContainer(
  observation: Observation,
  explanation: Explanation,
  choice: Choice,
  overrides: PolicyOverrides,
): SimulatedContainer {
  const explained = onePod(explanation, choice.isNamed);
  const observed = observation.pods[explanation.pods.indexOf(explained)];
  const { name: chosen } = oneContainer(explained, choice.container);
  const spec = observed?.pod.containers.find((candidate) => candidate.name === chosen);
  if (observed === undefined || spec === undefined) throw new Error(`Explained, but not seen: ${chosen}`);
  const policy = policyInForce(observed, explained.policy, overrides, explanation);
  const name = `${explained.namespace}/${explained.name}, container ${chosen}`;
  return {
    ...{ name, policy, explained: explained.policy },
    runs: seenRunsOf(factsOf(spec, observed, policy)),
    probe: failingProbe(spec, observed.pod.gracePeriodMs),
    restart: restartSpecOf(spec, observed.pod),
    syncFrequencyMs: observed.kubeletConfig?.syncFrequencyMs ?? null,
  };
}

function onePod({ pods }: Explanation, isNamed: boolean): PodExplanation {
  const [most] = pods.toSorted((a, b) => restartsOf(b) - restartsOf(a));
  if (most !== undefined && (isNamed || pods.length === 1)) return most;
  throw new UserError(
    "severalPods",
    pods.map(({ name }) => name),
  );
}

function restartsOf({ containers }: PodExplanation): number {
  return Math.max(0, ...containers.map(({ restartCount }) => restartCount));
}

function oneContainer(pod: PodExplanation, name: string | undefined): ContainerExplanation {
  const { containers } = pod;
  const [most] = [...containers].sort((a, b) => b.restartCount - a.restartCount);
  const chosen = name === undefined ? most : containers.find((container) => container.name === name);
  if (chosen !== undefined) return chosen;
  throw new UserError(
    "noSuchContainer",
    name ?? "",
    pod.name,
    containers.map((container) => container.name),
  );
}

/** The policy that the explanation goes by, with the looks of the node's own configuration. */
export function policyInForce(
  observed: PodObservation,
  explained: PolicyExplanation,
  overrides: PolicyOverrides,
  now: Now,
): CrashLoopPolicy {
  const { initialMs, maxMs, resetAfterMs } = explained;
  return { ...policyOf(observed, overrides, now).policy, initialMs, maxMs, resetAfterMs };
}

/** The runs whose start and end are known. */
export function seenRunsOf({ runs }: ContainerFacts): SimulatedRun[] {
  return runs.flatMap(({ startedAtMs, finishedAtMs, exit, cause }) => {
    if (finishedAtMs === null || exit === null) return [];
    const ranMs = Math.max(0, finishedAtMs - (startedAtMs ?? finishedAtMs));
    return [{ ranMs, exitCode: exit.exitCode, ending: endingOf(cause.cause, cause.killedBySync) }];
  });
}

function endingOf(cause: string, killedBySync: number): Ending {
  if (cause === "post-start-hook") return "post-start-hook";
  if (killedBySync <= 0.5) return "exited";
  return cause === "startup-probe" ? "startup-probe" : "liveness-probe";
}

function failingProbe(spec: ContainerSpec, podGraceMs: number): FailingProbe | null {
  if (spec.livenessProbe !== null) return failing("liveness-probe", spec.livenessProbe, podGraceMs);
  return spec.startupProbe === null ? null : failing("startup-probe", spec.startupProbe, podGraceMs);
}

function failing(kind: FailingProbe["kind"], probe: Probe, podGraceMs: number): FailingProbe {
  const { initialDelayMs, periodMs, failureThreshold, gracePeriodMs } = probe;
  const settings = { initialDelayMs, periodMs, failureThreshold, graceMs: gracePeriodMs ?? podGraceMs };
  return { kind, ...settings, ignoresTerm: false, failsAfterMs: 0, phaseMs: null };
}
