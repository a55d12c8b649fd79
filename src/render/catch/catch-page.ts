import type { Arrival, Catch, Disconnection, LogLine } from "../../explain/observed/catch.ts";
import { escapeUnits, harmless, harmlessLine } from "../page/harmless.ts";
import { htmlTable } from "../page/html-page.ts";
import { pageOf, type RenderOptions } from "../page/page.ts";
import { capitalized } from "../page/paint.ts";
import { localTime, timesAround, zoneOffsetMs } from "../page/times.ts";
import { element, type XmlElement } from "../page/xml.ts";
import { renderHtml } from "../pod/html.ts";
import { briefLine } from "../pod/log-lines.ts";
import { type CatchReport, renderCatchJson } from "./catch-json.ts";
import { caughtClause } from "./catch-words.ts";

/** cluster/files/parse-documents.ts looks for a `<script>` tag with exactly these attributes. */
const DATA = { type: "application/json", id: "catch" };

export function renderCatchPage({ caught, header, explanation }: CatchReport, options: RenderOptions): string {
  const { timeZone } = pageOf(explanation, options);
  // Without "<", the data cannot end the `<script>` element. Unescaped, U+FFFE and U+FFFF would be lost in the page.
  const data = renderCatchJson({ caught, header }).replace(/[<\ufffe\uffff]/g, escapeUnits);
  return renderHtml(explanation, options, {
    styles: STYLES,
    log: { container: harmless(caught.container), linesAtMs: caught.log.lines.map(writtenAtMs) },
    body: [
      element("h2", {}, ["What was caught"]),
      element("p", {}, [`${capitalized(caughtClause(caught, explanation))}.`]),
      element("p", { class: "quiet" }, [
        "Lines of the log stand where the node's clock puts them, events from before the catch at their last time, " +
          "everything else where it arrived.",
      ]),
      happened(caught, explanation.atMs, timeZone),
      element("script", DATA, [`\n${data}`]),
    ],
  });
}

interface Happening {
  readonly atMs: number;
  readonly content: XmlElement;
}

function happened(caught: Catch, nowMs: number, timeZone: string | undefined): XmlElement {
  const { lines } = caught.log;
  const times = timesAround(nowMs, timeZone);
  const others = [
    ...podHappenings(caught.arrivals),
    ...eventHappenings(caught.arrivals),
    ...caught.disconnected.flatMap(connectionHappenings),
  ];
  const ordered = others.sort((a, b) => a.atMs - b.atMs);
  const rows: [string, XmlElement][] = [];
  let next = 0;
  const addLinesUntil = (untilMs: number): void => {
    const from = next;
    while (next < lines.length && writtenAtMs(lines[next]) < untilMs) next++;
    const between = lines.slice(from, next);
    const [first] = between;
    if (first !== undefined) rows.push([times.instant(writtenAtMs(first)), logBlock(between, timeZone)]);
  };
  for (const { atMs, content } of ordered) {
    addLinesUntil(atMs);
    rows.push([times.instant(atMs), content]);
  }
  addLinesUntil(Number.POSITIVE_INFINITY);
  return htmlTable(["Time", "What happened"], rows, { class: "happened" });
}

function writtenAtMs(line: LogLine | undefined): number {
  const writtenMs = Date.parse(line?.time ?? "");
  return Number.isNaN(writtenMs) ? (line?.atMs ?? 0) : writtenMs;
}

function logBlock(lines: readonly LogLine[], timeZone: string | undefined): XmlElement {
  // Finding a zone's offset can be slow. Assumed: the offset does not change between the lines of one block.
  const offsetMs = zoneOffsetMs(timeZone, writtenAtMs(lines[0]));
  const texts = lines.map((line) => {
    const atMs = writtenAtMs(line);
    const fraction = `${((atMs % 1000) + 1000) % 1000}`.padStart(3, "0");
    return `${localTime(atMs, offsetMs).clock}.${fraction}  ${briefLine(harmlessLine(line.text), line.cut)}\n`;
  });
  return element("pre", { class: "log" }, [texts.join("")]);
}

function podHappenings(arrivals: readonly Arrival[]): Happening[] {
  const pods = arrivals.filter(({ kind }) => kind === "Pod");
  const uidOf = (object: unknown): string => textAt(object, "metadata", "uid");
  const versions = pods.filter(({ object }) => uidOf(object) === uidOf(pods.at(-1)?.object));
  return versions.flatMap(({ atMs, type, object }, index) => {
    const older = versions[index - 1];
    if (type === "DELETED") return [{ atMs, content: element("p", {}, ["The pod is deleted."]) }];
    if (older === undefined) return [{ atMs, content: element("p", {}, ["The catch begins."]) }];
    const lines = differences(older.object, object).map(harmless);
    if (lines.length === 0) return [];
    const content = element("div", {}, [
      element("p", {}, ["The pod changes:"]),
      element("pre", {}, [`${lines.join("\n")}\n`]),
    ]);
    return [{ atMs, content }];
  });
}

function eventHappenings(arrivals: readonly Arrival[]): Happening[] {
  const beganAtMs = arrivals[0]?.atMs ?? 0;
  return arrivals.flatMap(({ kind, type, atMs, object }) => {
    if (kind !== "Event" || type === "DELETED") return [];
    const lastMs = Date.parse(textAt(object, "lastTimestamp") || textAt(object, "eventTime"));
    const count = textAt(object, "count");
    const times = count === "" || count === "1" ? ": " : ` (${harmless(count)} times by then): `;
    const look = textAt(object, "type") === "Warning" ? "uneasy" : "quiet";
    const content = element("p", {}, [
      element("strong", { class: look }, [harmless(textAt(object, "reason"))]),
      times,
      harmless(textAt(object, "message") || textAt(object, "note")),
    ]);
    return [{ atMs: lastMs < beganAtMs ? lastMs : atMs, content }];
  });
}

function connectionHappenings({ sinceMs, untilMs, because }: Disconnection): Happening[] {
  const words = `The connection is lost (${because}). What happens until it is back may be missing.`;
  const lost = { atMs: sinceMs, content: element("p", { class: "uneasy" }, [harmless(words)]) };
  if (untilMs === null) return [lost];
  return [lost, { atMs: untilMs, content: element("p", { class: "quiet" }, ["The connection is back."]) }];
}

function textAt(value: unknown, ...path: readonly string[]): string {
  const inside = path.reduce<unknown>((inner, key) => {
    return typeof inner === "object" && inner !== null && Object.hasOwn(inner, key)
      ? (inner as Readonly<Record<string, unknown>>)[key]
      : undefined;
  }, value);
  return typeof inside === "string" || typeof inside === "number" ? `${inside}` : "";
}

const WITHOUT_MEANING = "metadata.resourceVersion";
const MOST_DEPTH = 20;
const LONGEST_VALUE = 300;

export function differences(older: unknown, newer: unknown, path = "", depth = 0): string[] {
  if (older === newer || path === WITHOUT_MEANING) return [];
  const [before, after] = [partsOf(older), partsOf(newer)];
  if (before === null || after === null || depth === MOST_DEPTH) {
    if (JSON.stringify(older) === JSON.stringify(newer)) return [];
    return [`${path}: ${shown(older)} → ${shown(newer)}`];
  }
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const inner = key.startsWith("[") || path === "" ? `${path}${key}` : `${path}.${key}`;
    return differences(before.get(key), after.get(key), inner, depth + 1);
  });
}

function partsOf(value: unknown): ReadonlyMap<string, unknown> | null {
  if (Array.isArray(value)) return new Map(value.map((item, index) => [`[${nameOf(item) ?? index}]`, item]));
  return typeof value === "object" && value !== null ? new Map(Object.entries(value)) : null;
}

function nameOf(item: unknown): string | null {
  const { name, type } = (item ?? {}) as { readonly name?: unknown; readonly type?: unknown };
  return [name, type].find((text) => typeof text === "string") ?? null;
}

function shown(value: unknown): string {
  if (value === undefined) return "none";
  const text = JSON.stringify(value);
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}…`;
}

const STYLES = `
.happened th { white-space: nowrap; font-weight: 400; color: var(--quiet); }
.happened p { margin: 0; }
.happened pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 0.8rem; }
.happened pre.log { padding: 0.5rem 0.75rem; background: var(--panel); border-left: 3px solid var(--accent); }
`;
