import { beforeAll, describe, expect, it } from "vitest";
import type { FaultCase } from "./case.ts";
import { withOneQuestion } from "./catalogue.ts";
import { runSeparately, separateOutputs } from "./program.ts";
import { type FaultResult, tryFaults } from "./try-faults.ts";

/** Repeats the cases that failed, two at a time, because other runs may have slowed them down. */
async function triedTwice(cases: readonly FaultCase[]): Promise<readonly FaultResult[]> {
  const results = await tryFaults(cases, runSeparately);
  const failed = results.filter(({ problems }) => problems.length > 0);
  if (failed.length === 0) return results;
  const again = await tryFaults(
    failed.map(({ faultCase }) => faultCase),
    runSeparately,
    2,
  );
  return [...results.filter((one) => !failed.includes(one)), ...again];
}

export function describeFaults(all: readonly FaultCase[]): void {
  const cases = withOneQuestion(all);
  let results: readonly FaultResult[];
  beforeAll(async () => {
    const together = separateOutputs();
    try {
      // Loads the modules before the first run is timed.
      await Promise.all([runSeparately(["demo"]), import("@kubernetes/client-node/dist/config.js")]);
      results = await triedTwice(cases);
    } finally {
      together();
    }
  }, 120_000);

  describe.each([...Map.groupBy(cases, ({ fault }) => fault)])("%s", (_, ofFault) => {
    it.each(ofFault)("$variant: $outcome.words", (faultCase) => {
      const own = results.filter((result) => result.faultCase === faultCase);
      expect(own).toHaveLength(1);
      expect(
        own.flatMap(({ asked, protocol, problems }) => problems.map((problem) => `${asked} ${protocol}: ${problem}`)),
      ).toEqual([]);
    });
  });
}
