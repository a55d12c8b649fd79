import { at, textOf } from "../../src/cluster/objects/json-access.ts";
import { toKubeletConfig, toNodeSnapshot } from "../../src/cluster/objects/node.ts";
import { formatBriefDuration } from "../../src/kubelet/go-duration.ts";
import type { Recording } from "../recordings.ts";
import type { Calibration } from "./calibration.ts";
import { type Figures, figuresBy, shareOf } from "./figures.ts";
import { percent, runningCells, seconds } from "./report.ts";
import { type RunningJudgement, runningFiguresOf } from "./running.ts";

const DOWN = ["waits", "moments", "delay right", "inside", "early", "late", "overdue", "median window"];
const RUNNING = ["moments", "right", "with a probe", "right"];

/**
 * Renews the three tables of a document: predictions by node and by scenario, and forecasts for running containers.
 * Throws without the marks around the tables.
 */
export function withCalibration(
  document: string,
  recordings: readonly Recording[],
  calibration: Calibration,
  judgements: readonly RunningJudgement[],
): string {
  const { scenarios, totals } = calibration;
  const nameOf = (node: string) => kubeletOf(recordings.find((recording) => recording.node === node));
  const running = figuresBy(judgements, ({ run }) => run.recording.node, runningFiguresOf);
  const runningByNode = [...running].map(([node, figures]) => [node, nameOf(node), ...runningCells(figures)]);
  const byScenario = [...scenarios].map(([scenario, figures]) => [`\`${scenario}\``, ...downCells(figures)]);
  const tables = {
    running: table(["node", "kubelet", ...RUNNING], 2, [
      ...runningByNode,
      ["all", "", ...runningCells(runningFiguresOf(judgements))],
    ]),
    scenarios: table(["scenario", ...DOWN], 1, [...byScenario, ["all", ...downCells(totals)]]),
  };
  const withNodes = withNodeTable(document, "nodes", recordings, calibration);
  return Object.entries(tables).reduce((text, [name, lines]) => between(text, name, lines), withNodes);
}

/** Renews the table of this name: predictions by node. */
export function withNodeTable(
  document: string,
  name: string,
  recordings: readonly Recording[],
  { nodes, totals }: Calibration,
): string {
  const nameOf = (node: string) => kubeletOf(recordings.find((recording) => recording.node === node));
  const byNode = [...nodes].map(([node, figures]) => [node, nameOf(node), ...downCells(figures)]);
  return between(
    document,
    name,
    table(["node", "kubelet", ...DOWN], 2, [...byNode, ["all", "", ...downCells(totals)]]),
  );
}

/** The kubelet's version, a container runtime other than containerd, and settings that change restarts. */
function kubeletOf(recording: Recording | undefined): string {
  const { kubeletVersion } = toNodeSnapshot(recording?.nodeRaw);
  const config = toKubeletConfig(recording?.configzRaw);
  const maxMs = config?.maxContainerRestartPeriodMs ?? null;
  const gates = Object.keys(config?.featureGates ?? {}).filter((gate) => /CrashLoopBackOff/.test(gate));
  const isDefault = maxMs === null || maxMs === 300_000;
  const maximum = isDefault ? [] : [`maximum ${formatBriefDuration(maxMs)}`];
  return [kubeletVersion ?? "unknown", ...otherRuntimeOf(recording), ...gates, ...maximum].join(", ");
}

function otherRuntimeOf(recording: Recording | undefined): string[] {
  const runtime = textOf(at(recording?.nodeRaw, "status", "nodeInfo", "containerRuntimeVersion")) ?? "";
  return runtime === "" || runtime.startsWith("containerd:") ? [] : [runtime.replace("://", " ")];
}

function between(document: string, name: string, lines: string): string {
  const begin = `<!-- ${name}: written by npm run calibrate, begin -->`;
  const end = `<!-- ${name}: written by npm run calibrate, end -->`;
  const [before, rest] = document.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`There is no line "${begin}" before "${end}".`);
  return `${before}${begin}\n\n${lines}\n\n${end}${after}`;
}

function table(headings: readonly string[], texts: number, rows: readonly (readonly string[])[]): string {
  const rules = headings.map((_, index) => (index < texts ? "---" : "---:"));
  return [headings, rules, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** A moment without a window is neither early nor late, but not inside either. */
function downCells(figures: Figures): string[] {
  const { waits, moments, delayRight, delayKnown, inside, early, late, overdue, medianWindowMs } = figures;
  return [
    String(waits),
    String(moments),
    shareOf(delayRight, delayKnown) === null ? "not named" : percent(delayRight, delayKnown),
    ...[inside, early, late, overdue].map((count) => percent(count, moments)),
    seconds(medianWindowMs),
  ];
}
