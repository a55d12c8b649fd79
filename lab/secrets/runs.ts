import type { Lab } from "./lab.ts";
import type { PlannedRun } from "./planned-run.ts";
import { runsThatAnswer } from "./runs-that-answer.ts";
import { runsThatBreak } from "./runs-that-break.ts";
import { runsThatFail } from "./runs-that-fail.ts";
import { runsWithBadLogins } from "./runs-with-bad-logins.ts";

export function runsByCase(lab: Lab): ReadonlyMap<string, readonly PlannedRun[]> {
  const cases = new Map([
    ["everything is well, in every form of output", runsThatAnswer(lab)],
    ["a server, a network or a proxy fails", runsThatFail(lab)],
    ["credentials cannot be had or used", runsWithBadLogins(lab)],
    ["a file is broken, usage is wrong, or there is a bug", runsThatBreak(lab)],
  ]);
  const runs = [...cases.values()].flat();
  return cases.set(
    "the same with --debug",
    runs.filter(takesDebug).map((run) => withFlag(run, "--debug")),
  );
}

export function plannedRuns(lab: Lab): PlannedRun[] {
  return [...runsByCase(lab).values()].flat();
}

const DEBUGGED = ["explain", "list", "simulate", "wait", "demo"];

function takesDebug({ argv, exitCode, isCompletion, writes, breaks }: PlannedRun): boolean {
  const hasForm = argv.includes("-o") && !argv.includes("json");
  const isOneOfMany = exitCode === 1 && argv[0] !== "explain";
  const isOdd = exitCode === null || isCompletion === true || writes !== undefined || breaks !== undefined;
  return DEBUGGED.includes(argv[0] ?? "") && !argv.includes("--help") && !hasForm && !isOneOfMany && !isOdd;
}

function withFlag(run: PlannedRun, flag: string): PlannedRun {
  return { ...run, what: `${run.what}, with ${flag}`, argv: [...run.argv, flag] };
}
