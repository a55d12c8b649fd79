import type { Herd } from "../../simulate/herd.ts";
import { type ChartWords, chartFigure, chartPicture } from "../charts/chart-picture.ts";
import { headingCase } from "../page/paint.ts";
import { element, toXml } from "../page/xml.ts";
import { htmlPage, htmlTable } from "../pod/html-page.ts";
import { PAGE_STYLES } from "./contention-picture.ts";
import { formatShare, formatSpan } from "./contention-words.ts";
import { herdCharts, herdRaster } from "./herd-charts.ts";
import { FIGURES, headings, row } from "./herd-table.ts";
import { herdFinding, herdSetting, policyWords } from "./herd-words.ts";

const TITLE = "How a herd of replicas comes back";

/** The herd as one picture: how many are up, how many start at a time, and every start. */
export function renderHerdSvg(herd: Herd): string {
  return toXml(chartPicture(wordsOf(herd), [herdCharts(herd), herdRaster(herd)]));
}

/** The herd as a page: the same charts, and their figures as tables. */
export function renderHerdHtml(herd: Herd): string {
  const words = wordsOf(herd);
  return htmlPage({
    title: TITLE,
    styles: PAGE_STYLES,
    body: [
      element("h1", {}, [TITLE]),
      element("p", {}, [herdSetting(herd)]),
      element("p", {}, [herdFinding(herd)]),
      chartFigure(words, herdCharts(herd)),
      chartFigure(words, herdRaster(herd)),
      element("h2", {}, ["Figures"]),
      htmlTable(
        headings(herd).map(headingCase),
        herd.results.map((result) => row(result).map(({ text }) => text)),
      ),
      element("p", { class: "quiet" }, [FIGURES.replace("PEAK/S", "Peak/s").replace("IN VAIN", "In vain")]),
      element("h2", {}, ["The kubelets"]),
      htmlTable(
        ["Kubelet", "Its rule"],
        herd.results.map(({ rule }) => [rule.name, policyWords(rule.policy)]),
      ),
    ],
  });
}

function wordsOf(herd: Herd): ChartWords {
  const lead = `${herdSetting(herd)} ${herdFinding(herd)}`.trim();
  const figures = herd.results.map(({ rule, upShares, medianMs, lastMs }) => {
    const minute = upShares.find(({ afterMs }) => afterMs === 60_000);
    const share = minute === undefined ? "" : `${formatShare(minute.share)} up after a minute, `;
    return `${rule.name}: ${share}half after ${formatSpan(medianMs)}, all after ${formatSpan(lastMs)}`;
  });
  return { title: TITLE, lead, description: `${lead} ${figures.join("; ")}.` };
}
