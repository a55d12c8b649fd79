import type { Eta } from "../../explain/answer/eta.ts";
import { CHART_INNER_WIDTH, type ChartDrawing, chartFigure, chartPicture } from "../charts/chart-picture.ts";
import { drawLineChart } from "../charts/line-chart.ts";
import { durationScale, shareScale } from "../charts/scales.ts";
import type { RenderOptions } from "../page/page.ts";
import { headingCase } from "../page/paint.ts";
import { timesAround } from "../page/times.ts";
import { element, toXml } from "../page/xml.ts";
import { htmlPage, htmlTable } from "../pod/html-page.ts";
import { PAGE_STYLES } from "../strategies/contention-picture.ts";
import { figuresOf } from "./eta-table.ts";
import { assumptions, type EtaWords, fasterWords, headline, setApart } from "./eta-words.ts";

const TITLE = "When everything is up again";
const AREA = { left: 46, top: 50, right: CHART_INNER_WIDTH - 14, bottom: 330 };

/** The curve as a picture. */
export function renderEtaSvg(eta: Eta, { timeZone }: RenderOptions): string {
  const words = { eta, times: timesAround(eta.atMs, timeZone) };
  return toXml(chartPicture(chartWords(words), [curveChart(eta)]));
}

/** The same as a page, with the figures and what would be faster. */
export function renderEtaHtml(eta: Eta, { timeZone }: RenderOptions): string {
  const words = { eta, times: timesAround(eta.atMs, timeZone) };
  const [headings, rows] = figuresOf(words);
  const paragraphs = (texts: readonly string[]) => texts.map((text) => element("p", {}, [text]));
  const isWaiting = eta.down.length > 0;
  const waiting = isWaiting
    ? [
        chartFigure(chartWords(words), curveChart(eta)),
        htmlTable(
          headings.map(headingCase),
          rows.map((row) => row.map(({ text }) => text)),
        ),
      ]
    : [];
  return htmlPage({
    title: TITLE,
    styles: PAGE_STYLES,
    body: [
      element("h1", {}, [TITLE]),
      ...paragraphs([`${words.times.dated(eta.atMs)}: ${headline(words)}`]),
      ...waiting,
      ...paragraphs([...setApart(words), ...fasterWords(words)]),
      ...(isWaiting ? [element("p", { class: "quiet" }, [`Assumes: ${assumptions(eta).join(" ")}`])] : []),
    ],
  });
}

/** The same for a ticket or a chat. */
export function renderEtaMarkdown(eta: Eta, { timeZone }: RenderOptions): string {
  const words = { eta, times: timesAround(eta.atMs, timeZone) };
  const [headings, rows] = figuresOf(words);
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const table = [
    line(headings.map(headingCase)),
    line(headings.map(() => "---:")),
    ...rows.map((row) => line(row.map(({ text }) => text))),
  ];
  const isWaiting = eta.down.length > 0;
  const blocks = [
    `**${escaped(headline(words))}**`,
    ...(isWaiting ? [table.join("\n")] : []),
    ...[...setApart(words), ...fasterWords(words)].map(escaped),
    ...(isWaiting ? [`Assumes: ${assumptions(eta).join(" ")}`] : []),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** Names of a cluster may hold what Markdown or HTML would obey. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>|&#!~]/g, "\\$&");
}

function chartWords(words: EtaWords) {
  const lead = headline(words);
  return { title: TITLE, lead, description: lead };
}

function curveChart({ curve, down, atMs }: Eta): ChartDrawing {
  const points = curve.map((point) => ({ x: point.atMs - atMs, y: down.length === 0 ? 1 : point.up / down.length }));
  const parts = drawLineChart({
    heading: "Containers that are up again",
    note: "The share of those that are down, in the mean.",
    below: "from now",
    x: durationScale(Math.max(1, points.at(-1)?.x ?? 1), [AREA.left, AREA.right], 12),
    y: shareScale([AREA.bottom, AREA.top]),
    area: AREA,
    series: [{ key: "kubelet", name: "up", points }],
    hasEndLabels: false,
  });
  return { parts, height: AREA.bottom + 44 };
}
