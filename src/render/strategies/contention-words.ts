import { formatBriefDuration, MINUTE_MS, SECOND_MS } from "../../kubelet/go-duration.ts";
import type { Contention, ContentionResult } from "../../simulate/contention.ts";
import { counted } from "../page/paint.ts";

export function contentionSetting({ settings }: Contention): string {
  const { runs, initialMs, maxMs, network, seed } = settings;
  const hop = `${formatBriefDuration(network.meanMs)} ± ${formatBriefDuration(network.sdMs)}`;
  return (
    "Clients contend for one row: each reads it, writes it back once and, if another was faster, sleeps and tries again. " +
    `Mean of ${counted(runs, "run")}; base ${formatBriefDuration(initialMs)}, cap ${formatBriefDuration(maxMs)}, ` +
    `${hop} per message, seed ${seed}.`
  );
}

export function contentionFinding({ results, settings }: Contention): string {
  const clients = Math.max(...settings.clients);
  const rivals = results.filter((result) => result.clients === clients);
  const leastBy = (figure: Figure) => rivals.toSorted((one, other) => one[figure] - other[figure])[0];
  const [frugal, fast] = [leastBy("calls"), leastBy("completionMs")];
  if (frugal === undefined || fast === undefined || rivals.length < 2) return "";
  const whose = `With ${counted(clients, "client")}`;
  if (frugal === fast) return `${whose}, "${fast.strategy}" makes the fewest calls and finishes first.`;
  const hint = fast.strategy === "none" ? " (no sleep)" : "";
  return (
    `${whose}, "${frugal.strategy}" makes the fewest calls (${formatMean(frugal.calls)}). "${fast.strategy}"${hint} finishes ` +
    `first, in ${formatSpan(fast.completionMs)}, but makes ${(fast.calls / frugal.calls).toFixed(1)} times as many.`
  );
}

export type Figure = "calls" | "completionMs";

export function formatFigure(result: ContentionResult, figure: Figure): string {
  return figure === "calls" ? formatMean(result.calls) : formatSpan(result.completionMs);
}

export function figuresInWords(result: ContentionResult, joint = ", "): string {
  return `${formatFigure(result, "calls")} calls${joint}${formatFigure(result, "completionMs")}`;
}

export function formatSpan(ms: number): string {
  if (ms < SECOND_MS) return formatBriefDuration(roundTo(ms, ms < 10 ? 0.01 : ms < 100 ? 0.1 : 1));
  if (ms < MINUTE_MS) return formatBriefDuration(roundTo(ms, ms < 10 * SECOND_MS ? 10 : 100));
  return formatBriefDuration(roundTo(ms, SECOND_MS));
}

export function formatMean(count: number): string {
  const tenths = roundTo(count, 0.1);
  return tenths < 100 ? tenths.toFixed(1) : String(Math.round(count));
}

/** `toFixed` removes the errors of binary fractions. `step` is at least 0.001. */
export function roundTo(value: number, step: number): number {
  return Number((Math.round(value / step) * step).toFixed(3));
}
