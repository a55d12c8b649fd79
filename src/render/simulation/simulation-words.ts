import type { PolicyExplanation } from "../../explain/answer/explanation.ts";
import { timesWords } from "../../explain/answer/prose.ts";
import { formatBriefDuration, roundToSecond } from "../../kubelet/go-duration.ts";
import { probeName } from "../../kubelet/killing-probe.ts";
import type { FailingProbe, VariedLength } from "../../simulate/simulated-run.ts";
import { harmless } from "../page/harmless.ts";
import { capitalized } from "../page/paint.ts";
import type { RunsOrigin, SimulationReport } from "./simulation-report.ts";

const MOST_LENGTHS = 8;

export function span(ms: number): string {
  return formatBriefDuration(ms < 1_000 ? Math.round(ms / 100) * 100 : roundToSecond(ms));
}

/** Compared reports have the same runs and restartPolicy, so the title is about the first report. */
export function titleOf(reports: readonly SimulationReport[]): string {
  const [first, ...others] = reports;
  if (first === undefined) return "";
  const title = titleOfReport(first, others.length === 0);
  return first.container === null ? capitalized(title) : title;
}

function titleOfReport({ runs, container, restartPolicy, policy }: SimulationReport, isOne: boolean): string {
  const whose = container === null ? "" : `${harmless(container)}: `;
  const version = policy.kubeletVersion === null ? " of unknown version" : ` ${harmless(policy.kubeletVersion)}`;
  const kubelet = isOne ? `, kubelet${version}` : "";
  return `${whose}${runsInWords(runs)}; restartPolicy ${restartPolicy}${kubelet}.`;
}

function runsInWords(runs: RunsOrigin): string {
  switch (runs.kind) {
    case "lengths":
      return `runs of ${lengthsInWords(runs.lengths)}, with exit code ${runs.exitCode}`;
    case "probe":
      return probeInWords(runs.probe);
    case "observed":
      return `runs as observed, of ${lengthsInWords(runs.runs.map(({ ranMs }) => ({ ms: ranMs, spreadMs: 0 })))}`;
  }
}

function lengthsInWords(lengths: readonly VariedLength[]): string {
  const words = lengths.map(({ ms, spreadMs }) => (spreadMs === 0 ? span(ms) : `${span(ms)} ± ${span(spreadMs)}`));
  const last = words.at(-1) ?? "";
  if (words.every((word) => word === last)) return last;
  const first = words.slice(0, -1);
  const listed = first.length > MOST_LENGTHS ? [...first.slice(0, MOST_LENGTHS), `… (${words.length} in all)`] : first;
  return `${listed.join(", ")}, then ${last} each time`;
}

function probeInWords(probe: FailingProbe): string {
  const { kind, initialDelayMs, periodMs, failureThreshold, graceMs, ignoresTerm, failsAfterMs } = probe;
  const name = probeName(kind);
  const from = failsAfterMs > 0 ? ` from ${span(failsAfterMs)} on` : "";
  const end = ignoresTerm ? `SIGTERM is ignored for ${span(graceMs)}` : "it stops on SIGTERM";
  return `the ${name} probe (after ${span(initialDelayMs)}, every ${span(periodMs)}) fails ${timesWords(failureThreshold)}${from}, then ${end}`;
}

export function delaysInWords({ initialMs, maxMs, resetAfterMs, kubeletVersion, basis }: PolicyExplanation): string {
  const growth = initialMs < maxMs ? `${span(initialMs)}, doubling to ${span(maxMs)}` : `${span(maxMs)} from the start`;
  const kubelet = harmless(kubeletVersion ?? "of the newest version known");
  const sources = {
    configz: `configuration of kubelet ${kubelet}`,
    flag: `as given, kubelet ${kubelet}`,
    version: `defaults of kubelet ${kubelet}`,
    assumed: `defaults of kubelet ${kubelet}`,
  };
  return `${growth}; resets after ${span(resetAfterMs)} (${sources[basis]})`;
}

/** Formats a share from 0 to 1 as e.g. "6%", "0.4%" or "99.97%". Only 1 is "100%". */
export function precisePercent(share: number): string {
  const value = share * 100;
  if (value > 99 && value < 100) return `${Math.floor(value * 100) / 100}%`;
  return `${value >= 10 || value === 0 ? Math.round(value) : Number(value.toPrecision(2))}%`;
}
