import type { ContainerExplanation, ContainerLogs, PodExplanation } from "../../explain/answer/explanation.ts";
import type { Page } from "../page/page.ts";
import { paint } from "../page/paint.ts";
import { byUrgency } from "../page/trouble.ts";
import { displayWidth, shorten, wrap } from "../page/width.ts";

const LABEL = "Says";
const LABEL_WIDTH = 11;
const GAP = "  ";

/** Of a longer line the beginning and the end are shown. */
const MOST_COLUMNS = 240;

/** With less room than this beside the label, the lines begin below it, and indentation gives way. */
const LEAST_COLUMNS = 16;

export interface ShownLog {
  readonly container: ContainerExplanation;
  readonly logs: ContainerLogs;
}

/** The containers of a pod whose logs were read, the most urgent first. */
export function logsOf({ containers }: PodExplanation): ShownLog[] {
  return byUrgency(containers).flatMap((container) => {
    return container.logs === undefined ? [] : [{ container, logs: container.logs }];
  });
}

/** Which lines these are: "last 5 log lines", with the container's name where there are several. */
export function logTitle({ container, logs }: ShownLog, { containers }: Pick<PodExplanation, "containers">): string {
  const { lines, instance, isTruncated } = logs;
  const whose = containers.length > 1 ? ` of ${container.name}` : "";
  const count = lines.length === 1 ? `last log line${whose}` : `last ${lines.length} log lines${whose}`;
  const remarks = [
    ...(instance === "running" ? ["it runs"] : []),
    ...(isTruncated ? ["cut because it is too long"] : []),
  ];
  return [count, ...remarks].join(", ");
}

export function emptyLog({ container, logs }: ShownLog, { containers }: Pick<PodExplanation, "containers">): string {
  const who = containers.length > 1 ? `${container.name} has printed nothing` : "nothing";
  return logs.instance === "running" ? `${who} so far` : `${who} before its exit`;
}

/** The last words of a pod's containers: lines as they are, the last one with a remark on how many there are. */
export function logBlock(pod: PodExplanation, page: Page): string[] {
  return logsOf(pod).flatMap((log) => {
    if (log.logs.lines.length === 0) return beside(wrap(emptyLog(log, pod), widthBeside(page)), page);
    const lines = log.logs.lines.flatMap((line) => laidOut(line, widthBeside(page)));
    return beside(withRemark(lines, `(${logTitle(log, pod)})`, page), page);
  });
}

function leftOf({ columns }: Page): number {
  return columns - LABEL_WIDTH < LEAST_COLUMNS ? 2 : LABEL_WIDTH;
}

function widthBeside(page: Page): number {
  return page.columns - leftOf(page);
}

function beside(lines: readonly string[], page: Page): string[] {
  const left = leftOf(page);
  const indented = lines.map((line) => `${" ".repeat(left)}${line}`.trimEnd());
  const [first = "", ...others] = indented;
  return left === LABEL_WIDTH ? [LABEL + first.slice(LABEL.length), ...others] : [LABEL, ...indented];
}

/** One line of a log on as many lines as it takes, each with its indentation. */
function laidOut(line: string, width: number): string[] {
  const text = line.trimStart();
  const margin = " ".repeat(Math.max(0, Math.min(line.length - text.length, width - LEAST_COLUMNS)));
  const broken = wrap(shorten(text, MOST_COLUMNS), width - margin.length);
  return broken.length === 0 ? [""] : broken.map((piece) => margin + piece);
}

/** Behind the last line, or below it where there is no room. */
function withRemark(lines: readonly string[], remark: string, page: Page): string[] {
  const last = lines.at(-1) ?? "";
  const quiet = paint(remark, "quiet", page.color);
  const room = widthBeside(page) - displayWidth(last) - displayWidth(remark);
  if (room < GAP.length)
    return [...lines, ...wrap(remark, widthBeside(page)).map((line) => paint(line, "quiet", page.color))];
  return [...lines.slice(0, -1), last + GAP + quiet];
}
