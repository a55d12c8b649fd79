import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import type { Herd, HerdResult } from "../../simulate/herd.ts";
import { type ChartWords, chartFigure, chartPicture } from "../charts/chart-picture.ts";
import { csvText, jsonText } from "../json/json.ts";
import { tableLines, tableWidth } from "../page/columns.ts";
import { figurePage, htmlTable } from "../page/html-page.ts";
import { pageColumns, type RenderOptions, textOf } from "../page/page.ts";
import { counted, headingCase, paint } from "../page/paint.ts";
import { wrap } from "../page/width.ts";
import { element, toXml } from "../page/xml.ts";
import type { SimulationForms } from "./contention-forms.ts";
import { formatMean, formatShare, formatSpan, roundTo } from "./contention-words.ts";
import { herdCharts, herdRaster } from "./herd-charts.ts";

export const HERD_FORMS: SimulationForms<Herd> = {
  table: renderHerdTable,
  csv: (herd) => csvText(herdToJson(herd).results.map(flat)),
  json: (herd) => jsonText(herdToJson(herd)),
  svg: (herd) => toXml(chartPicture(wordsOf(herd), [herdCharts(herd), herdRaster(herd)])),
  html: renderHerdHtml,
};

function renderHerdHtml(herd: Herd): string {
  const words = wordsOf(herd);
  const figures = figuresOf(herd);
  return figurePage(words.title, [
    element("p", {}, [words.lead]),
    chartFigure(words, herdCharts(herd)),
    chartFigure(words, herdRaster(herd)),
    element("h2", {}, ["Figures"]),
    htmlTable(figures.headings.map(headingCase), figures.rows),
    element("p", { class: "quiet" }, [FIGURES.replace("PEAK/S", "Peak/s").replace("WASTED", "Wasted")]),
    element("h2", {}, ["The kubelets"]),
    htmlTable(
      ["Kubelet", "Its rule"],
      herd.results.map(({ rule }) => [rule.name, policyWords(rule.policy)]),
    ),
  ]);
}

function wordsOf(herd: Herd): ChartWords {
  const lead = herdSetting(herd);
  const figures = herd.results.map(({ rule, upShares, medianMs, lastMs }) => {
    const minute = upShares.find(({ afterMs }) => afterMs === 60_000);
    const share = minute === undefined ? "" : `${formatShare(minute.share)} up after a minute, `;
    return `${rule.name}: ${share}half after ${formatSpan(medianMs)}, all after ${formatSpan(lastMs)}`;
  });
  return { title: herdFinding(herd), lead, description: `${lead} ${figures.join("; ")}.` };
}

function renderHerdTable(herd: Herd, options: RenderOptions): string {
  const columns = pageColumns(options);
  const figures = figuresOf(herd);
  return textOf([
    wrap(herdSetting(herd), columns),
    tableWidth(figures) <= columns ? tableLines(figures, options.color) : list(figures, columns, options.color),
    wrap(FIGURES, columns),
    herd.results.flatMap(({ rule }) => wrap(`${rule.name}: ${policyWords(rule.policy)}`, columns)),
    wrap(herdFinding(herd), columns),
  ]);
}

const FIGURES =
  "PEAK/S: most starts in one second after the dependency is back. WASTED: failed starts per replica during the outage.";

function figuresOf({ results }: Herd) {
  const marks = results[0]?.upShares.map(({ afterMs }) => `UP ${formatBriefDuration(afterMs)}`) ?? [];
  const rows = results.map(({ rule, upShares, medianMs, lastMs, peakStartsPerSecond, startsInVain }) => [
    ...[rule.name, ...upShares.map(({ share }) => formatShare(share))],
    ...[medianMs, lastMs].map(formatSpan),
    ...[peakStartsPerSecond, startsInVain].map(formatMean),
  ]);
  return { headings: ["KUBELET", ...marks, "MEDIAN", "LAST", "PEAK/S", "WASTED"], rows };
}

function list({ headings, rows }: ReturnType<typeof figuresOf>, columns: number, color: boolean): string[] {
  return rows.flatMap(([rule = "", ...figures]) => {
    const lines = figures.flatMap((text, index) => wrap(`${headings[index + 1]}: ${text}`, columns - 2));
    return [paint(rule, "title", color), ...lines.map((line) => `  ${line}`)];
  });
}

function herdSetting({ settings }: Herd): string {
  const { replicas, runs, outageMs, runMs, seed } = settings;
  const whose = replicas === 1 ? "The dependency of 1 replica" : `A dependency shared by ${replicas} replicas`;
  return (
    `${whose} is gone for ${formatBriefDuration(outageMs)}. Meanwhile each replica exits ` +
    `${formatBriefDuration(runMs)} after every start; the first start after that stays up. ` +
    `Times count from the dependency's return; mean of ${counted(runs, "run")}, seed ${seed}.`
  );
}

/** Returns how long the last replica is down after the outage with the fastest and with the slowest kubelet. */
function herdFinding({ results }: Herd): string {
  const ranked = results.toSorted((one, other) => one.lastMs - other.lastMs);
  const [first, last] = [ranked[0], ranked.at(-1)];
  if (first === undefined || last === undefined) return "";
  return (
    `After the dependency is back, the last replica is up within ${formatSpan(first.lastMs)} with ${first.rule.name}, ` +
    `but only after ${formatSpan(last.lastMs)} with ${last.rule.name}.`
  );
}

function policyWords({ initialMs, maxMs, retry }: CrashLoopPolicy): string {
  const curve = `delays ${formatBriefDuration(initialMs)} to ${formatBriefDuration(maxMs)}`;
  return `${curve}, ${retry.kind === "every-10s" ? "re-checked every 10s to 15s" : "re-checked after 1-1.5× the delay (at most 90s)"}`;
}

/** Returns the stable form for programs: docs/herd.schema.json. Seconds count from the end of the outage. */
function herdToJson({ settings, results }: Herd) {
  const { replicas, runs, seed, outageMs, runMs } = settings;
  return {
    apiVersion: "backoff/v1",
    kind: "Herd",
    settings: { replicas, runs, seed, outageSeconds: outageMs / 1000, runSeconds: runMs / 1000 },
    results: results.map(resultToJson),
  };
}

function resultToJson(result: HerdResult) {
  const { name, policy } = result.rule;
  return {
    kubelet: name,
    policy: {
      initialSeconds: policy.initialMs / 1000,
      maxSeconds: policy.maxMs / 1000,
      resetAfterSeconds: policy.resetAfterMs / 1000,
      retry: policy.retry.kind,
    },
    up: result.upShares.map(({ afterMs, share }) => ({ afterSeconds: afterMs / 1000, share: rounded(share) })),
    medianSeconds: rounded(result.medianMs / 1000),
    lastSeconds: rounded(result.lastMs / 1000),
    peakStartsPerSecond: rounded(result.peakStartsPerSecond),
    startsInVain: rounded(result.startsInVain),
  };
}

/** Returns the figures of one kubelet without nested objects, as a row for a spreadsheet. */
function flat({ kubelet, up, policy: _policy, ...figures }: ReturnType<typeof resultToJson>): object {
  const shares = up.map(({ afterSeconds, share }) => [`upAfter${afterSeconds}s`, share]);
  return { kubelet, ...Object.fromEntries(shares), ...figures };
}

function rounded(value: number): number {
  return roundTo(value, 0.001);
}
