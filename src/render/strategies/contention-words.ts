import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import type { Contention, ContentionResult } from "../../simulate/contention.ts";
import { counted } from "../page/paint.ts";

/** What was simulated, in two or three sentences: one for each paragraph that needs it. */
export function contentionSetting({ settings }: Contention): string {
  const { runs, baseMs, capMs, network, seed } = settings;
  const hop = `${formatBriefDuration(network.meanMs)} ± ${formatBriefDuration(network.sdMs)}`;
  return (
    "Clients contend for one row: each reads it, writes it back once and, if another was faster, sleeps and tries again. " +
    `Mean of ${counted(runs, "run")}; base ${formatBriefDuration(baseMs)}, cap ${formatBriefDuration(capMs)}, ` +
    `${hop} per message, seed ${seed}.`
  );
}

/** What the figures come to for the largest number of clients; empty for a single strategy. */
export function contentionFinding({ results, settings }: Contention): string {
  const clients = Math.max(...settings.clients);
  const rivals = results.filter((result) => result.clients === clients);
  const [frugal] = ascending(rivals, "calls");
  const [fast] = ascending(rivals, "completionMs");
  if (frugal === undefined || fast === undefined || rivals.length < 2) return "";
  const whose = `With ${counted(clients, "client")}`;
  if (frugal === fast) return `${whose}, "${fast.strategy}" makes the fewest calls and finishes first.`;
  const hint = fast.strategy === "none" ? " (no sleep)" : "";
  return (
    `${whose}, "${frugal.strategy}" makes the fewest calls (${formatMean(frugal.calls)}). "${fast.strategy}"${hint} finishes ` +
    `first, in ${formatSpan(fast.completionMs)}, but makes ${ratio(fast.calls, frugal.calls)} as many.`
  );
}

/** The two figures of the experiment. */
export type Figure = "calls" | "completionMs";

/** A figure of a result: "51.1", "3.54s". */
export function formatFigure(result: ContentionResult, figure: Figure): string {
  return figure === "calls" ? formatMean(result.calls) : formatSpan(result.completionMs);
}

/** Both figures of a result: "51.1 calls, 3.54s". */
export function figuresInWords(result: ContentionResult, joint = ", "): string {
  return `${formatFigure(result, "calls")} calls${joint}${formatFigure(result, "completionMs")}`;
}

/** The figures of a strategy with a number of clients, where there are any. */
export function resultOf({ results }: Contention, strategy: string, clients: number): ContentionResult | undefined {
  return results.find((result) => result.strategy === strategy && result.clients === clients);
}

function ascending(results: readonly ContentionResult[], figure: Figure): ContentionResult[] {
  return [...results].sort((one, other) => one[figure] - other[figure]);
}

function ratio(larger: number, smaller: number): string {
  return `${(larger / smaller).toFixed(1)} times`;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** A length of time in three figures or so: "382ms", "3.54s", "36.5s", "1m41s". */
export function formatSpan(ms: number): string {
  if (ms < SECOND_MS) return formatBriefDuration(roundTo(ms, ms < 10 ? 0.01 : ms < 100 ? 0.1 : 1));
  if (ms < MINUTE_MS) return formatBriefDuration(roundTo(ms, ms < 10 * SECOND_MS ? 10 : 100));
  return formatBriefDuration(roundTo(ms, SECOND_MS));
}

/** A mean number of things: "51.1", "690", "8005". */
export function formatMean(count: number): string {
  const tenths = roundTo(count, 0.1);
  return tenths < 100 ? tenths.toFixed(1) : String(Math.round(count));
}

/** "67%", and 0% and 100% only for none and all. */
export function formatShare(share: number): string {
  const percent = Math.round(share * 100);
  if (percent === 0 && share > 0) return "<1%";
  return percent === 100 && share < 1 ? ">99%" : `${percent}%`;
}

/** The multiple of `step` that is nearest, without the noise of binary fractions. */
export function roundTo(value: number, step: number): number {
  return Number((Math.round(value / step) * step).toFixed(3));
}
