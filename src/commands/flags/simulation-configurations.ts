import { UserError } from "../../errors.ts";
import type { PolicyExplanation } from "../../explain/answer/explanation.ts";
import { type CrashLoopPolicy, crashLoopPolicy } from "../../kubelet/crash-loop-policy.ts";
import { GATES, isAtLeast, type KubeletVersion, parseKubeletVersion } from "../../kubelet/versions.ts";
import { KUBELET_VERSION, RESTART_PERIOD, type ValueForm, valueIn } from "./flag-values.ts";

export interface KubeletSettings {
  readonly version: KubeletVersion;
  /** `crashLoopBackOff.maxContainerRestartPeriod`; null for the default of the kubelet's version. */
  readonly maxRestartPeriodMs: number | null;
  readonly reducedDecay: boolean;
  readonly syncFrequencyMs: number | null;
}

/** A configuration of --compare, e.g. "v1.34+reduced". If `name` is "as-is", `policiesOf` ignores the other fields. */
interface NamedChanges {
  readonly name: string;
  readonly version: string | null;
  readonly maxRestartPeriodMs: number | null;
  readonly reducedDecay: boolean;
}

interface Configured {
  readonly policy: CrashLoopPolicy;
  readonly explained: PolicyExplanation;
}

export type NamedPolicy = Configured & Pick<NamedChanges, "name">;

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
  asIs: Configured,
  settings: KubeletSettings,
): NamedPolicy[] {
  return configurations.map(({ name, version: text, maxRestartPeriodMs, reducedDecay }) => {
    if (name === "as-is") return { ...asIs, name };
    const version = parseKubeletVersion(text ?? "") ?? settings.version;
    const changed = { ...settings, version, maxRestartPeriodMs, reducedDecay };
    return { name, ...configured(changed, text ?? asIs.explained.kubeletVersion, name) };
  });
}

/**
 * Throws a UserError for a setting that the kubelet's version does not have. `compare`: the configuration's name in
 * --compare, if any.
 */
export function configured(
  { version, maxRestartPeriodMs, reducedDecay, syncFrequencyMs }: KubeletSettings,
  kubeletVersion: string | null,
  compare: string | null,
): Configured {
  const maximum = { flag: "max-restart-period", value: `${(maxRestartPeriodMs ?? 0) / 1000}s` };
  const set = [
    ...(maxRestartPeriodMs === null ? [] : [{ ...maximum, gate: MAX, setting: "maxContainerRestartPeriod" } as const]),
    ...(reducedDecay ? [{ flag: "reduced-decay", value: "true", gate: REDUCED, setting: REDUCED } as const] : []),
  ];
  for (const { flag, value, gate, setting } of set) {
    const since = GATES[gate].alpha;
    if (isAtLeast(version, since)) continue;
    const expected = `v1.${since} or newer with it: v${version.major}.${version.minor} has no ${setting}`;
    throw new UserError("badFlag", compare === null ? flag : "compare", compare ?? value, expected);
  }
  const featureGates = { [REDUCED]: reducedDecay, ...(maxRestartPeriodMs !== null && { [MAX]: true }) };
  const settings = { version, featureGates, maxContainerRestartPeriodMs: maxRestartPeriodMs, syncFrequencyMs };
  const policy = crashLoopPolicy(settings);
  const { initialMs, maxMs, resetAfterMs, retry } = policy;
  const basis = set.length > 0 ? "flag" : "version";
  return { policy, explained: { initialMs, maxMs, resetAfterMs, retry: retry.kind, kubeletVersion, basis } };
}

const MAX = "KubeletCrashLoopBackOffMax";
const REDUCED = "ReduceDefaultCrashLoopBackOffDecay";
