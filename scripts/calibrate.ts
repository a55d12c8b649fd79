import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { calibrate } from "./calibration/calibration.ts";
import { explainWithout } from "./calibration/explain-without.ts";
import { shareOf } from "./calibration/figures.ts";
import type { Explain } from "./calibration/judgement.ts";
import { withCalibration, withNodeTable } from "./calibration/markdown.ts";
import { missLines, runningMissLines } from "./calibration/misses.ts";
import { reportLines, reportObject, runningLines, runningObject } from "./calibration/report.ts";
import { isRule, RULES } from "./calibration/rules.ts";
import { judgeRunning, runningFiguresOf } from "./calibration/running.ts";
import { WITHHELD, type WithheldName, without } from "./calibration/withheld.ts";
import { type Intervention, interventions, loadRecordingFolder, type Recording } from "./recordings.ts";

const USAGE =
  "Usage: npm run calibrate -- FOLDER… [--running] [--at-least SHARE] [--node NODE] [--pod POD] " +
  "[--without config,node,events,RULE] [--misses N] [--write FILE [--table NAME]] [-o json]";

interface Settings {
  readonly folders: readonly string[];
  /** Asks while containers run, instead of while they are down. */
  readonly running: boolean;
  readonly atLeast: number | null;
  readonly node: string | null;
  readonly pod: string | null;
  /** Objects that the program does not get. */
  readonly withheld: readonly WithheldName[];
  /** Rules that the model does not have. */
  readonly rules: readonly string[];
  readonly misses: number;
  readonly json: boolean;
  /** The document whose tables are renewed. */
  readonly document: string | null;
  /** One of its tables, by node; null: all three. */
  readonly table: string | null;
}

async function main(args: string[]): Promise<number> {
  let settings: Settings;
  try {
    settings = settingsFrom(args);
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    return 2;
  }
  let recordings: Recording[];
  try {
    recordings = chosenRecordings(settings);
  } catch (error) {
    console.error(`Cannot read the recordings in ${settings.folders.join(", ")}: ${(error as Error).message}`);
    return 1;
  }
  const known = settings.folders.flatMap(interventionsNear);
  const explain = await explainWithout(settings.rules);
  const asked: Explain = (observation) => explain(without(settings.withheld, observation), {});
  if (settings.document !== null) {
    const page = readFileSync(settings.document, "utf8");
    const calibration = calibrate(recordings, known, asked);
    const written =
      settings.table === null
        ? withCalibration(page, recordings, calibration, judgeRunning(recordings, known, asked))
        : withNodeTable(page, settings.table, recordings, calibration);
    writeFileSync(settings.document, written);
    return 0;
  }
  return settings.running
    ? whileRunning(recordings, known, asked, settings)
    : whileDown(recordings, known, asked, settings);
}

function whileDown(
  recordings: readonly Recording[],
  known: readonly Intervention[],
  asked: Explain,
  settings: Settings,
) {
  const startedAtMs = performance.now();
  const calibration = calibrate(recordings, known, asked);
  const tookMs = performance.now() - startedAtMs;
  if (settings.json) console.log(JSON.stringify(reportObject(calibration, tookMs), null, 2));
  else console.log([...reportLines(calibration, tookMs), ...missLines(calibration.misses, settings.misses)].join("\n"));
  const { inside, moments } = calibration.totals;
  if (moments === 0) console.error("No wait in these recordings is long enough to ask for a prediction in it.");
  return exitCodeOf(inside, moments, settings);
}

function whileRunning(
  recordings: readonly Recording[],
  known: readonly Intervention[],
  asked: Explain,
  settings: Settings,
) {
  const judgements = judgeRunning(recordings, known, asked);
  if (settings.json) console.log(JSON.stringify(runningObject(judgements), null, 2));
  else console.log([...runningLines(judgements), ...runningMissLines(judgements, settings.misses)].join("\n"));
  const { right, moments } = runningFiguresOf(judgements);
  if (moments === 0) console.error("No run in these recordings is long enough to ask in it what its exit leads to.");
  return exitCodeOf(right, moments, settings);
}

function exitCodeOf(part: number, whole: number, { atLeast }: Settings): number {
  if (atLeast === null) return whole === 0 ? 1 : 0;
  return (shareOf(part, whole) ?? 0) < atLeast ? 1 : 0;
}

function settingsFrom(args: string[]): Settings {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      "at-least": { type: "string" },
      running: { type: "boolean" },
      node: { type: "string" },
      pod: { type: "string" },
      without: { type: "string" },
      misses: { type: "string" },
      output: { type: "string", short: "o" },
      write: { type: "string" },
      table: { type: "string" },
    },
  });
  if (positionals.length === 0) throw new Error("Name at least one folder of recordings.");
  if (values.output !== undefined && values.output !== "json") throw new Error("-o knows json only.");
  const left = values.without === undefined ? [] : values.without.split(",");
  const unknown = left.find((name) => !isWithheld(name) && !isRule(name));
  if (unknown !== undefined) throw new Error(`--without does not know "${unknown}". ${KNOWN}`);
  return {
    folders: positionals,
    running: values.running ?? false,
    atLeast: values["at-least"] === undefined ? null : numberBelow(values["at-least"], 1, "--at-least"),
    node: values.node ?? null,
    pod: values.pod ?? null,
    withheld: left.filter(isWithheld),
    rules: left.filter(isRule),
    misses: numberBelow(values.misses ?? "0", Number.MAX_SAFE_INTEGER, "--misses"),
    json: values.output === "json",
    document: values.write ?? null,
    table: values.table ?? null,
  };
}

function isWithheld(name: string): name is WithheldName {
  return Object.hasOwn(WITHHELD, name);
}

const KNOWN = `It knows ${Object.keys(WITHHELD).join(", ")}, and of rules ${RULES.map(({ name }) => name).join(", ")}.`;

function numberBelow(text: string, most: number, flag: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= most)) throw new Error(`${flag} cannot be "${text}".`);
  return value;
}

function chosenRecordings({ folders, node, pod }: Settings): Recording[] {
  return folders
    .flatMap(loadRecordingFolder)
    .filter((recording) => (node === null || recording.node === node) && (pod === null || recording.pod === pod));
}

/** The interventions are one folder up if the folder is that of one node. */
function interventionsNear(folder: string): Intervention[] {
  return [...interventions(folder), ...interventions(join(folder, ".."))];
}

process.exitCode = await main(process.argv.slice(2));
