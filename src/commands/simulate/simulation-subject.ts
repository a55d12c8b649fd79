import { UserError } from "../../errors.ts";
import type { PolicyExplanation } from "../../explain/answer/explanation.ts";
import { type CrashLoopPolicy, NEWEST_KNOWN_VERSION } from "../../kubelet/policy.ts";
import type { RestartSpec } from "../../kubelet/restart-policy.ts";
import { parseKubeletVersion } from "../../kubelet/version.ts";
import type { RunsOrigin } from "../../render/simulation/simulation-report.ts";
import { type KubeletSettings, policyUnder } from "../../simulate/kubelet-settings.ts";
import { seededRandom } from "../../simulate/seeded-random.ts";
import { exitingRuns, inOrder, probedRuns, type RunSource, type VariedLength } from "../../simulate/simulated-run.ts";
import type { KubeletValues } from "../flags/flags.ts";
import { refuseUnknown } from "../flags/simulation-configurations.ts";
import type { SimulateValues } from "../flags/simulation-flags.ts";
import type { SimulatedContainer } from "./simulated-container.ts";

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
