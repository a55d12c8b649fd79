import { parseGoDuration } from "../../kubelet/go-duration.ts";
import { instantOf, isInstantOrZero } from "./timestamp.ts";
import { countOf, integerOf, isObject, longCountOf, oneOf } from "./untrusted.ts";

/**
 * The declaration of one value in an API object. From it the value is read, a value that cannot be read is named (the gap
 * `invalid-fields`), and `src/report` learns what a report may repeat.
 */
export interface Field<T> {
  /**
   * Reads a value that nobody has checked, and never throws. A value that is absent or cannot be used reads as if it were
   * absent. The path of each one that cannot be used, relative to this field, is added to `problems`.
   */
  read(value: unknown, problems: string[]): T;
  readonly form: Form;
}

/** What a declaration says to programs that walk a JSON value. */
export type Form =
  | { readonly type: "value"; readonly content: Content; isUsable(value: unknown): boolean }
  | { readonly type: "object"; readonly fields: Fields }
  | { readonly type: "list"; readonly item: Form }
  | { readonly type: "map"; readonly value: Form; readonly keys: readonly string[] };

/**
 * What a value holds. "plain": times, counts, truth values and words of the API, which identify nothing. A regular expression
 * is the form of the texts that identify nothing. All others identify something or hold free text.
 */
export type Content = "plain" | RegExp | TextContent;

/** What a text holds that people or programs choose; "name" is the name of an object of any kind. */
export type TextContent =
  | ("name" | "namespace" | "uid" | "container" | "container-id" | "image" | "image-id" | "address")
  | ("label-key" | "label" | "field-path" | "reason" | "message" | "command");

/** The declarations of the fields of an object; the order is that of `problems`. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

type Values<F extends Fields> = { readonly [Name in keyof F]: ReturnType<F[Name]["read"]> };

/** A value without parts. `read` returns undefined for a value that cannot be used, null for one that says nothing. */
export function value<T>(content: Content, read: (value: unknown) => T | null | undefined): Field<T | null> {
  return {
    form: { type: "value", content, isUsable: (raw) => read(raw) !== undefined },
    read(raw, problems) {
      if (raw === undefined || raw === null) return null;
      const usable = read(raw);
      if (usable === undefined) problems.push("");
      return usable ?? null;
    },
  };
}

export const flag = value("plain", (raw) => (typeof raw === "boolean" ? raw : undefined));

/** An integer of 32 bits. */
export const integer = value("plain", (raw) => integerOf(raw) ?? undefined);

/** An integer of 32 bits that is not negative. */
export const count = value("plain", (raw) => countOf(raw) ?? undefined);

/** An integer of 64 bits that is not negative. */
export const longCount = value("plain", (raw) => longCountOf(raw) ?? undefined);

/** An RFC 3339 timestamp, as milliseconds since 1970. The zero times of Go and of container runtimes say nothing. */
export const time = value("plain", (raw) => instantOf(raw) ?? (isInstantOrZero(raw) ? null : undefined));

/** A duration as Go writes it, in milliseconds. Zero says nothing: the kubelet then takes its default. */
export const duration = value("plain", (raw) => {
  const durationMs = typeof raw === "string" ? parseGoDuration(raw) : null;
  return durationMs === null || durationMs < 0 ? undefined : durationMs || null;
});

/** A text. Go leaves out empty texts, so an empty one says nothing. */
export function text(content: Content): Field<string | null> {
  return value(content, (raw) => (typeof raw === "string" ? raw || null : undefined));
}

/** One of the words of an enumeration of the API. */
export function word<T extends string>(...words: readonly T[]): Field<T | null> {
  return value("plain", (raw) => (raw === "" ? null : (oneOf(raw, words) ?? undefined)));
}

/**
 * An object: only these fields are read. One that is absent reads as `{}` does. `key` is the field without which the object is
 * of no use: it is named where it is absent.
 */
export function object<F extends Fields>(fields: F, key?: keyof F & string): Field<Values<F>> {
  const declared = Object.entries(fields);
  const readFields = (raw: Readonly<Record<string, unknown>>, problems: string[]): Values<F> => {
    if (key !== undefined && isMissing(raw, key)) problems.push(`.${key}`);
    const values: Record<string, unknown> = {};
    for (const [name, field] of declared) {
      const before = problems.length;
      values[name] = field.read(Object.hasOwn(raw, name) ? raw[name] : undefined, problems);
      if (problems.length > before) prefix(problems, before, `.${name}`);
    }
    return values as Values<F>;
  };
  return {
    form: { type: "object", fields },
    read(raw, problems) {
      if (isObject(raw)) return readFields(raw, problems);
      if (raw !== undefined && raw !== null) problems.push("");
      return readFields({}, []);
    },
  };
}

function isMissing(raw: Readonly<Record<string, unknown>>, name: string): boolean {
  const found = Object.hasOwn(raw, name) ? raw[name] : null;
  return found === undefined || found === null || found === "";
}

/** An object or a list that reads as null where it is absent, or where it is something else. */
export function optional<T>(field: Field<T>): Field<T | null> {
  const isOfForm = field.form.type === "list" ? Array.isArray : isObject;
  return {
    form: field.form,
    read(raw, problems) {
      if (raw === undefined || raw === null) return null;
      const found = field.read(raw, problems);
      return isOfForm(raw) ? found : null;
    },
  };
}

/** A list. Elements that cannot be used, or that read as null, are left out. */
export function list<T>(item: Field<T>): Field<readonly NonNullable<T>[]> {
  const isOfObjects = item.form.type === "object";
  const readItem = (raw: unknown, problems: string[]): T | null => {
    const isNone = raw === undefined || raw === null || (isOfObjects && !isObject(raw));
    if (isNone) problems.push("");
    return isNone ? null : item.read(raw, problems);
  };
  return {
    form: { type: "list", item: item.form },
    read(raw, problems) {
      if (!Array.isArray(raw)) {
        if (raw !== undefined && raw !== null) problems.push("");
        return [];
      }
      const found: NonNullable<T>[] = [];
      for (const [index, element] of raw.entries()) {
        const before = problems.length;
        const read = readItem(element, problems);
        if (problems.length > before) prefix(problems, before, `[${index}]`);
        if (read !== null && read !== undefined) found.push(read);
      }
      return found;
    },
  };
}

/** An object whose keys people choose; `keys` are those that have a meaning in Kubernetes. Unusable values are left out. */
export function map<T>(of: Field<T>, keys: readonly string[] = []): Field<Readonly<Record<string, NonNullable<T>>>> {
  return {
    form: { type: "map", value: of.form, keys },
    read(raw, problems) {
      if (!isObject(raw)) {
        if (raw !== undefined && raw !== null) problems.push("");
        return {};
      }
      return Object.fromEntries(
        Object.entries(raw).flatMap(([key, element]): [string, NonNullable<T>][] => {
          const before = problems.length;
          const read = of.read(element, problems);
          if (problems.length > before) prefix(problems, before, `.${key}`);
          return read === null || read === undefined ? [] : [[key, read]];
        }),
      );
    },
  };
}

/** A field whose value is made into another one. `make` can add to the problems what contradicts itself. */
export function into<T, U>(field: Field<T>, make: (value: T, problems: string[]) => U): Field<U> {
  return { form: field.form, read: (raw, problems) => make(field.read(raw, problems), problems) };
}

function prefix(problems: string[], from: number, step: string): void {
  for (let index = from; index < problems.length; index++) problems[index] = step + problems[index];
}

/** What `read` made of an object, and the paths of what was present in it and could not be used. */
export function reading<T>(field: Field<T>, raw: unknown): { readonly value: T; readonly unusable: readonly string[] } {
  const problems: string[] = [];
  const value = field.read(raw, problems);
  return { value, unusable: problems.map((path) => (path === "" ? "all of it" : path.replace(/^\./, ""))) };
}

/** What `read` makes of an object, with `unusable` where something was present in it and could not be used. */
export function readObject<T extends object>(
  field: Field<T>,
  raw: unknown,
): T & { readonly unusable?: readonly string[] } {
  const { value, unusable } = reading(field, raw);
  return unusable.length === 0 ? value : { ...value, unusable };
}
