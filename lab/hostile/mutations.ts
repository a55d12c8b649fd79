import type { RandomSource } from "../../src/backoff/backoff.ts";
import { DATES, DURATIONS, KEYS, NESTED, NUMBERS, TEXT_PARTS, TYPES } from "./nasty.ts";
import type { Json, World, WorldObjects } from "./world.ts";

interface MutationKind {
  readonly suits: (place: Place) => boolean;
  /**
   * Returns the new value, or undefined to remove the value. `others` are the places that the kind of mutation suits.
   */
  readonly change: (place: Place, random: RandomSource, others: readonly Place[]) => Json | undefined;
}

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
const BACK_OFF = /(back-off )(\S+)( restarting)/;

const isDate = ({ value }: Place): boolean => typeof value === "string" && DATE.test(value);
const isDuration = ({ path, value }: Place): boolean => {
  if (typeof value !== "string") return false;
  return BACK_OFF.test(value) || (path[0] === "configz" && /^\d+[a-z]/.test(value));
};

export const MUTATIONS = {
  "a value of another type": { suits: isAny, change: (_, random) => oneOf(TYPES, random) },
  "a missing field": { suits: isAny, change: () => undefined },
  null: { suits: isAny, change: () => null },
  "an absurd number": {
    suits: (place) => typeof place.value === "number" || isDuration(place),
    change: (place, random) => absurdNumber(place.value, random),
  },
  "an absurd date": { suits: isDate, change: (_, random) => oneOf(DATES, random) },
  "dates in another order": { suits: isDate, change: (_, random, others) => oneOf(others, random).value },
  "the same twice": { suits: ({ value }) => Array.isArray(value) && value.length > 0, change: repeated },
  "10,000 levels": { suits: isAny, change: (_, random) => oneOf(NESTED, random) },
  "a very long text or list": { suits: ({ value }) => typeof value === "string" || isList(value), change: lengthened },
  "a key such as __proto__": {
    suits: ({ value }) => isMap(value),
    change: ({ value }, random) => keyed(value, random),
  },
  "hostile characters": {
    suits: ({ value }) => typeof value === "string",
    change: ({ value }, random) => spoiled(String(value), random),
  },
} as const satisfies Readonly<Record<string, MutationKind>>;

export type MutationName = keyof typeof MUTATIONS;

export interface Mutated {
  readonly objects: WorldObjects;
  readonly changes: readonly { readonly name: MutationName; readonly path: Path; readonly text: string }[];
}

export function mutated(before: Mutated, name: MutationName, places: readonly Place[], random: RandomSource): Mutated {
  const kind: MutationKind = MUTATIONS[name];
  const suitable = places.filter(kind.suits);
  if (suitable.length === 0) return before;
  const place = oneOf(suitable, random);
  const objects = replacedAt(before.objects as Json, place.path, () => kind.change(place, random, suitable));
  const change = { name, path: place.path, text: textOfPath(place.path) };
  return { objects: objects as unknown as WorldObjects, changes: [...before.changes, change] };
}

export function oneOf<T>(list: readonly T[], random: RandomSource): T {
  return list[Math.floor(random() * list.length)] as T;
}

function isAny(): boolean {
  return true;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value) && value.length > 0;
}

function isMap(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function absurdNumber(value: Json, random: RandomSource): Json {
  if (typeof value !== "string") return oneOf(NUMBERS, random);
  const duration = oneOf(DURATIONS, random);
  return BACK_OFF.test(value) ? value.replace(BACK_OFF, `$1${duration}$3`) : duration;
}

function repeated({ value }: Place, random: RandomSource): Json {
  if (!isList(value)) return value;
  const [one, other] = [oneOf(value, random), oneOf(value, random)];
  const both = isMap(one) && isMap(other) && random() < 0.5 ? { ...one, ...other, name: one["name"] ?? null } : one;
  return random() < 0.5 ? [...value, both] : [both, ...value];
}

function lengthened({ value }: Place, random: RandomSource): Json {
  if (typeof value === "string")
    return (value === "" ? "x" : value).repeat(Math.ceil(10 ** (3 + 2 * random()) / (value.length || 1)));
  if (!isList(value)) return value;
  const element = oneOf(value, random);
  const count = Math.ceil(10 ** (1 + 1.5 * random()));
  const copies = Array.from({ length: count }, (_, index) => numbered(element, index));
  return [...value, ...copies];
}

function numbered(element: Json, index: number): Json {
  if (!isMap(element)) return element;
  const { name, metadata } = element;
  if (typeof name === "string") return { ...element, name: `${name}-${index}` };
  if (!isMap(metadata ?? null)) return element;
  return { ...element, metadata: { ...(metadata as object), name: `x-${index}` } };
}

function keyed(value: Json, random: RandomSource): Json {
  if (!isMap(value)) return value;
  const polluted: Json = { polluted: true, name: "polluted", status: { phase: "Running" } };
  const own = oneOf([polluted, null, "text", 5, [] as Json], random);
  return Object.fromEntries([...Object.entries(value), [oneOf(KEYS, random), own]]);
}

function spoiled(text: string, random: RandomSource): string {
  const parts = Array.from({ length: 1 + Math.floor(random() * 3) }, () => oneOf(TEXT_PARTS, random)).join("");
  const place = Math.floor(random() * (text.length + 1));
  return random() < 0.2 ? parts : text.slice(0, place) + parts + text.slice(place);
}

export type Path = readonly (string | number)[];

export interface Place {
  readonly path: Path;
  readonly value: Json;
}

export function placesIn(world: World): readonly Place[] {
  return Object.entries(world.objects).flatMap(([key, value]) => [...below([key], value as Json)]);
}

function* below(path: Path, value: Json): Generator<Place> {
  yield { path, value };
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    yield* below([...path, Array.isArray(value) ? Number(key) : key], inner);
  }
}

function textOfPath(path: Path): string {
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`))
    .join("")
    .slice(1);
}

export function replacedAt(value: Json, path: Path, make: (there: Json) => Json | undefined): Json | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return make(value);
  if (Array.isArray(value)) {
    // An earlier mutation may have replaced a map by a list, or shortened the list.
    if (typeof key === "string" || key >= value.length) return value;
    const inner = replacedAt(value[key] ?? null, rest, make);
    return inner === undefined ? value.toSpliced(key, 1) : value.with(key, inner);
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).flatMap(([name, old]): [string, Json][] => {
    if (name !== key) return [[name, old]];
    const inner = replacedAt(old, rest, make);
    return inner === undefined ? [] : [[name, inner]];
  });
  return Object.fromEntries(entries);
}

/** The program reads little or nothing in these subtrees. */
const UNREAD =
  /\.(managedFields|tolerations|securityContext|requests|allocatedResources|volumes|volumeMounts|volumeDevices|env|command|args|images|addresses|capacity|allocatable|podIPs|hostIPs|daemonEndpoints|runtimeHandlers|features|config|user)\b/;

/** Fields of the kubelet's configuration that the back-off depends on. */
const RESTART_CONFIG = /^configz\.kubeletconfig(\.(crashLoopBackOff\b.*|featureGates\b.*|syncFrequency))?$/;

export function isTelling({ path }: Place): boolean {
  const text = textOfPath(path);
  return text.startsWith("configz") ? RESTART_CONFIG.test(text) : !UNREAD.test(text);
}
