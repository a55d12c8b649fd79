import type { Recording } from "../../lab/recordings/recordings.ts";
import type { Calibration } from "../../scripts/calibration/calibration.ts";
import { figuresBy } from "../../scripts/calibration/figures.ts";
import { type Column, cellsOf, RUNNING_COLUMNS, runningCells } from "../../scripts/calibration/report.ts";
import { type RunningJudgement, runningFiguresOf } from "../../scripts/calibration/running.ts";
import { markdownTable } from "../../scripts/markdown-table.ts";
import { at, textOf } from "../../src/cluster/objects/json-access.ts";
import { toKubeletConfig, toNodeSnapshot } from "../../src/cluster/objects/node.ts";
import { formatBriefDuration } from "../../src/kubelet/go-duration.ts";

const DOWN: readonly Column[] = [
  ...(["waits", "moments", "delay right", "inside", "early", "late", "overdue"] as const),
  "median window",
];

export function withCalibration(
  document: string,
  recordings: readonly Recording[],
  calibration: Calibration,
  judgements: readonly RunningJudgement[],
): string {
  const { scenarios, totals } = calibration;
  const running = figuresBy(judgements, ({ run }) => run.recording.node, runningFiguresOf);
  const byNode = [...running].map(([node, figures]) => [node, kubeletOf(node, recordings), ...runningCells(figures)]);
  const byScenario = [...scenarios].map(([scenario, figures]) => [`\`${scenario}\``, ...cellsOf(figures, DOWN)]);
  const ofRunning = [...byNode, ["all", "", ...runningCells(runningFiguresOf(judgements))]];
  const withRunning = between(
    document,
    "running",
    markdownTable(["node", "kubelet", ...RUNNING_COLUMNS], ofRunning, 2),
  );
  const ofScenarios = [...byScenario, ["all", ...cellsOf(totals, DOWN)]];
  const withScenarios = between(withRunning, "scenarios", markdownTable(["scenario", ...DOWN], ofScenarios, 1));
  return withNodeTable(withScenarios, "nodes", recordings, calibration);
}

export function withNodeTable(
  document: string,
  name: string,
  recordings: readonly Recording[],
  { nodes, totals }: Calibration,
): string {
  const byNode = [...nodes].map(([node, figures]) => [node, kubeletOf(node, recordings), ...cellsOf(figures, DOWN)]);
  const rows = [...byNode, ["all", "", ...cellsOf(totals, DOWN)]];
  return between(document, name, markdownTable(["node", "kubelet", ...DOWN], rows, 2));
}

function kubeletOf(node: string, recordings: readonly Recording[]): string {
  const recording = recordings.find((candidate) => candidate.node === node);
  const { kubeletVersion } = toNodeSnapshot(recording?.nodeRaw);
  const config = toKubeletConfig(recording?.configzRaw);
  const maxMs = config?.maxContainerRestartPeriodMs ?? 300_000;
  const gates = Object.keys(config?.featureGates ?? {}).filter((gate) => /CrashLoopBackOff/.test(gate));
  const maximum = maxMs === 300_000 ? [] : [`maximum ${formatBriefDuration(maxMs)}`];
  return [kubeletVersion ?? "unknown", ...otherRuntimeOf(recording), ...gates, ...maximum].join(", ");
}

function otherRuntimeOf(recording: Recording | undefined): string[] {
  const runtime = textOf(at(recording?.nodeRaw, "status", "nodeInfo", "containerRuntimeVersion")) ?? "";
  return runtime === "" || runtime.startsWith("containerd:") ? [] : [runtime.replace("://", " ")];
}

function between(document: string, name: string, lines: readonly string[]): string {
  const begin = `<!-- ${name}: written by test/recordings, begin -->`;
  const end = `<!-- ${name}: written by test/recordings, end -->`;
  const [before, rest] = document.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`There is no line "${begin}" before "${end}".`);
  return `${before}${begin}\n\n${lines.join("\n")}\n\n${end}${after}`;
}
