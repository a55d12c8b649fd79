import { reading } from "../../src/cluster/objects/declaration.ts";
import { toEventSnapshot } from "../../src/cluster/objects/event.ts";
import { at, isObject, textOf } from "../../src/cluster/objects/json-access.ts";
import { toKubeletConfig, toNodeSnapshot } from "../../src/cluster/objects/node.ts";
import { toPodSnapshot } from "../../src/cluster/objects/pod.ts";
import { toCronJobSnapshot, toWorkloadSnapshot, WORKLOAD } from "../../src/cluster/objects/workload.ts";
import type { ObjectKind } from "../../src/cluster/objects/workload-kinds.ts";
import { type Path, replacedAt } from "./mutations.ts";
import { textOfJson } from "./nasty.ts";
import type { Json, WorldObjects } from "./world.ts";

type Read = (raw: unknown) => object | null;

const READERS: Readonly<Record<string, Read>> = {
  pod: toPodSnapshot,
  earlier: toPodSnapshot,
  events: toEventSnapshot,
  nodeEvents: toEventSnapshot,
  node: toNodeSnapshot,
  configz: toKubeletConfig,
  owners: (raw) => {
    const kind = (textOf(at(raw, "kind")) ?? "Deployment") as ObjectKind;
    const snapshot = kind === "CronJob" ? toCronJobSnapshot(raw) : toWorkloadSnapshot(kind, raw);
    const { unusable } = reading(WORKLOAD, raw);
    return { ...snapshot, ...(unusable.length > 0 && { unusable }) };
  },
};

/**
 * Finds a silent loss: the program read the value before the mutation, now reads it as missing, and does not say so.
 * Zero values are no loss. Another map in place of a map is no loss either, because a newer API may have other fields.
 */
export function silentLoss(before: WorldObjects, after: WorldObjects, path: Path): string | null {
  const [top = "", index] = path;
  const isListed = typeof index === "number";
  const inside = path.slice(isListed ? 2 : 1);
  const objectIn = (objects: WorldObjects): Json => {
    const found = (objects as unknown as Record<string, Json>)[top] ?? null;
    return isListed && Array.isArray(found) ? (found[index] ?? null) : found;
  };
  const read = READERS[top];
  // The program leaves out an object of another kind, and says so.
  if (read === undefined || inside.length === 0 || inside[0] === "kind" || inside[0] === "apiVersion") return null;
  const mutant: unknown = JSON.parse(textOfJson(objectIn(after)));
  const [value, former] = [valueAt(mutant, inside), valueAt(objectIn(before), inside)];
  if (isNothing(value) || (isObject(value) && isObject(former)) || isOtherText(value, former)) return null;
  const without = replacedAt(objectIn(before), inside, () => undefined) ?? null;
  const [original, absent, tampered] = [read(objectIn(before)), read(without), read(mutant)];
  // A configz without any configuration counts as missing, and the program says so.
  if (tampered === null) return null;
  const isLost = sameSnapshot(tampered, absent) && !sameSnapshot(original, absent);
  const isNamed = "unusable" in tampered;
  return isLost && !isNamed ? `${path.join(".")} is read as if it were not there, and nobody is told` : null;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null)?.[key], value);
}

/** Another text is no loss, except in place of a date or a duration. */
function isOtherText(value: unknown, former: unknown): boolean {
  return typeof value === "string" && typeof former === "string" && !/^\d{4}-\d\d-\d\dT|^\d+[a-z]/.test(former);
}

function isNothing(value: unknown): boolean {
  if (typeof value === "string") return /^(|0s|(1970|0001)-01-01T00:00:00Z)$/.test(value);
  if (typeof value !== "object" || value === null) return !value;
  return Object.keys(value).length === 0;
}

function sameSnapshot(a: object | null, b: object | null): boolean {
  const text = (snapshot: object | null): string => JSON.stringify({ ...snapshot, unusable: null });
  return text(a) === text(b);
}
