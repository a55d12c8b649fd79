import { COMMAND_TABLE } from "../../src/commands/completion/command-table.ts";
import { complete } from "../../src/commands/completion/print-completion.ts";
import type { Run } from "../../test/support/command.ts";
import { runSeparately, separateOutputs } from "../faults/program.ts";
import type { Lab } from "./lab.ts";
import type { PlannedRun, RunOutcome } from "./planned-run.ts";
import { allSecrets } from "./thrown.ts";
import { watchConnections } from "./watch-connections.ts";

/** Replaces `process.env` and, for a run that breaks, `Date.now`: two runs must not overlap. */
export async function runWithin(lab: Lab, run: PlannedRun): Promise<RunOutcome> {
  const [before, now] = [process.env, Date.now];
  const hosts: string[] = [];
  const restore = [separateOutputs(), watchConnections(hosts)];
  try {
    process.env = { ...lab.env, ...run.env };
    if (run.breaks !== undefined) Date.now = () => allSecrets();
    return { ...(run.isCompletion === true ? await completed(run) : await runSeparately(run.argv)), hosts };
  } finally {
    Date.now = now;
    process.env = before;
    for (const undo of restore) undo();
  }
}

async function completed({ argv }: PlannedRun): Promise<Run> {
  const stdout = await complete(argv, COMMAND_TABLE, { env: process.env, limitMs: 5_000 });
  return { exitCode: 0, stdout, stderr: "" };
}
