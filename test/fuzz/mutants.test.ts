import { describe, expect, it } from "vitest";
import { countOf, MUTANT_KINDS, type MutantId, Mutants, QUICK, tryKind } from "../../lab/hostile/mutant.ts";
import { worlds } from "../../lab/hostile/world.ts";

const WORLDS = worlds();
const mutants = new Mutants(WORLDS);

/** One mutant again: MUTANT='{"seed":12,"kind":"an absurd date"}' npx vitest run test/fuzz */
const AGAIN = process.env["MUTANT"];

if (AGAIN !== undefined) {
  it("breaks no law: the mutant that is asked for", async () => {
    const id = JSON.parse(AGAIN) as MutantId;
    const { changes } = mutants.make(id);
    console.log(changes.map(({ name, text }) => `${name} at ${text}`).join("\n"));
    expect((await mutants.try(id, true)).faults).toEqual([]);
  });
}

describe.skipIf(AGAIN !== undefined)("what is recorded, mutated", () => {
  it.each(MUTANT_KINDS)("breaks no law: %s", { timeout: 120_000 }, async (kind) => {
    const { faults, explained, refused, tried } = await tryKind(mutants, kind, QUICK);
    expect(faults).toEqual([]);
    expect(explained + refused).toBe(tried);
  });

  it("is the same again for the same seed", () => {
    const others = new Mutants(WORLDS);
    for (const kind of MUTANT_KINDS) {
      const [one, other] = [mutants.make({ seed: 7, kind }), others.make({ seed: 7, kind })];
      expect(String(one.text) === String(other.text) && one.world.name === other.world.name).toBe(true);
    }
  });

  it("tries 5,000 mutants", () => {
    expect(MUTANT_KINDS.reduce((sum, kind) => sum + countOf(kind, QUICK), 0)).toBeGreaterThanOrEqual(5_000);
  });
});
