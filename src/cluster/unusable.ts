import type { Reading } from "../explain/observed/observation.ts";
import { isInstantOrZero } from "./timestamp.ts";
import { countOf, integerOf, isObject, longCountOf } from "./untrusted.ts";

/**
 * What a part of an object has to be for the reading to use it: a test of a value, the fields of an object, or what all
 * elements of an array (`items`) or all values of a map (`values`) have to be.
 */
export type Shape = ((value: unknown) => boolean) | ObjectShape | Items | Values;

/** The fields that are read; others may be anything. */
export interface ObjectShape {
  readonly fields: Readonly<Record<string, Shape>>;
  /** The field without which the object is of no use: it is named where it is missing. */
  readonly key?: string;
  /** ObjectShape that are well-formed but contradict others. */
  readonly contradictions?: (object: Readonly<Record<string, unknown>>) => readonly string[];
}

interface Items {
  readonly items: Shape;
}

interface Values {
  readonly values: Shape;
}

/**
 * Names what is present in `raw` but not of its shape, and so counts as absent: "status.containerStatuses[0].restartCount".
 * What is absent, `null` or an empty text is not named, for Go they are the same; but for what tells the elements of a list
 * apart.
 */
export function unusableIn(raw: unknown, shape: Shape): Reading {
  const unusable: string[] = [];
  look(raw, shape, "", unusable);
  return unusable.length === 0 ? {} : { unusable };
}

/** Adds to `found` what is not of its shape below `path`. Every object that is read is looked at, so it is not done lazily. */
function look(value: unknown, shape: Shape, path: string, found: string[]): void {
  if (value === undefined || value === null) return;
  if (typeof shape === "function") {
    if (!shape(value)) found.push(path);
  } else if ("items" in shape) {
    if (!Array.isArray(value)) found.push(path);
    else value.forEach((item, index) => void look(item ?? NOTHING, shape.items, `${path}[${index}]`, found));
  } else if (!isObject(value)) {
    found.push(path === "" ? "all of it" : path);
  } else if ("values" in shape) {
    for (const key of Object.keys(value)) look(value[key], shape.values, `${path}.${key}`, found);
  } else {
    lookAtFields(value, shape, path === "" ? "" : `${path}.`, found);
  }
}

/** A list has no place for `null`, whatever its elements are. */
const NOTHING = Symbol("nothing");

function lookAtFields(
  object: Readonly<Record<string, unknown>>,
  { fields, key, contradictions }: ObjectShape,
  prefix: string,
  found: string[],
): void {
  if (key !== undefined && isMissing(object, key)) found.push(prefix + key);
  for (const field in fields) {
    const shape = fields[field];
    if (shape !== undefined && Object.hasOwn(object, field)) look(object[field], shape, prefix + field, found);
  }
  for (const field of contradictions?.(object) ?? []) found.push(prefix + field);
}

function isMissing(object: Readonly<Record<string, unknown>>, field: string): boolean {
  const value = Object.hasOwn(object, field) ? object[field] : null;
  return value === undefined || value === null || value === "";
}

/** Any text. */
export function isText(value: unknown): boolean {
  return typeof value === "string";
}

/** A truth value. */
export function isFlag(value: unknown): boolean {
  return typeof value === "boolean";
}

/** A 32-bit integer. */
export function isInteger(value: unknown): boolean {
  return integerOf(value) !== null;
}

/** A 32-bit integer that is not negative. */
export function isCount(value: unknown): boolean {
  return countOf(value) !== null;
}

/** An integer that is not negative. */
export function isLongCount(value: unknown): boolean {
  return longCountOf(value) !== null;
}

/** An RFC 3339 timestamp. */
export const isTime = isInstantOrZero;

/** Any object. */
export const ANY_OBJECT: Shape = { fields: {} };

/** One of these words. */
export function wordOf(...words: readonly string[]): Shape {
  return (value) => value === "" || words.some((word) => word === value);
}

/** A list of objects with these fields; `key` tells them apart, where one without it is of no use. */
export function listOf(fields: ObjectShape["fields"], key?: string): Shape {
  return { items: { fields, ...(key !== undefined && { key }) } };
}
