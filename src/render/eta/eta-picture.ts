import type { Eta } from "../../explain/answer/eta.ts";
import { CHART_WIDTH, chartFigure, chartPicture } from "../charts/chart-picture.ts";
import { drawLineChart } from "../charts/line-chart.ts";
import { roundDurationScale, shareScale } from "../charts/scales.ts";
import { asOf } from "../page/as-of.ts";
import { CONFIDENCE_WORDS } from "../page/durations.ts";
import { COPY_SCRIPT, commandBlock, figurePage, htmlTable } from "../page/html-page.ts";
import { escapeInMarkdown as escaped, markdownTable } from "../page/markdown.ts";
import { pageText, type RenderOptions } from "../page/page.ts";
import { headingCase } from "../page/paint.ts";
import type { Drawing } from "../page/picture.ts";
import { type Times, timesAround } from "../page/times.ts";
import { element, toXml, type XmlElement } from "../page/xml.ts";
import { adviceOf } from "./eta-advice.ts";
import { quantileTable, workloadTable } from "./eta-table.ts";
import { assumptionWords, etaHeadline } from "./eta-words.ts";

const AREA = { left: 46, top: 50, right: CHART_WIDTH - 24, bottom: 330 };

export function renderEtaSvg(eta: Eta, options: RenderOptions): string {
  const times = timesAround(eta.atMs, options.timeZone);
  return toXml(chartPicture(chartWords(eta, times), curveChart(eta, times)));
}

export function renderEtaHtml(eta: Eta, options: RenderOptions): string {
  const times = timesAround(eta.atMs, options.timeZone);
  const { headings, rows } = quantileTable(eta, times);
  const isWaiting = eta.down.length > 0;
  const workloads = workloadTable(eta);
  const words = chartWords(eta, times);
  const figures = [chartFigure(words, curveChart(eta, times)), htmlTable(headings.map(headingCase), rows)];
  return figurePage(
    words.title,
    [
      paragraph(words.lead),
      ...(isWaiting ? figures : []),
      ...(workloads === null ? [] : [htmlTable(workloads.headings.map(headingCase), workloads.rows)]),
      ...adviceOf(eta, times)
        .flat()
        .flatMap(({ sentence, command }) => [
          paragraph(sentence),
          ...(command === null ? [] : [commandBlock(command)]),
        ]),
      ...(isWaiting ? [element("p", { class: "quiet" }, [assumptionWords(eta)])] : []),
    ],
    [COPY_SCRIPT],
  );
}

export function renderEtaMarkdown(eta: Eta, options: RenderOptions): string {
  const times = timesAround(eta.atMs, options.timeZone);
  const isWaiting = eta.down.length > 0;
  const workloads = workloadTable(eta);
  return pageText([
    [`${escaped(`${asOf(eta, times)}, by kubectl backoff.`)}`],
    [`**${escaped(etaHeadline(eta, times))}**`],
    isWaiting ? markdownTable(quantileTable(eta, times), "---:") : [],
    workloads === null ? [] : markdownTable(workloads),
    ...adviceOf(eta, times)
      .flat()
      .flatMap(({ sentence, command }) => [[escaped(sentence)], command === null ? [] : ["```sh", command, "```"]]),
    isWaiting ? [assumptionWords(eta)] : [],
  ]);
}

function paragraph(text: string): XmlElement {
  return element("p", {}, [text]);
}

function chartWords(eta: Eta, times: Times) {
  const lead = `${asOf(eta, times)}: ${etaHeadline(eta, times)}`;
  return { title: titleOf(eta, times), lead, description: lead };
}

function titleOf({ down, total, up, quantilesOfDown }: Eta, times: Times): string {
  const last = quantilesOfDown.at(-1);
  if (last === undefined || down.length === 0) return total === up ? "Everything is up" : "No start can be predicted";
  const notUp = total - up;
  const all = notUp === 2 ? "Both" : `All ${notUp}`;
  const which = down.length === notUp ? all : `${down.length} of ${notUp}`;
  const those = notUp === 1 ? "The container that is down" : `${which} containers that are down`;
  return `${those} would be up again by ${times.instant(last.likelyByMs)} (${CONFIDENCE_WORDS})`;
}

function curveChart({ curve, down, atMs }: Eta, times: Times): Drawing {
  const shares = curve.map((point) => ({ x: point.atMs - atMs, y: down.length === 0 ? 1 : point.up / down.length }));
  const end = shares.at(-1) ?? { x: 1, y: 1 };
  const x = roundDurationScale(end.x, [AREA.left, AREA.right], 12);
  const points = [...shares, { ...end, x: x.ticks.at(-1)?.value ?? end.x }];
  const parts = drawLineChart({
    heading: "Containers that are up again",
    note: "Expected share of the containers that are down; it rises during the window of each start.",
    below: `after ${times.instant(atMs)}`,
    x,
    y: shareScale([AREA.bottom, AREA.top]),
    area: AREA,
    series: [{ key: "kubelet", name: "up", points }],
    hasEndLabels: false,
  });
  return { parts, height: AREA.bottom + 44 };
}
