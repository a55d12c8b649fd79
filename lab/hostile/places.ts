import type { Json, World } from "./world.ts";

/** A place in a world: keys and indices from its top, "pod", "status", "phase". */
export type Path = readonly (string | number)[];

/** A place and what is there. */
export interface Place {
  readonly path: Path;
  readonly value: Json;
}

/** Every place of a world but its top level, in order. */
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

/** "pod.status.containerStatuses[0].state" */
export function textOfPath(path: Path): string {
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`))
    .join("")
    .slice(1);
}

/** The same value with what is at a place replaced; undefined takes it away. Shares whatever is not on the way. */
export function replacedAt(value: Json, path: Path, make: (there: Json) => Json | undefined): Json | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return make(value);
  if (Array.isArray(value)) {
    // An earlier mutation has made a list of what was a map.
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

/** Subtrees that nobody reads here: a mutation there shows only that they are left alone. */
const UNREAD =
  /\.(managedFields|tolerations|securityContext|requests|allocatedResources|volumes|volumeMounts|volumeDevices|env|command|args|images|addresses|capacity|allocatable|podIPs|hostIPs|daemonEndpoints|runtimeHandlers|features|config|user)\b/;

/** Of a kubelet's configuration hardly anything is read. */
const READ_CONFIG = /^configz\.kubeletconfig(\.(crashLoopBackOff\b.*|featureGates\b.*|syncFrequency))?$/;

/** Whether the reader may look at a place. */
export function isTelling({ path }: Place): boolean {
  const text = textOfPath(path);
  return text.startsWith("configz") ? READ_CONFIG.test(text) : !UNREAD.test(text);
}
