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

const TITLE = "How a herd of replicas comes back";

/** The herd as one picture: how many are up, how many start at a time, and every start. */
function renderHerdSvg(herd: Herd): string {
  return toXml(chartPicture(wordsOf(herd), [herdCharts(herd), herdRaster(herd)]));
}

/** The herd as a page: the same charts, and their figures as tables. */
function renderHerdHtml(herd: Herd): string {
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
  "PEAK/S: the most starts within one second since the dependency is back. IN VAIN: starts of a replica while it was gone.";

/** The names of the figures, as the table and the page show them. */
export function headings({ results }: Herd): string[] {
  const marks = results[0]?.upShares.map(({ afterMs }) => `UP ${formatBriefDuration(afterMs)}`) ?? [];
  return ["KUBELET", ...marks, "MEDIAN", "LAST", "PEAK/S", "IN VAIN"];
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
  const subject = replicas === 1 ? "1 replica loses its" : `${replicas} replicas lose the same`;
  return (
    `${subject} dependency and get it back after ${formatBriefDuration(outageMs)}. Without it ` +
    `each exits ${formatBriefDuration(runMs)} after its start; the first start with it stays up. ` +
    `Times count from when it is back; mean of ${plural(runs, "run")}, seed ${seed}.`
  ).replace("dependency and get", replicas === 1 ? "dependency and gets" : "dependency and get");
}

/** What the figures come to: how long the last replicas are down although nothing is wrong any more. */
function herdFinding({ results }: Herd): string {
  const ranked = [...results].sort((one, other) => one.lastMs - other.lastMs);
  const [first, last] = [ranked[0], ranked.at(-1)];
  if (first === undefined || last === undefined) return "";
  return (
    `The last replica is up ${formatSpan(first.lastMs)} after the dependency under ${first.rule.name}, ` +
    `and ${formatSpan(last.lastMs)} after it under ${last.rule.name}.`
  );
}

/** A rule in figures: "delays of 10s to 5m, a look every 10s to 15s". */
export function policyWords({ initialMs, maxMs, retry }: CrashLoopPolicy): string {
  const curve = `delays of ${formatBriefDuration(initialMs)} to ${formatBriefDuration(maxMs)}`;
  return `${curve}, ${retry.kind === "every-10s" ? "a look every 10s to 15s" : "a look 1 to 1.5 delays on (at most 90s)"}`;
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
