import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import type { Herd, HerdResult } from "../../simulate/herd.ts";
import { type ChartWords, chartFigure, chartPicture } from "../charts/chart-picture.ts";
import { type Cell, columnLines, widthOf } from "../page/columns.ts";
import { pageColumns, type RenderOptions } from "../page/page.ts";
import { headingCase, paint } from "../page/paint.ts";
import { wrap } from "../page/width.ts";
import { element, toXml } from "../page/xml.ts";
import { htmlPage, htmlTable } from "../pod/html-page.ts";
import type { SimulationForms } from "./contention-forms.ts";
import { PAGE_STYLES } from "./contention-picture.ts";
import { formatMean, formatShare, formatSpan, plural, roundTo } from "./contention-words.ts";
import { herdCharts, herdRaster } from "./herd-charts.ts";

/** The forms of a herd, by the name that `-o` takes. Each ends with a newline. */
export const HERD_FORMS: SimulationForms<Herd> = {
  table: renderHerdTable,
  csv: herdToCsv,
  json: (herd) => `${JSON.stringify(herdToJson(herd), null, 4)}\n`,
  svg: renderHerdSvg,
  html: renderHerdHtml,
};

/** The herd as one picture: how many are up, how many start at a time, and every start. */
function renderHerdSvg(herd: Herd): string {
  return toXml(chartPicture(wordsOf(herd), [herdCharts(herd), herdRaster(herd)]));
}

/** The herd as a page: the same charts, and their figures as tables. */
function renderHerdHtml(herd: Herd): string {
  const words = wordsOf(herd);
  return htmlPage({
    title: herdFinding(herd),
    styles: PAGE_STYLES,
    body: [
      element("h1", {}, [herdFinding(herd)]),
      element("p", {}, [herdSetting(herd)]),
      chartFigure(words, herdCharts(herd)),
      chartFigure(words, herdRaster(herd)),
      element("h2", {}, ["Figures"]),
      htmlTable(
        headings(herd).map(headingCase),
        herd.results.map((result) => row(result).map(({ text }) => text)),
      ),
      element("p", { class: "quiet" }, [FIGURES.replace("PEAK/S", "Peak/s").replace("WASTED", "Wasted")]),
      element("h2", {}, ["The kubelets"]),
      htmlTable(
        ["Kubelet", "Its rule"],
        herd.results.map(({ rule }) => [rule.name, policyWords(rule.policy)]),
      ),
    ],
  });
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

/** The form for people: what was simulated, how the herd came back under each rule, and what the rules are. */
function renderHerdTable(herd: Herd, options: RenderOptions): string {
  const columns = pageColumns(options);
  const grid = columnLines(headings(herd), herd.results.map(row), options.color);
  const blocks = [
    wrap(herdSetting(herd), columns),
    widthOf(grid) <= columns ? grid : list(herd, columns, options.color),
    wrap(FIGURES, columns),
    herd.results.flatMap(({ rule }) => wrap(`${rule.name}: ${policyWords(rule.policy)}`, columns)),
    wrap(herdFinding(herd), columns),
  ];
  return blocks.map((lines) => `${lines.join("\n")}\n`).join("\n");
}

/** What the figures are that do not say it themselves. */
export const FIGURES =
  "PEAK/S: most starts in one second after the dependency is back. WASTED: failed starts per replica during the outage.";

/** The names of the figures, as the table and the page show them. */
export function headings({ results }: Herd): string[] {
  const marks = results[0]?.upShares.map(({ afterMs }) => `UP ${formatBriefDuration(afterMs)}`) ?? [];
  return ["KUBELET", ...marks, "MEDIAN", "LAST", "PEAK/S", "WASTED"];
}

/** One rule's figures, in the order of the headings. */
export function row(result: HerdResult): Cell[] {
  return [
    { text: result.rule.name },
    ...result.upShares.map(({ share }) => ({ text: formatShare(share) })),
    { text: formatSpan(result.medianMs) },
    { text: formatSpan(result.lastMs) },
    { text: formatMean(result.peakStartsPerSecond) },
    { text: formatMean(result.startsInVain) },
  ];
}

/** A page too narrow for the table gets one figure per line. */
function list(herd: Herd, columns: number, color: boolean): string[] {
  const names = headings(herd).slice(1);
  return herd.results.flatMap((result) => {
    const [name, ...figures] = row(result);
    const lines = figures.flatMap(({ text }, index) => wrap(`${names[index] ?? ""}: ${text}`, columns - 2));
    return [paint(name?.text ?? "", "title", color), ...lines.map((line) => `  ${line}`)];
  });
}

/** What was simulated. */
function herdSetting({ settings }: Herd): string {
  const { replicas, runs, outageMs, runMs, seed } = settings;
  const whose = replicas === 1 ? "The dependency of 1 replica" : `A dependency shared by ${replicas} replicas`;
  return (
    `${whose} is gone for ${formatBriefDuration(outageMs)}. Meanwhile each replica exits ` +
    `${formatBriefDuration(runMs)} after every start; the first start after that stays up. ` +
    `Times count from the dependency's return; mean of ${plural(runs, "run")}, seed ${seed}.`
  );
}

/** What the figures come to: how long the last replicas are down although nothing is wrong any more. */
function herdFinding({ results }: Herd): string {
  const ranked = [...results].sort((one, other) => one.lastMs - other.lastMs);
  const [first, last] = [ranked[0], ranked.at(-1)];
  if (first === undefined || last === undefined) return "";
  return (
    `After the dependency is back, the last replica is up within ${formatSpan(first.lastMs)} with ${first.rule.name}, ` +
    `but only after ${formatSpan(last.lastMs)} with ${last.rule.name}.`
  );
}

/** A rule in figures: "delays 10s to 5m, re-checked every 10s to 15s". */
export function policyWords({ initialMs, maxMs, retry }: CrashLoopPolicy): string {
  const curve = `delays ${formatBriefDuration(initialMs)} to ${formatBriefDuration(maxMs)}`;
  return `${curve}, ${retry.kind === "every-10s" ? "re-checked every 10s to 15s" : "re-checked after 1-1.5× the delay (at most 90s)"}`;
}

const THOUSANDTH = 0.001;

/** The stable machine form, `backoff/v1`; docs/herd.schema.json describes it: durations in seconds, from the moment that the dependency was back. */
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
    up: result.upShares.map(({ afterMs, share }) => ({
      afterSeconds: afterMs / 1000,
      share: roundTo(share, THOUSANDTH),
    })),
    medianSeconds: seconds(result.medianMs),
    lastSeconds: seconds(result.lastMs),
    peakStartsPerSecond: roundTo(result.peakStartsPerSecond, THOUSANDTH),
    startsInVain: roundTo(result.startsInVain, THOUSANDTH),
  };
}

/** One row per rule, for spreadsheets. */
function herdToCsv(herd: Herd): string {
  const { results } = herdToJson(herd);
  const shares = results[0]?.up.map(({ afterSeconds }) => `upAfter${afterSeconds}s`) ?? [];
  const head = ["kubelet", ...shares, "medianSeconds", "lastSeconds", "peakStartsPerSecond", "startsInVain"];
  const rows = results.map(({ kubelet, up, medianSeconds, lastSeconds, peakStartsPerSecond, startsInVain }) =>
    [kubelet, ...up.map(({ share }) => share), medianSeconds, lastSeconds, peakStartsPerSecond, startsInVain].join(","),
  );
  return `${[head.join(","), ...rows].join("\n")}\n`;
}

function seconds(ms: number): number {
  return roundTo(ms / 1000, THOUSANDTH);
}
