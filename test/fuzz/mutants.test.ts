import { describe, expect, it } from "vitest";
import { MUTANT_KINDS, type MutantId, makeMutant, QUICK, tryKind, tryMutant } from "../../lab/hostile/mutant.ts";

/** Tries one mutant again: MUTANT='{"seed":12,"kind":"an absurd date"}' npx vitest run test/fuzz */
const AGAIN = process.env["MUTANT"];

if (AGAIN !== undefined) {
  it("the program keeps every law of lab/hostile for the mutant in the variable MUTANT", async () => {
    const id = JSON.parse(AGAIN) as MutantId;
    console.log(
      makeMutant(id)
        .changes.map(({ name, text }) => `${name} at ${text}`)
        .join("\n"),
    );
    expect((await tryMutant(id, true)).faults).toEqual([]);
  });
}

describe.skipIf(AGAIN !== undefined)("mutated objects", () => {
  it.each(MUTANT_KINDS)("break no law of lab/hostile: %s", { timeout: 120_000 }, async (kind) => {
    const { faults, explained, refused, tried } = await tryKind(kind, QUICK);
    expect(faults).toEqual([]);
    expect(explained + refused).toBe(tried);
  });
});
