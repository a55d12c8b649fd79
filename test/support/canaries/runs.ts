import type { Lab } from "./lab.ts";
import type { PlannedRun } from "./planned-run.ts";
import { runsThatAnswer } from "./runs-that-answer.ts";
import { runsThatBreak } from "./runs-that-break.ts";
import { runsThatFail } from "./runs-that-fail.ts";
import { runsWithBadLogins } from "./runs-with-bad-logins.ts";

/** Every way in which the program comes across a secret. */
export function plannedRuns(lab: Lab): PlannedRun[] {
  const runs = [...runsThatAnswer(lab), ...runsThatFail(lab), ...runsWithBadLogins(lab), ...runsThatBreak(lab)];
  return [...runs, ...runs.filter(takesDebug).map((run) => withFlag(run, "--debug"))];
}

const DEBUGGED = ["explain", "list", "simulate", "wait", "demo"];

/** Not where usage is wrong anyway, where a file exists from the run before, and where others do the same. */
function takesDebug({ argv, exitCode, isCompletion, writes, breaks }: PlannedRun): boolean {
  const hasForm = argv.includes("-o") && !argv.includes("json");
  const isOneOfMany = exitCode === 1 && argv[0] !== "explain";
  const isOdd = exitCode === null || isCompletion === true || writes !== undefined || breaks !== undefined;
  return DEBUGGED.includes(argv[0] ?? "") && !argv.includes("--help") && !hasForm && !isOneOfMany && !isOdd;
}

function withFlag(run: PlannedRun, flag: string): PlannedRun {
  return { ...run, what: `${run.what}, with ${flag}`, argv: [...run.argv, flag] };
}
