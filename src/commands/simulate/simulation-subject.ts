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
import { type CrashLoopPolicy, NEWEST_KNOWN_VERSION } from "../../kubelet/policy.ts";
import type { RestartSpec } from "../../kubelet/restart-policy.ts";
import { parseKubeletVersion } from "../../kubelet/version.ts";
import type { RunsOrigin } from "../../render/simulation/simulation-report.ts";
import { type KubeletSettings, policyUnder } from "../../simulate/kubelet-settings.ts";
import { seededRandom } from "../../simulate/seeded-random.ts";
import {
  type Ending,
  exitingRuns,
  type FailingProbe,
  inOrder,
  probedRuns,
  type RunSource,
  type SimulatedRun,
  type VariedLength,
} from "../../simulate/simulated-run.ts";
import type { KubeletValues } from "../flags/flags.ts";
import { refuseUnknown } from "../flags/simulation-configurations.ts";
import type { SimulateValues } from "../flags/simulation-flags.ts";

/** What is simulated: from flags, from a container that was seen, or from both; flags come first. */
export interface Subject {
  readonly container: string | null;
  readonly runs: RunsOrigin;
  /** A new source of the same runs: each configuration has the same. */
  readonly runSource: () => RunSource;
  readonly restart: RestartSpec;
  readonly policy: CrashLoopPolicy;
  readonly explained: PolicyExplanation;
  readonly settings: KubeletSettings;
}

const DEFAULT_RUN: VariedLength = { ms: 10_000, spreadMs: 0 };
const DEFAULT_SEED = 1;

/** Puts together what is simulated. A UserError where the container that was seen tells nothing of its runs. */
export function subjectOf(flags: SimulateValues & KubeletValues, seen: SimulatedContainer | null): Subject {
  const runs = runsOf(flags, seen);
  const podPolicy = flags["restart-policy"];
  const type = seen?.restart.type ?? "app";
  const given = { type, podPolicy: podPolicy ?? "Always", containerPolicy: null, rules: [] };
  return {
    container: seen?.name ?? null,
    runs,
    runSource: () => sourceOf(runs, flags),
    restart: podPolicy === undefined && seen !== null ? seen.restart : given,
    ...kubeletOf(flags, seen),
  };
}

function runsOf(flags: SimulateValues & KubeletValues, seen: SimulatedContainer | null): RunsOrigin {
  const given = flags.liveness ?? flags.startup;
  if (given !== undefined) return { kind: "probe", probe: given };
  const exitCode = flags["exit-code"] ?? 1;
  if (flags.run !== undefined || seen === null)
    return { kind: "lengths", lengths: flags.run ?? [DEFAULT_RUN], exitCode };
  if (seen.runs.length > 0) return { kind: "seen", runs: withExitCode(seen.runs, flags["exit-code"]) };
  if (seen.probe !== null) return { kind: "probe", probe: seen.probe };
  throw new UserError("nothingToSimulate", seen.name);
}

function withExitCode<T extends { readonly exitCode: number }>(runs: readonly T[], exitCode: number | undefined): T[] {
  return runs.map((run) => ({ ...run, exitCode: exitCode ?? run.exitCode }));
}

function sourceOf(runs: RunsOrigin, flags: SimulateValues & KubeletValues): RunSource {
  const random = seededRandom(flags.seed ?? DEFAULT_SEED, "runs");
  switch (runs.kind) {
    case "lengths":
      return exitingRuns(runs.lengths, runs.exitCode, random);
    case "probe":
      return probedRuns(runs.probe, flags["exit-code"] ?? null, flags.seed === undefined ? null : random);
    case "seen":
      return inOrder(runs.runs);
  }
}

function kubeletOf(flags: SimulateValues & KubeletValues, seen: SimulatedContainer | null) {
  const version = flags["kubelet-version"] ?? seen?.explained.kubeletVersion ?? null;
  const settings: KubeletSettings = {
    version: (version === null ? null : parseKubeletVersion(version)) ?? NEWEST_KNOWN_VERSION,
    maxRestartPeriodMs: flags["max-restart-period"] ?? null,
    reducedDecay: flags["reduced-decay"] ?? false,
    syncFrequencyMs: seen?.syncFrequencyMs ?? null,
  };
  const { major, minor } = settings.version;
  if (settings.maxRestartPeriodMs !== null)
    refuseUnknown("max-restart-period", `${settings.maxRestartPeriodMs / 1000}s`, settings);
  if (settings.reducedDecay) refuseUnknown("reduced-decay", "", settings);
  if (seen !== null) return { policy: seen.policy, explained: seen.explained, settings };
  const policy = policyUnder(settings);
  const isGiven = settings.reducedDecay || settings.maxRestartPeriodMs !== null;
  const basis = isGiven ? ("flag" as const) : ("version" as const);
  return { policy, explained: explainedPolicy(policy, version ?? `v${major}.${minor}`, basis), settings };
}

/** A policy as the machine form and the notes tell it. */
export function explainedPolicy(
  { initialMs, maxMs, resetAfterMs, retry }: CrashLoopPolicy,
  kubeletVersion: string | null,
  basis: PolicyExplanation["basis"],
): PolicyExplanation {
  return { initialMs, maxMs, resetAfterMs, retry: retry.kind, kubeletVersion, basis };
}

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
