import manifest from "../../../package.json" with { type: "json" };
import { UserError } from "../../errors.ts";
import type { Observation } from "../../explain/observed/observation.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { MODELED_MINORS } from "../../kubelet/versions.ts";
import { type ReportRequest, reportOf } from "../../report/report.ts";
import type { KubeletValues } from "../flags/flags.ts";

export function reportText(observation: Observation, flags: KubeletValues): string {
  const [observed, ...others] = observation.pods;
  const count = observation.pods.length;
  if (observed === undefined || others.length > 0)
    throw new UserError("needsOnePod", "--report", count, "explain POD --report FILE");
  return reportOf(observed, observation, requestOf(flags));
}

export function requestOf(flags: KubeletValues): ReportRequest {
  const { oldest, newest } = MODELED_MINORS;
  const { "kubelet-version": version, "max-restart-period": periodMs } = flags;
  const given = [
    ...(version === undefined ? [] : [`--kubelet-version=${version}`]),
    ...(periodMs === undefined ? [] : [`--max-restart-period=${formatBriefDuration(periodMs)}`]),
    ...(flags["reduced-decay"] === true ? ["--reduced-decay"] : []),
  ];
  return { program: manifest.version, model: `v1.${oldest} to v1.${newest}`, flags: given };
}

export const REPORT_ADVICE =
  "It has names, images and messages as they are, but no commands, values of environment variables or logs: look through it " +
  "before you send it.";
