import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import type { Contention, ContentionResult } from "../../simulate/contention.ts";
import { formatMean, formatSpan } from "./contention-figures.ts";

/** What was simulated, in two or three sentences: one for each paragraph that needs it. */
export function contentionSetting({ settings }: Contention): string {
  const { runs, baseMs, capMs, network, seed } = settings;
  const hop = `${formatBriefDuration(network.meanMs)} ± ${formatBriefDuration(network.sdMs)}`;
  return (
    "Clients contend for one row: each reads it, writes it back once and, if another was faster, sleeps and tries again. " +
    `Mean of ${plural(runs, "run")}; base ${formatBriefDuration(baseMs)}, cap ${formatBriefDuration(capMs)}, ` +
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
  const whose = `With ${plural(clients, "client")}`;
  if (frugal === fast) return `${whose}, ${fast.strategy} makes the fewest calls and is done first.`;
  return (
    `${whose}, ${frugal.strategy} makes the fewest calls (${formatMean(frugal.calls)}); ${fast.strategy} is done first ` +
    `(${formatSpan(fast.completionMs)}), with ${ratio(fast.calls, frugal.calls)} as many.`
  );
}

/** The figures of a strategy with a number of clients, where there are any. */
export function resultOf({ results }: Contention, strategy: string, clients: number): ContentionResult | undefined {
  return results.find((result) => result.strategy === strategy && result.clients === clients);
}

/** "1 run", "100 runs". */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function ascending(results: readonly ContentionResult[], figure: "calls" | "completionMs"): ContentionResult[] {
  return [...results].sort((one, other) => one[figure] - other[figure]);
}

function ratio(larger: number, smaller: number): string {
  return `${(larger / smaller).toFixed(1)} times`;
}
