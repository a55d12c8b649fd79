import { inTerminal } from "../../lab/terminal/terminal.ts";
import { inBothPalettes } from "../../src/render/page/palette.ts";
import { element, toXml, type XmlElement } from "../../src/render/page/xml.ts";
import { type ScreenLine, screenLines, type TextStyle } from "./screen.ts";

const COLUMNS = 90;
const LINE_HEIGHT = 19;
/** The usual width of a character of 14 pixels. `textLength` stretches other fonts to it. */
const COLUMN_WIDTH = 8.4;
const MARGIN = 20;
const BASELINE = 14;

export async function terminalPicture(argv: readonly string[]): Promise<string> {
  const command = [process.execPath, "bin/run.js", ...argv, "--color=always"];
  const env = { TZ: "UTC", LC_ALL: "C.UTF-8", TERM: "xterm-256color" };
  const { exitCode, output } = await inTerminal({ command, columns: COLUMNS, rows: 50, keys: [], env });
  if (exitCode !== 0) throw new Error(`kubectl backoff ${argv.join(" ")} ended with ${exitCode}: ${output}`);
  const prompt = {
    text: `$ kubectl backoff ${argv.join(" ")}`,
    column: 0,
    style: { color: "ink", isBold: true },
  } as const;
  return toXml(pictureOf([[prompt], ...(await screenLines(output, COLUMNS))], argv));
}

function pictureOf(lines: readonly ScreenLine[], argv: readonly string[]): XmlElement {
  const width = 2 * MARGIN + COLUMNS * COLUMN_WIDTH;
  const height = 2 * MARGIN + lines.length * LINE_HEIGHT;
  const size = { viewBox: `0 0 ${width} ${height}`, width, height };
  return element("svg", { xmlns: "http://www.w3.org/2000/svg", class: "terminal", role: "img", ...size }, [
    element("title", {}, [`What kubectl backoff ${argv.join(" ")} prints`]),
    element("style", {}, [STYLES]),
    element("rect", { class: "paper", x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 8 }),
    ...lines.flatMap((line, row) => line.map((span) => spanOf(span, row))),
  ]);
}

function spanOf({ text, column, style }: ScreenLine[number], row: number): XmlElement {
  const place = { x: round(MARGIN + column * COLUMN_WIDTH), y: MARGIN + row * LINE_HEIGHT + BASELINE };
  const fit = { textLength: round([...text].length * COLUMN_WIDTH), lengthAdjust: "spacingAndGlyphs" };
  return element("text", { class: classOf(style), ...place, ...fit }, [text.replaceAll(" ", "\u00a0")]);
}

function classOf({ color, isBold }: TextStyle): string {
  return isBold ? `${color} bold` : color;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const STYLES = `
.terminal text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.terminal .bold { font-weight: 700; }
${inBothPalettes(({ panel, line, ink, quiet, good, uneasy, bad, accent }) => [
  `.terminal .paper { fill: ${panel}; stroke: ${line}; }`,
  ...Object.entries({ ink, quiet, good, uneasy, bad, accent }).map(
    ([name, color]) => `.terminal .${name} { fill: ${color}; }`,
  ),
])}
`;
