import type { ExplainOptions } from "../../explain/explain.ts";

/** What the flags say of the kubelet; what they do not say stays open. */
export function kubeletOptions(flags: {
  readonly "kubelet-version"?: string | undefined;
  readonly "max-restart-period"?: number | undefined;
  readonly "reduced-decay"?: boolean | undefined;
}): ExplainOptions {
  const {
    "kubelet-version": kubeletVersion,
    "max-restart-period": maxRestartPeriodMs,
    "reduced-decay": reducedDecay,
  } = flags;
  return {
    ...(kubeletVersion !== undefined && { kubeletVersion }),
    ...(maxRestartPeriodMs !== undefined && { maxRestartPeriodMs }),
    ...(reducedDecay === true && { reducedDecay }),
  };
}
