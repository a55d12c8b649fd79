import { closeSync, openSync, rmSync, writeFileSync } from "node:fs";
import manifest from "../../../package.json" with { type: "json" };
import { systemCause } from "../../cluster/objects/causes.ts";
import { UserError } from "../../errors.ts";
import type { Observation } from "../../explain/observed/observation.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { type ReportRequest, reportOf } from "../../report/report.ts";
import { MODELED_MINORS } from "../flags/flag-values.ts";

/** The flags that an explanation depends on, as far as they are given. */
interface ReportedFlags {
  readonly "kubelet-version"?: string | undefined;
  readonly "max-restart-period"?: number | undefined;
  readonly "reduced-decay"?: boolean | undefined;
}

/** A report of the only pod of an observation. A UserError of usage where there is another number of them. */
export function reportText(observation: Observation, flags: ReportedFlags): string {
  const [observed, ...others] = observation.pods;
  const count = observation.pods.length;
  if (observed === undefined || others.length > 0)
    throw new UserError("needsOnePod", "--report", count, "explain POD --report FILE");
  return reportOf(observed, observation, requestOf(flags));
}

/** What a report says of the program that wrote it. */
export function requestOf(flags: ReportedFlags): ReportRequest {
  const { oldest, newest } = MODELED_MINORS;
  return { program: manifest.version, model: `v1.${oldest} to v1.${newest}`, flags: given(flags) };
}

function given(flags: ReportedFlags): string[] {
  const { "kubelet-version": version, "max-restart-period": periodMs } = flags;
  return [
    ...(version === undefined ? [] : [`--kubelet-version=${version}`]),
    ...(periodMs === undefined ? [] : [`--max-restart-period=${formatBriefDuration(periodMs)}`]),
    ...(flags["reduced-decay"] === true ? ["--reduced-decay"] : []),
  ];
}

/** Only its owner may read it, until it has been read. */
const MODE = 0o600;

/** Writes a report to a file that is not there yet; the result says what to do with it. A UserError if that fails. */
export function writeReport(file: string, text: string): string {
  let written: number | null = null;
  try {
    written = openSync(file, "wx", MODE);
    writeFileSync(written, text);
  } catch (error) {
    if (written !== null) rmSync(file, { force: true });
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw new UserError("fileExists", "report", file);
    throw new UserError("badFile", "report", file, systemCause(error));
  } finally {
    if (written !== null) closeSync(written);
  }
  return `Wrote ${file}. ${TO_LOOK_AT}`;
}

/** What a report has and has not, in a sentence, for whoever is about to send one. */
export const TO_LOOK_AT =
  "Names, images and addresses in it are made up and texts removed; times, counts, exit codes, probes and versions are " +
  "real: look through it before you send it.";
