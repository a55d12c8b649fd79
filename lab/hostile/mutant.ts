import { UserError } from "../../src/errors.ts";
import { explanationToJson, jsonText } from "../../src/render/json/json.ts";
import { seededRandom } from "../../src/simulate/seeded-random.ts";
import { BYTE_MUTATIONS, type ByteMutationName } from "./bytes.ts";
import { faultsOfExplanation, faultsOfOutput, isPolluted } from "./laws.ts";
import {
  isTelling,
  MUTATIONS,
  type Mutated,
  type MutationName,
  mutated,
  oneOf,
  type Place,
  placesIn,
} from "./mutations.ts";
import { silentLoss } from "./named.ts";
import { etaFormsOf, formsOf, listOfCluster, type Told, textOfWorld, toldOfBytes, toldOfCluster } from "./real-path.ts";
import { type World, worlds } from "./world.ts";

/** Equal IDs make equal mutants. */
export interface MutantId {
  readonly seed: number;
  readonly kind: MutantKind;
}

type MutantKind = MutationName | typeof SEVERAL | ByteMutationName;

const SEVERAL = "two to six of these";

export const MUTANT_KINDS: readonly MutantKind[] = [
  ...(Object.keys(MUTATIONS) as MutationName[]),
  SEVERAL,
  ...(Object.keys(BYTE_MUTATIONS) as ByteMutationName[]),
];

const CHANGES_A_VALUE: readonly MutantKind[] = ["a value of another type", "an absurd number", "an absurd date"];

interface Mutant extends Mutated {
  readonly world: World;
  readonly text: string | Uint8Array;
}

function isOfBytes(kind: MutantKind): kind is ByteMutationName {
  return Object.hasOwn(BYTE_MUTATIONS, kind);
}

interface Outcome {
  readonly result: "explained" | "refused";
  readonly isNamed: boolean;
  readonly faults: readonly string[];
}

/** A mutant that takes this long even on a busy machine might never end. */
const MOST_MS = 10_000;

interface Ground {
  readonly world: World;
  readonly places: readonly Place[];
  readonly telling: readonly Place[];
}

let grounds: readonly Ground[] | null = null;

function allGrounds(): readonly Ground[] {
  grounds ??= worlds().map((world) => {
    const places = placesIn(world);
    return { world, places, telling: places.filter(isTelling) };
  });
  return grounds;
}

export function makeMutant({ seed, kind }: MutantId): Mutant {
  const random = seededRandom(seed, kind);
  const { world, places, telling } = oneOf(allGrounds(), random);
  let result: Mutated = { objects: world.objects, changes: [] };
  if (isOfBytes(kind)) return { ...result, world, text: BYTE_MUTATIONS[kind](textOfWorld(world.objects), random) };
  const count = kind === SEVERAL ? 2 + Math.floor(random() * 5) : 1;
  for (let index = 0; index < count; index++) {
    const name = kind === SEVERAL ? oneOf(Object.keys(MUTATIONS) as MutationName[], random) : kind;
    result = mutated(result, name, random() < 0.1 ? places : telling, random);
  }
  return { ...result, world, text: textOfWorld(result.objects) };
}

/** If `isThorough`, checks more output formats, explains twice, and also reads objects from a simulated cluster. */
export async function tryMutant(id: MutantId, isThorough: boolean): Promise<Outcome> {
  const { objects, changes, world, text } = makeMutant(id);
  const startedMs = performance.now();
  const outcome = await outcomeOf(async () => {
    const [first] = changes;
    const loss = first && CHANGES_A_VALUE.includes(id.kind) ? silentLoss(world.objects, objects, first.path) : null;
    const told = await toldOfBytes(text, world.atMs);
    const faults = [...(loss === null ? [] : [loss]), ...faultsOfTold(told, id.seed, isThorough)];
    if (isThorough && !isEqual(told, await toldOfBytes(text, world.atMs))) faults.push("it is told otherwise again");
    if (isThorough && !isOfBytes(id.kind)) faults.push(...(await faultsInCluster(objects, world, id.seed)));
    return { told, faults };
  });
  const tookMs = Math.round(performance.now() - startedMs);
  const slow = tookMs > MOST_MS ? [`it takes ${tookMs} ms`] : [];
  const where = `${world.name}, ${changes.map((change) => `${change.name} at ${change.text}`).join("; ")}`;
  const faults = [...outcome.faults, ...slow].map((fault) => `${JSON.stringify(id)} ${where}: ${fault}`);
  return { ...outcome, faults };
}

async function outcomeOf(work: () => Promise<{ told: Told; faults: readonly string[] }>): Promise<Outcome> {
  try {
    const { told, faults } = await work();
    return {
      result: "explained",
      isNamed: namesFields(told),
      faults: [...faults, ...(isPolluted() ? ["Object.prototype is polluted"] : [])],
    };
  } catch (error) {
    if (error instanceof UserError)
      return { result: "refused", isNamed: false, faults: faultsOfOutput("error", error.text) };
    return { result: "refused", isNamed: false, faults: [String(error instanceof Error ? error.stack : error)] };
  }
}

function jsonOf({ explanation }: Told): string {
  return jsonText(explanationToJson(explanation));
}

function isEqual(one: Told, other: Told): boolean {
  return jsonOf(one) === jsonOf(other) && `${one.notes}` === `${other.notes}`;
}

function namesFields({ explanation }: Told): boolean {
  return explanation.pods.some(({ gaps }) => gaps.some(({ code }) => code === "invalid-fields"));
}

const widthFor = (seed: number): number => [20, 45, 80, 200][seed % 4] ?? 80;

function faultsOfTold({ seen, explanation, notes }: Told, seed: number, isThorough: boolean): string[] {
  const options = { columns: widthFor(seed), color: false };
  const forms = formsOf(explanation, options, isThorough);
  const etas = Object.entries(etaFormsOf(seen, options, isThorough));
  return [
    ...faultsOfExplanation(explanation),
    ...etas.flatMap(([form, text]) => faultsOfOutput(form, text)),
    ...Object.entries({ ...forms, notes: notes.join("\n") }).flatMap(([form, text]) => faultsOfOutput(form, text)),
  ];
}

async function faultsInCluster(objects: Mutated["objects"], world: World, seed: number): Promise<string[]> {
  const faults: string[] = [];
  try {
    faults.push(
      ...faultsOfTold(await toldOfCluster(objects, "web", world.atMs), seed, true).map(
        (fault) => `in a cluster, ${fault}`,
      ),
    );
    const list = await listOfCluster(objects, world.atMs, widthFor(seed));
    faults.push(...Object.entries(list).flatMap(([form, text]) => faultsOfOutput(form, text)));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    faults.push(...faultsOfOutput("error", error.text));
  }
  return faults;
}

interface TrialSize {
  readonly perKind: number;
  readonly perSlowKind: number;
  readonly firstSeed: number;
  readonly thoroughEvery: number;
}

export const QUICK: TrialSize = { perKind: 75, perSlowKind: 33, firstSeed: 1, thoroughEvery: 40 };

export const EXTENDED: TrialSize = { perKind: 8_000, perSlowKind: 4_500, firstSeed: 1_000_000, thoroughEvery: 10 };

/** The texts of these mutants are long, or are read as YAML. */
const SLOW: readonly MutantKind[] = ["10,000 levels", "a very long text or list", "YAML's own ways"];

interface Tally {
  readonly kind: MutantKind;
  readonly tried: number;
  readonly explained: number;
  readonly refused: number;
  readonly named: number;
  readonly faults: readonly string[];
}

export async function tryKind(kind: MutantKind, size: TrialSize): Promise<Tally> {
  const tried = SLOW.includes(kind) ? size.perSlowKind : size.perKind;
  const tally = { kind, tried, explained: 0, refused: 0, named: 0, faults: [] as string[] };
  for (let seed = size.firstSeed; seed < size.firstSeed + tried; seed++) {
    const { result, isNamed, faults } = await tryMutant({ seed, kind }, seed % size.thoroughEvery === 0);
    tally[result]++;
    if (isNamed) tally.named++;
    tally.faults.push(...faults);
  }
  return tally;
}

export async function tryAllKinds(size: TrialSize): Promise<readonly Tally[]> {
  const tallies: Tally[] = [];
  for (const kind of MUTANT_KINDS) tallies.push(await tryKind(kind, size));
  return tallies;
}
