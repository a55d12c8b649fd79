import { UserError } from "../../errors.ts";
import type { PolicyExplanation } from "../../explain/answer/explanation.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import { parseKubeletVersion } from "../../kubelet/version.ts";
import { type KubeletSettings, policyUnder, unknownSetting } from "../../simulate/kubelet-settings.ts";
import { KUBELET_VERSION, RESTART_PERIOD, type ValueForm, valueIn } from "./flag-values.ts";

/** A configuration to compare with: its name as it was given, and what it changes of a kubelet's defaults. */
export interface NamedChanges {
  readonly name: string;
  /** As it is: nothing of the given kubelet is changed, not even back to the defaults. */
  readonly isAsIs: boolean;
  /** "v1.34"; null: the version stays. */
  readonly version: string | null;
  readonly maxRestartPeriodMs: number | null;
  readonly reducedDecay: boolean;
}

/** A policy under a name, to stand above a column. */
export interface NamedPolicy {
  readonly name: string;
  readonly policy: CrashLoopPolicy;
  /** "v1.34", as far as it is known. */
  readonly kubeletVersion: string | null;
  readonly basis: PolicyExplanation["basis"];
}

const MOST_CONFIGURATIONS = 12;

const FORM =
  "configurations such as default, max=60s, reduced or v1.34, with commas between; + joins several into one: v1.34+reduced";

/** "default,max=60s,reduced,v1.34": each is the defaults of the kubelet's version with that changed. */
export function configurationsForm(flag: string): ValueForm<NamedChanges[]> {
  return {
    read: (text) => {
      const names = [...new Set(text.split(",").map((name) => name.trim()))];
      return names.length > MOST_CONFIGURATIONS ? null : names.map((name) => changesOf(flag, name));
    },
    expected: `at most ${MOST_CONFIGURATIONS} configurations`,
  };
}

function changesOf(flag: string, name: string): NamedChanges {
  const unchanged = { name, isAsIs: false, version: null, maxRestartPeriodMs: null, reducedDecay: false };
  if (name === "default") return unchanged;
  if (name === "as-is") return { ...unchanged, isAsIs: true };
  const parts = name.split("+").map((part) => changeOf(flag, part));
  if (parts.includes(null)) throw new UserError("badFlag", flag, name, FORM);
  return Object.assign({}, unchanged, ...parts);
}

function changeOf(flag: string, part: string): Partial<NamedChanges> | null {
  if (part === "reduced") return { reducedDecay: true };
  if (part.startsWith("max=")) return { maxRestartPeriodMs: valueIn(flag, part.slice(4), RESTART_PERIOD) };
  return /^v?\d/.test(part) ? { version: valueIn(flag, part, KUBELET_VERSION) } : null;
}

/** The policies of the configurations, for a kubelet of this version and, where something is as it is, of this policy. */
export function policiesOf(
  flag: string,
  configurations: readonly NamedChanges[],
  asIs: NamedPolicy,
  settings: KubeletSettings,
): NamedPolicy[] {
  return configurations.map(({ name, isAsIs, version, maxRestartPeriodMs, reducedDecay }) => {
    if (isAsIs) return { ...asIs, name };
    const changed = {
      ...settings,
      ...{ maxRestartPeriodMs, reducedDecay },
      version: (version === null ? null : parseKubeletVersion(version)) ?? settings.version,
    };
    refuseUnknown(flag, name, changed);
    const basis = maxRestartPeriodMs !== null || reducedDecay ? ("flag" as const) : ("version" as const);
    return { name, policy: policyUnder(changed), kubeletVersion: version ?? asIs.kubeletVersion, basis };
  });
}

/** Refuses settings that the version does not have: they would be ignored. */
export function refuseUnknown(flag: string, value: string, settings: KubeletSettings): void {
  const unknown = unknownSetting(settings);
  if (unknown === null) return;
  const setting = unknown.what === "max" ? "maxContainerRestartPeriod" : "ReduceDefaultCrashLoopBackOffDecay";
  const { major, minor } = settings.version;
  const expected = `a kubelet from v1.${unknown.since} on with it: v${major}.${minor} has no ${setting}`;
  throw new UserError("badFlag", flag, value, expected);
}
