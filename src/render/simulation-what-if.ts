import type { Explanation, PolicyExplanation } from "../explain/answer/explanation.ts";
import type { Projection } from "../simulate/projection.ts";
import type { Form } from "./forms.ts";
import { explanationToJson, jsonText, policyToJson, windowToJson } from "./json/json.ts";
import { yamlText } from "./json/yaml.ts";
import { narrowedLines } from "./page/columns.ts";
import { formatCountdown } from "./page/durations.ts";
import { harmless } from "./page/harmless.ts";
import { pageColumns, type RenderOptions, textOf } from "./page/page.ts";
import { paint } from "./page/paint.ts";
import { wrap } from "./page/width.ts";
import { RENDERERS } from "./renderers.ts";
import { span } from "./simulation/simulation-words.ts";

/** The future of one container under several configurations of its kubelet. The first is the present configuration. */
export interface WhatIf {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly rows: readonly WhatIfRow[];
}

export interface WhatIfRow {
  readonly name: string;
  readonly policy: PolicyExplanation;
  readonly projection: Projection;
}

export function renderWithWhatIf(
  explanation: Explanation,
  whatIf: readonly WhatIf[],
  output: Form,
  options: RenderOptions,
): string {
  const { atMs } = explanation;
  if (output === "json" || output === "yaml") {
    const json = { ...explanationToJson(explanation), whatIf: whatIf.map(whatIfToJson) };
    return output === "json" ? jsonText(json) : yamlText(json);
  }
  const columns = pageColumns(options);
  const blocks = whatIf.map((container) => block(container, whatIf.length > 1, atMs, { ...options, columns }));
  const told = textOf(blocks.length === 0 ? [wrap(NOTHING, columns)] : blocks);
  return `${RENDERERS[output](explanation, options)}\n${told}`;
}

const NOTHING = "What if: nothing has crashed yet, so no setting would make a difference.";

const HEADINGS = ["WHAT IF", "DELAY", "NEXT START", "NEXT DELAYS", "RESTARTS IN 60M"] as const;

/** The indexes of the columns that the table leaves out: the first list with which the table fits the page. */
const DROPPED = [[], [3], [3, 4]];

function block({ namespace, pod, container, rows }: WhatIf, isNamed: boolean, nowMs: number, options: RenderOptions) {
  const table = { headings: HEADINGS, rows: rows.map((row) => cellsOf(row, nowMs)) };
  const lines = narrowedLines(table, DROPPED, options.columns, options.color);
  const title = `${harmless(container)} of ${harmless(namespace)}/${harmless(pod)}, after the same runs and restarts:`;
  const titles = isNamed ? wrap(title, options.columns).map((line) => paint(line, "title", options.color)) : [];
  return [...titles, ...lines];
}

function cellsOf({ name, projection }: WhatIfRow, nowMs: number): string[] {
  const { delayMs, nextStartMs, comingDelaysMs, restartsInNextHour } = projection;
  const then = comingDelaysMs.map(delayCell).join(", ");
  return [name, delayCell(delayMs), nextCell(nextStartMs, nowMs), then, String(restartsInNextHour)];
}

function delayCell(ms: number): string {
  return ms === 0 ? "none" : span(ms);
}

/** Returns the time until the next start, or "started 5s ago" if this configuration would have started it already. */
function nextCell(nextStartMs: readonly [number, number] | null, nowMs: number): string {
  if (nextStartMs === null) return "-";
  const [fromMs, toMs] = nextStartMs;
  if (toMs <= nowMs) return `started ${span(nowMs - (fromMs + toMs) / 2)} ago`;
  return formatCountdown(fromMs - nowMs, toMs - nowMs);
}

function whatIfToJson({ namespace, pod, container, rows }: WhatIf) {
  const configurations = rows.map(({ name, policy, projection }) => ({
    name,
    policy: policyToJson(policy),
    delaySeconds: projection.delayMs / 1000,
    nextRestart: windowToJson(
      projection.nextStartMs && {
        notBeforeMs: Math.round(projection.nextStartMs[0]),
        likelyByMs: Math.round(projection.nextStartMs[1]),
        confidence: 0.95,
      },
    ),
    comingDelaysSeconds: projection.comingDelaysMs.map((delayMs) => delayMs / 1000),
    restartsInNextHour: projection.restartsInNextHour,
  }));
  return { namespace, pod, container, configurations };
}
