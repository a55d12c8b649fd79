import type { Lab } from "./lab.ts";
import type { PlannedRun } from "./planned-run.ts";
import { runsThatAnswer } from "./runs-that-answer.ts";
import { runsThatBreak } from "./runs-that-break.ts";
import { runsThatFail } from "./runs-that-fail.ts";
import { runsWithBadLogins } from "./runs-with-bad-logins.ts";

/** Every way in which the program comes across a secret. */
export function plannedRuns(lab: Lab): PlannedRun[] {
  return [...runsThatAnswer(lab), ...runsThatFail(lab), ...runsWithBadLogins(lab), ...runsThatBreak(lab)];
}
