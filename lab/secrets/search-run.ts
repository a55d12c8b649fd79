import { readFileSync, rmSync } from "node:fs";
import { leaksIn, type Place } from "./canary.ts";
import type { PlannedRun, RunOutcome } from "./planned-run.ts";

export interface SearchedRun extends Pick<RunOutcome, "hosts"> {
  readonly leaks: readonly Place[];
}

/** Throws if `says` or `exitCode` does not match, because then the search proves nothing. */
export async function searchRun(
  planned: PlannedRun,
  run: (planned: PlannedRun) => Promise<RunOutcome>,
): Promise<SearchedRun> {
  const { stdout, stderr, exitCode, hosts } = await run(planned);
  const text = stdout + stderr + (planned.writes === undefined ? "" : readFileSync(planned.writes, "utf8"));
  if (planned.writes !== undefined) rmSync(planned.writes);
  const isThere = planned.says.test(text) && (planned.exitCode === null || planned.exitCode === exitCode);
  if (!isThere) throw new Error(`${planned.what}: exit code ${exitCode}\n${text}`);
  return { leaks: leaksIn(text), hosts };
}
