import manifest from "../../../package.json" with { type: "json" };
import { UserError } from "../../errors.ts";
import type { Observation } from "../../explain/observed/observation.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { type ReportRequest, reportOf } from "../../report/report.ts";
import { MODELED_MINORS } from "../flags/flag-values.ts";
import type { KubeletValues } from "../flags/flags.ts";
import { writeNewFile } from "../flags/new-file.ts";

/** A report of the only pod of an observation. A UserError of usage where there is another number of them. */
export function reportText(observation: Observation, flags: KubeletValues): string {
  const [observed, ...others] = observation.pods;
  const count = observation.pods.length;
  if (observed === undefined || others.length > 0)
    throw new UserError("needsOnePod", "--report", count, "explain POD --report FILE");
  return reportOf(observed, observation, requestOf(flags));
}

/** What a report says of the program that wrote it. */
export function requestOf(flags: KubeletValues): ReportRequest {
  const { oldest, newest } = MODELED_MINORS;
  return { program: manifest.version, model: `v1.${oldest} to v1.${newest}`, flags: given(flags) };
}

function given(flags: KubeletValues): string[] {
  const { "kubelet-version": version, "max-restart-period": periodMs } = flags;
  return [
    ...(version === undefined ? [] : [`--kubelet-version=${version}`]),
    ...(periodMs === undefined ? [] : [`--max-restart-period=${formatBriefDuration(periodMs)}`]),
    ...(flags["reduced-decay"] === true ? ["--reduced-decay"] : []),
  ];
}

/** Writes a report to a file that is not there yet; the result says what to do with it. */
export function writeReport(file: string, text: string): string {
  writeNewFile("report", file, text);
  return `Wrote ${file}. ${TO_LOOK_AT}`;
}

/** What a report has and has not, in a sentence, for whoever is about to send one. */
export const TO_LOOK_AT =
  "Names, images and addresses in it are made up and texts removed; times, counts, exit codes, probes and versions are " +
  "real: look through it before you send it.";
