import { beforeAll, describe, expect, it } from "vitest";
import { type FaultResult, ONE_QUESTION_EACH, tryFaults } from "../support/faults-catalogue-run.ts";

let results: readonly FaultResult[];

beforeAll(async () => {
  results = await tryFaults(ONE_QUESTION_EACH);
}, 60_000);

const FAULTS = Map.groupBy(ONE_QUESTION_EACH, ({ fault }) => fault);

describe.each([...FAULTS])("%s", (_, cases) => {
  it.each(cases.map((one) => ({ ...one, words: one.outcome.words })))(
    "$variant: $words",
    ({ fault, variant, asked }) => {
      const own = results.filter(({ faultCase }) => faultCase.fault === fault && faultCase.variant === variant);
      expect(own.length).toBeGreaterThanOrEqual(asked.length);
      expect(own.flatMap((one) => one.problems.map((problem) => `${one.asked}: ${problem}`))).toEqual([]);
    },
  );
});
