import { UserError } from "../../errors.ts";
import type {
  ContainerExplanation,
  Explanation,
  PodExplanation,
  PolicyExplanation,
} from "../../explain/answer/explanation.ts";
import type { Explained } from "../../explain/explain.ts";
import { restartSpecOf } from "../../explain/history/restart-rules.ts";
import type { ContainerSpec, Probe } from "../../explain/observed/observation.ts";
import type { ReplayedContainer } from "../../explain/replay/replayed-container.ts";
import type { CrashLoopPolicy } from "../../kubelet/crash-loop-policy.ts";
import type { RestartSpec } from "../../kubelet/restart-policy.ts";
import { NEWEST_KNOWN_VERSION, parseKubeletVersion } from "../../kubelet/versions.ts";
import type { RunsOrigin } from "../../render/simulation/simulation-report.ts";
import { seededRandom } from "../../simulate/seeded-random.ts";
import {
  exitingRuns,
  type FailingProbe,
  probedRuns,
  type RunEnd,
  type RunSource,
  repeatingLast,
  type SimulatedRun,
  type VariedLength,
} from "../../simulate/simulated-run.ts";
import { withOneContainer } from "../base/one-container.ts";
import type { KubeletValues } from "../flags/flags.ts";
import { configured, type KubeletSettings } from "../flags/simulation-configurations.ts";
import type { SimulateValues } from "../flags/simulation-flags.ts";

export interface SimulationSubject {
  readonly container: string | null;
  readonly runs: RunsOrigin;
  /** Returns a new source of the same runs. */
  readonly runSource: () => RunSource;
  readonly restart: RestartSpec;
  readonly policy: CrashLoopPolicy;
  readonly explained: PolicyExplanation;
  readonly settings: KubeletSettings;
}

const DEFAULT_RUN: VariedLength = { ms: 10_000, spreadMs: 0 };
const DEFAULT_SEED = 1;

/** Some flags take precedence over `imitated`, e.g. --run over the runs of `imitated`. */
export function subjectOf(
  flags: SimulateValues & KubeletValues,
  imitated: ImitatedContainer | null,
): SimulationSubject {
  const runs = runsOf(flags, imitated);
  const podPolicy = flags["restart-policy"];
  const type = imitated?.restart.type ?? "app";
  const given = { type, podPolicy: podPolicy ?? "Always", containerPolicy: null, rules: [] };
  return {
    container: imitated?.name ?? null,
    runs,
    runSource: () => sourceOf(runs, flags),
    restart: podPolicy === undefined && imitated !== null ? imitated.restart : given,
    ...kubeletOf(flags, imitated),
  };
}

function runsOf(flags: SimulateValues, imitated: ImitatedContainer | null): RunsOrigin {
  const given = flags.liveness ?? flags.startup;
  if (given !== undefined) return { kind: "probe", probe: given };
  const { run: lengths, "exit-code": exitCode } = flags;
  if (lengths !== undefined || imitated === null)
    return { kind: "lengths", lengths: lengths ?? [DEFAULT_RUN], exitCode: exitCode ?? 1 };
  if (imitated.runs.length > 0)
    return { kind: "observed", runs: imitated.runs.map((run) => ({ ...run, exitCode: exitCode ?? run.exitCode })) };
  if (imitated.probe !== null) return { kind: "probe", probe: imitated.probe };
  throw new UserError("nothingToSimulate", imitated.name);
}

function sourceOf(runs: RunsOrigin, flags: SimulateValues): RunSource {
  const random = seededRandom(flags.seed ?? DEFAULT_SEED, "runs");
  switch (runs.kind) {
    case "lengths":
      return exitingRuns(runs.lengths, runs.exitCode, random);
    case "probe":
      return probedRuns(runs.probe, flags["exit-code"] ?? null, flags.seed === undefined ? null : random);
    case "observed":
      return repeatingLast(runs.runs);
  }
}

function kubeletOf(flags: KubeletValues, imitated: ImitatedContainer | null) {
  const version = flags["kubelet-version"] ?? imitated?.explained.kubeletVersion ?? null;
  const settings: KubeletSettings = {
    version: parseKubeletVersion(version ?? "") ?? NEWEST_KNOWN_VERSION,
    maxRestartPeriodMs: flags["max-restart-period"] ?? null,
    reducedDecay: flags["reduced-decay"] ?? false,
    syncFrequencyMs: imitated?.syncFrequencyMs ?? null,
  };
  const { major, minor } = settings.version;
  const { policy, explained } = { ...configured(settings, version ?? `v${major}.${minor}`, null), ...imitated };
  return { policy, explained, settings };
}

export interface ImitatedContainer extends Pick<SimulationSubject, "restart" | "policy" | "explained"> {
  readonly name: string;
  readonly runs: readonly SimulatedRun[];
  /** The container's liveness probe, else its startup probe, as if the probe always failed. */
  readonly probe: FailingProbe | null;
  readonly syncFrequencyMs: number | null;
}

export function imitatedContainer(
  { explanation, cases }: Explained,
  wanted: { readonly isNamed: boolean; readonly container: string | undefined },
): ImitatedContainer {
  const explained = podWithMostRestarts(explanation, wanted.isNamed);
  const context = cases[explanation.pods.indexOf(explained)]?.context;
  const { pods } = withOneContainer({ ...explanation, pods: [explained] }, wanted.container);
  const [most] = mostRestartsFirst(pods[0]?.containers ?? []);
  if (most === undefined) throw new UserError("noSuchContainer", "", explained.name, []);
  const { name } = most;
  const facts = context?.containers.find((candidate) => candidate.facts.spec.name === name)?.facts;
  if (context === undefined || facts === undefined) throw new Error(`Explained, but not observed: ${name}`);
  const { observed, policy } = context;
  const { spec } = facts;
  return {
    name: `${explained.namespace}/${explained.name}, container ${name}`,
    policy,
    explained: explained.policy,
    runs: observedRuns(facts),
    probe: failingProbe(spec, observed.pod.gracePeriodMs),
    restart: restartSpecOf(spec, observed.pod),
    syncFrequencyMs: observed.kubeletConfig?.syncFrequencyMs ?? null,
  };
}

function podWithMostRestarts({ pods }: Explanation, isNamed: boolean): PodExplanation {
  const restartsOf = ({ containers }: PodExplanation): number => mostRestartsFirst(containers)[0]?.restartCount ?? 0;
  const [most] = pods.toSorted((a, b) => restartsOf(b) - restartsOf(a));
  if (most !== undefined && (isNamed || pods.length === 1)) return most;
  const names = pods.map(({ name }) => name);
  throw new UserError("severalPods", names);
}

function mostRestartsFirst(containers: readonly ContainerExplanation[]): ContainerExplanation[] {
  return containers.toSorted((a, b) => b.restartCount - a.restartCount);
}

function observedRuns({ runs }: ReplayedContainer): SimulatedRun[] {
  return runs.flatMap(({ startedAtMs, finishedAtMs, exit, cause }) => {
    if (finishedAtMs === null || exit === null) return [];
    const ranMs = Math.max(0, finishedAtMs - (startedAtMs ?? finishedAtMs));
    return [{ ranMs, exitCode: exit.exitCode, ending: endingOf(cause.cause, cause.killedBySync) }];
  });
}

function endingOf(cause: string, killedBySync: number): RunEnd {
  if (cause === "post-start-hook") return "post-start-hook";
  if (killedBySync <= 0.5) return "exited";
  return cause === "startup-probe" ? "startup-probe" : "liveness-probe";
}

function failingProbe({ livenessProbe, startupProbe }: ContainerSpec, podGraceMs: number): FailingProbe | null {
  if (livenessProbe !== null) return failing("liveness-probe", livenessProbe, podGraceMs);
  return startupProbe && failing("startup-probe", startupProbe, podGraceMs);
}

function failing(kind: FailingProbe["kind"], probe: Probe, podGraceMs: number): FailingProbe {
  const { initialDelayMs, periodMs, failureThreshold, gracePeriodMs } = probe;
  const settings = { initialDelayMs, periodMs, failureThreshold, graceMs: gracePeriodMs ?? podGraceMs };
  return { kind, ...settings, ignoresTerm: false, failsAfterMs: 0, phaseMs: null };
}
