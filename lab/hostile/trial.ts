import { MUTANT_KINDS, type MutantKind, Mutants } from "./mutant.ts";
import { worlds } from "./world.ts";

/** How many mutants of each kind are tried, and how many of them thoroughly. */
interface TrialSize {
  readonly perKind: number;
  readonly perSlowKind: number;
  readonly firstSeed: number;
  /** Every so many-th is printed in every form, and read from a cluster as well. */
  readonly thoroughEvery: number;
}

/** In every run of the tests: 5,000 in all. */
export const QUICK: TrialSize = { perKind: 420, perSlowKind: 130, firstSeed: 1, thoroughEvery: 60 };

/** More than 100,000 in all. */
export const EXTENDED: TrialSize = { perKind: 8_000, perSlowKind: 4_500, firstSeed: 1_000_000, thoroughEvery: 10 };

/** Their texts are long, or read as YAML. */
const SLOW: readonly MutantKind[] = ["10,000 levels", "a very long text or list", "YAML's own ways"];

/** How many mutants of a kind are tried. */
export function countOf(kind: MutantKind, { perKind, perSlowKind }: TrialSize): number {
  return SLOW.includes(kind) ? perSlowKind : perKind;
}

/** What came of the mutants of one kind. */
export interface Tally {
  readonly kind: MutantKind;
  readonly tried: number;
  readonly explained: number;
  /** With a sentence for people. */
  readonly refused: number;
  /** Explained, with a gap that names what could not be used. */
  readonly named: number;
  /** Each begins with the seed and the kind that make the mutant again. */
  readonly faults: readonly string[];
}

/** Tries mutants of one kind; the worlds they are made of are read once. */
export async function tryKind(mutants: Mutants, kind: MutantKind, size: TrialSize): Promise<Tally> {
  const tried = countOf(kind, size);
  const tally = { kind, tried, explained: 0, refused: 0, named: 0, faults: [] as string[] };
  for (let seed = size.firstSeed; seed < size.firstSeed + tried; seed++) {
    const { result, isNamed, faults } = await mutants.try({ seed, kind }, seed % size.thoroughEvery === 0);
    tally[result]++;
    if (isNamed) tally.named++;
    tally.faults.push(...faults);
  }
  return tally;
}

/** The same of all kinds, in their order. */
export async function tryAllKinds(size: TrialSize): Promise<readonly Tally[]> {
  const mutants = new Mutants(worlds());
  const tallies: Tally[] = [];
  for (const kind of MUTANT_KINDS) tallies.push(await tryKind(mutants, kind, size));
  return tallies;
}
