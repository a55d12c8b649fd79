import { UserError } from "../../errors.ts";
import type { PolicyExplanation } from "../../explain/answer/explanation.ts";
import { type CrashLoopPolicy, crashLoopPolicy } from "../../kubelet/crash-loop-policy.ts";
import { GATES, isAtLeast, type KubeletVersion, parseKubeletVersion } from "../../kubelet/versions.ts";
import { KUBELET_VERSION, RESTART_PERIOD, type ValueForm, valueIn } from "./flag-values.ts";

export interface KubeletSettings {
  readonly version: KubeletVersion;
  /** `crashLoopBackOff.maxContainerRestartPeriod`; null for the default of the version. */
  readonly maxRestartPeriodMs: number | null;
  /** The feature gate ReduceDefaultCrashLoopBackOffDecay. */
  readonly reducedDecay: boolean;
  readonly syncFrequencyMs: number | null;
}

export function policyUnder(settings: KubeletSettings): CrashLoopPolicy {
  const { version, maxRestartPeriodMs, reducedDecay, syncFrequencyMs } = settings;
  const featureGates: Record<string, boolean> = { ReduceDefaultCrashLoopBackOffDecay: reducedDecay };
  if (maxRestartPeriodMs !== null) featureGates["KubeletCrashLoopBackOffMax"] = true;
  return crashLoopPolicy({ version, featureGates, maxContainerRestartPeriodMs: maxRestartPeriodMs, syncFrequencyMs });
}

/** A configuration of --compare, e.g. "v1.34+reduced". "as-is" is that of the pod's kubelet. */
interface NamedChanges {
  readonly name: string;
  readonly version: string | null;
  readonly maxRestartPeriodMs: number | null;
  readonly reducedDecay: boolean;
}

export interface NamedPolicy {
  readonly name: string;
  readonly policy: CrashLoopPolicy;
  readonly explained: PolicyExplanation;
}

const MOST_CONFIGURATIONS = 12;

const FORM =
  "configurations such as default, max=60s, reduced or v1.34, with commas between; + joins several into one: v1.34+reduced";

export const CONFIGURATIONS: ValueForm<NamedChanges[]> = {
  read: (text) => {
    const names = [...new Set(text.split(",").map((name) => name.trim()))];
    return names.length > MOST_CONFIGURATIONS ? null : names.map(changesOf);
  },
  expected: `at most ${MOST_CONFIGURATIONS} configurations`,
};

function changesOf(name: string): NamedChanges {
  const unchanged = { name, version: null, maxRestartPeriodMs: null, reducedDecay: false };
  if (name === "default" || name === "as-is") return unchanged;
  const parts = name.split("+").map((part) => changeOf(part));
  if (parts.includes(null)) throw new UserError("badFlag", "compare", name, FORM);
  return Object.assign({}, unchanged, ...parts);
}

function changeOf(part: string): Partial<NamedChanges> | null {
  if (part === "reduced") return { reducedDecay: true };
  const [, maximum] = /^max=(.*)$/.exec(part) ?? [];
  if (maximum !== undefined) {
    const maxRestartPeriodMs = RESTART_PERIOD.read(maximum);
    if (maxRestartPeriodMs !== null) return { maxRestartPeriodMs };
    throw new UserError("badFlag", "compare", part, `max= and ${RESTART_PERIOD.expected}`);
  }
  return /^v?\d/.test(part) ? { version: valueIn("compare", part, KUBELET_VERSION) } : null;
}

export function policiesOf(
  configurations: readonly NamedChanges[],
  asIs: Omit<NamedPolicy, "name">,
  settings: KubeletSettings,
): NamedPolicy[] {
  return configurations.map(({ name, version: text, maxRestartPeriodMs, reducedDecay }) => {
    if (name === "as-is") return { ...asIs, name };
    const version = parseKubeletVersion(text ?? "") ?? settings.version;
    const changed = { ...settings, version, maxRestartPeriodMs, reducedDecay };
    refuseUnknown("compare", name, changed);
    const policy = policyUnder(changed);
    return { name, policy, explained: explainedPolicy(policy, text ?? asIs.explained.kubeletVersion, changed) };
  });
}

/** Returns a policy as the output shows it. If `settings` contain a changed setting, the policy's basis is "flag". */
export function explainedPolicy(
  { initialMs, maxMs, resetAfterMs, retry }: CrashLoopPolicy,
  kubeletVersion: string | null,
  settings: Pick<KubeletSettings, "maxRestartPeriodMs" | "reducedDecay">,
): PolicyExplanation {
  const basis = settings.maxRestartPeriodMs !== null || settings.reducedDecay ? "flag" : "version";
  return { initialMs, maxMs, resetAfterMs, retry: retry.kind, kubeletVersion, basis };
}

/** Throws a usage error for a setting that the kubelet's version does not have: the kubelet would ignore it. */
export function refuseUnknown(flag: string, value: string, settings: KubeletSettings): void {
  const { version, maxRestartPeriodMs, reducedDecay } = settings;
  const unknown = [
    { setting: "maxContainerRestartPeriod", isSet: maxRestartPeriodMs !== null, gate: "KubeletCrashLoopBackOffMax" },
    {
      setting: "ReduceDefaultCrashLoopBackOffDecay",
      isSet: reducedDecay,
      gate: "ReduceDefaultCrashLoopBackOffDecay",
    },
  ] as const;
  for (const { setting, isSet, gate } of unknown) {
    const since = GATES[gate].alpha;
    if (!isSet || isAtLeast(version, since)) continue;
    const expected = `v1.${since} or newer with it: v${version.major}.${version.minor} has no ${setting}`;
    throw new UserError("badFlag", flag, value, expected);
  }
}
