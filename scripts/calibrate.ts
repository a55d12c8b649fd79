import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Intervention, interventions, loadRecordingFolder, type Recording } from "../lab/recordings/recordings.ts";
import { calibrate } from "./calibration/calibration.ts";
import { explainWithout } from "./calibration/explain-without.ts";
import type { Explain } from "./calibration/judgement.ts";
import { missLines, runningMissLines } from "./calibration/misses.ts";
import { reportLines, reportObject, runningLines, runningObject } from "./calibration/report.ts";
import { isRule, RULES } from "./calibration/rules.ts";
import { judgeRunning, runningFiguresOf } from "./calibration/running.ts";
import { WITHHELD, type WithheldName, without } from "./calibration/withheld.ts";
import { numberUpTo } from "./number-up-to.ts";

const USAGE =
  "Usage: npm run calibrate -- FOLDER… [--running] [--at-least SHARE] [--node NODE] [--pod POD] " +
  "[--without config,node,events,RULE] [--misses N] [-o json]";

type Settings = ReturnType<typeof settingsFrom>;

async function main(args: string[]): Promise<number> {
  let settings: Settings;
  try {
    settings = settingsFrom(args);
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    return 2;
  }
  const { folders, leftOutRules, withheld, isRunning, isJson, atLeast, misses } = settings;
  let recordings: Recording[];
  try {
    recordings = chosenRecordings(settings);
  } catch (error) {
    console.error(`Cannot read the recordings in ${folders.join(", ")}: ${(error as Error).message}`);
    return 1;
  }
  const explain = await explainWithout(leftOutRules);
  const asked: Explain = (observation) => explain(without(withheld, observation), {});
  const judge = isRunning ? whileRunning : whileDown;
  const { lines, object, right, moments, ifNone } = judge(
    recordings,
    folders.flatMap(interventionsNear),
    asked,
    misses,
  );
  console.log(isJson ? JSON.stringify(object, null, 2) : lines.join("\n"));
  if (moments === 0) console.error(ifNone);
  return moments === 0 || right / moments < atLeast ? 1 : 0;
}

function whileDown(recordings: readonly Recording[], known: readonly Intervention[], asked: Explain, misses: number) {
  const calibration = calibrate(recordings, known, asked);
  const { inside, moments } = calibration.totals;
  return {
    lines: [...reportLines(calibration), ...missLines(calibration.misses, misses)],
    object: reportObject(calibration),
    ...{ right: inside, moments },
    ifNone: "No wait in these recordings is long enough to ask for a prediction in it.",
  };
}

function whileRunning(
  recordings: readonly Recording[],
  known: readonly Intervention[],
  asked: Explain,
  misses: number,
) {
  const judgements = judgeRunning(recordings, known, asked);
  const { right, moments } = runningFiguresOf(judgements);
  return {
    lines: [...runningLines(judgements), ...runningMissLines(judgements, misses)],
    object: runningObject(judgements),
    ...{ right, moments },
    ifNone: "No run in these recordings is long enough to ask in it what its exit leads to.",
  };
}

function settingsFrom(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      "at-least": { type: "string", default: "0" },
      running: { type: "boolean", default: false },
      node: { type: "string" },
      pod: { type: "string" },
      without: { type: "string", default: "" },
      misses: { type: "string", default: "0" },
      output: { type: "string", short: "o", default: "text" },
    },
  });
  const { node, pod, running: isRunning, output } = values;
  if (positionals.length === 0) throw new Error("Name at least one folder of recordings.");
  if (output !== "text" && output !== "json") throw new Error("-o knows json only.");
  const left = values.without.split(",").filter((name) => name !== "");
  const unknown = left.find((name) => !isWithheld(name) && !isRule(name));
  if (unknown !== undefined) throw new Error(`--without does not know "${unknown}". ${KNOWN}`);
  return {
    ...{ folders: positionals, node, pod, isRunning, isJson: output === "json" },
    withheld: left.filter(isWithheld),
    leftOutRules: left.filter(isRule),
    atLeast: numberUpTo(1, values["at-least"], "--at-least"),
    misses: numberUpTo(Number.MAX_SAFE_INTEGER, values.misses, "--misses"),
  };
}

function isWithheld(name: string): name is WithheldName {
  return Object.hasOwn(WITHHELD, name);
}

const KNOWN = `It knows ${Object.keys(WITHHELD).join(", ")}, and of rules ${RULES.map(({ name }) => name).join(", ")}.`;

function chosenRecordings({ folders, node, pod }: Settings): Recording[] {
  return folders
    .flatMap((folder) => loadRecordingFolder(folder))
    .filter((found) => (node ?? found.node) === found.node && (pod ?? found.pod) === found.pod);
}

/** If `folder` is the folder of one node, interventions.json is one folder up. */
function interventionsNear(folder: string): Intervention[] {
  return [...interventions(folder), ...interventions(join(folder, ".."))];
}

process.exitCode = await main(process.argv.slice(2));
