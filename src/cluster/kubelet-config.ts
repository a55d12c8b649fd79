import type { KubeletConfig } from "../explain/observed/observation.ts";
import { parseGoDuration } from "../kubelet/go-duration.ts";
import { KUBELET_CONFIG } from "./object-shapes.ts";
import { at, isObject } from "./untrusted.ts";
import { unusableIn } from "./unusable.ts";

/**
 * What a kubelet says of its configuration: the body of /configz (`{ "kubeletconfig": … }`) or a KubeletConfiguration file.
 * `null` if it is neither. A duration that is missing, not a duration or not positive is `null`: the version's default.
 */
export function toKubeletConfig(raw: unknown): KubeletConfig | null {
  const config = isObject(at(raw, "kubeletconfig")) ? at(raw, "kubeletconfig") : raw;
  if (config === raw && at(raw, "kind") !== "KubeletConfiguration") return null;
  return {
    maxContainerRestartPeriodMs: durationOf(at(config, "crashLoopBackOff", "maxContainerRestartPeriod")),
    featureGates: featureGatesOf(at(config, "featureGates")),
    syncFrequencyMs: durationOf(at(config, "syncFrequency")),
    ...unusableIn(config, KUBELET_CONFIG),
  };
}

function durationOf(value: unknown): number | null {
  const durationMs = typeof value === "string" ? parseGoDuration(value) : null;
  return durationMs !== null && durationMs > 0 ? durationMs : null;
}

function featureGatesOf(value: unknown): Record<string, boolean> {
  const entries = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, boolean] => typeof entry[1] === "boolean"));
}
