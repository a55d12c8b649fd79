import type { ContainerExplanation, ContainerLogs, PodExplanation } from "../../explain/answer/explanation.ts";
import { byUrgency } from "../../explain/triage.ts";
import { labelledLines, type Page, withRemark } from "../page/page.ts";
import { paint } from "../page/paint.ts";
import { shorten, wrap } from "../page/width.ts";
import type { AlikePods } from "./groups.ts";

const MOST_COLUMNS = 240;

const TEXT_MIN_COLUMNS = 16;

export interface ShownLog {
  readonly container: ContainerExplanation;
  readonly logs: ContainerLogs;
}

export function logsOf({ containers }: PodExplanation): ShownLog[] {
  return byUrgency(containers).flatMap((container) => {
    const { logs, lastExit } = container;
    // A container that failed to start has written nothing.
    const isTelling = logs !== undefined && (logs.lines.length > 0 || lastExit?.cause !== "start-error");
    return isTelling ? [{ container, logs }] : [];
  });
}

/** In UTF-16 units. A line of a log can have megabytes. */
const LONGEST_LINE = 1_000;

export function briefLine(line: string, cut = 0): string {
  const more = Math.max(0, line.length - LONGEST_LINE) + cut;
  return more === 0 ? line : `${line.slice(0, LONGEST_LINE).toWellFormed()}… (${more} more characters)`;
}

export function logTitle({ container, logs }: ShownLog, { pod, others }: Pick<AlikePods, "pod" | "others">): string {
  const { lines, instance, isTruncated } = logs;
  const names = [...(pod.containers.length > 1 ? [container.name] : []), ...(others.length > 0 ? [pod.name] : [])];
  const whose = names.map((name) => ` of ${name}`).join("");
  const count = lines.length === 1 ? `last log line${whose}` : `last ${lines.length} log lines${whose}`;
  const remarks = [
    ...(instance === "running" ? ["it runs"] : []),
    ...(isTruncated ? ["cut because it is too long"] : []),
  ];
  return [count, ...remarks].join(", ");
}

export function emptyLog({ container, logs }: ShownLog, { containers }: PodExplanation): string {
  const who = containers.length > 1 ? `${container.name} has printed nothing` : "nothing";
  return logs.instance === "running" ? `${who} so far` : `${who} before its exit`;
}

export function logBlock(alike: AlikePods, page: Page): string[] {
  return logsOf(alike.pod).flatMap((log) => {
    return labelledLines("Log", (columns) => linesOf(log, alike, columns, page.color), page.columns);
  });
}

function linesOf(log: ShownLog, alike: AlikePods, columns: number, color: boolean): string[] {
  const lines = log.logs.lines.flatMap((line) => laidOut(line, columns));
  if (lines.length === 0) return wrap(emptyLog(log, alike.pod), columns);
  return withRemark(lines, `(${logTitle(log, alike)})`, columns, (line) => paint(line, "quiet", color));
}

function laidOut(line: string, width: number): string[] {
  const text = line.trimStart();
  const margin = " ".repeat(Math.max(0, Math.min(line.length - text.length, width - TEXT_MIN_COLUMNS)));
  const broken = wrap(shorten(text, MOST_COLUMNS), width - margin.length);
  return broken.length === 0 ? [""] : broken.map((piece) => margin + piece);
}
