import { describe, expect, it } from "vitest";
import type { WayCase } from "../support/two-ways/case.ts";
import { mutants, QUICK_CASES, QUICK_MUTANTS } from "../support/two-ways/catalogue.ts";
import { tryWays } from "../support/two-ways/try-ways.ts";

/** One mutant again: MUTANT=12 npx vitest run test/cluster/direct-differential */
const AGAIN = process.env["MUTANT"];

async function problemsOf(cases: readonly WayCase[]): Promise<string[]> {
  const results = await tryWays(cases);
  expect(results).toHaveLength(cases.length);
  return results.flatMap(({ wayCase, problems }) => problems.map((problem) => `${wayCase.name}: ${problem}`));
}

/** The answers are those of Node's client alone, whatever comes, and each connection is closed in the end. */
describe("asking straight over TLS", { timeout: 120_000 }, () => {
  it.skipIf(AGAIN !== undefined)("gives the answer that Node's client gives", async () => {
    expect(await problemsOf(QUICK_CASES)).toEqual([]);
  });

  it("gives it where answers are mutated", async () => {
    expect(await problemsOf(AGAIN === undefined ? mutants(1, QUICK_MUTANTS) : mutants(Number(AGAIN), 1))).toEqual([]);
  });
});
