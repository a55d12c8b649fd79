import { parseGoDuration } from "../../kubelet/go-duration.ts";
import { countOf, integerOf, isObject, longCountOf, oneOf } from "./json-access.ts";
import { instantOf, isZeroTime } from "./timestamp.ts";

export interface Field<T> {
  /**
   * Never throws. Reads an unusable part of `value` like an absent one, and adds its path to `problems`, e.g.
   * ".spec.nodeName", or "" for the whole value.
   */
  read(value: unknown, problems: string[]): T;
  readonly form: FieldForm;
}

export type FieldForm =
  | { readonly type: "value"; readonly isSecret: boolean; isUsable(value: unknown): boolean }
  | { readonly type: "object"; readonly fields: Fields }
  | { readonly type: "list"; readonly item: FieldForm }
  | { readonly type: "map"; readonly value: FieldForm; readonly keys: readonly string[] };

type Fields = Readonly<Record<string, Field<unknown>>>;

type Values<F extends Fields> = { readonly [Name in keyof F]: ReturnType<F[Name]["read"]> };

/** `read` returns undefined for an unusable value, and null for a value that means "not set", e.g. an empty text. */
export function value<T>(read: (value: unknown) => T | null | undefined, isSecret = false): Field<T | null> {
  return {
    form: { type: "value", isSecret, isUsable: (raw) => read(raw) !== undefined },
    read(raw, problems) {
      if (isAbsent(raw)) return null;
      const usable = read(raw);
      if (usable === undefined) problems.push("");
      return usable ?? null;
    },
  };
}

export const flag = value((raw) => (typeof raw === "boolean" ? raw : undefined));

export const integer = value((raw) => integerOf(raw) ?? undefined);

export const count = value((raw) => countOf(raw) ?? undefined);

export const longCount = value((raw) => longCountOf(raw) ?? undefined);

/** In milliseconds since 1970. */
export const time = value((raw) => instantOf(raw) ?? (isZeroTime(raw) ? null : undefined));

/**
 * In milliseconds. Zero reads as null: the kubelet replaces a zero `syncFrequency` by its default, and refuses to start
 * with a zero `maxContainerRestartPeriod`.
 */
export const duration = value((raw) => {
  const durationMs = typeof raw === "string" ? parseGoDuration(raw) : null;
  return durationMs === null || durationMs < 0 ? undefined : durationMs || null;
});

const usableText = (raw: unknown): string | null | undefined => (typeof raw === "string" ? raw || null : undefined);

export const text = value(usableText);

export const textOrNumber = value((raw) => usableText(typeof raw === "number" ? String(raw) : raw));

/** A text that can contain a password, e.g. an argument of a command. A report leaves the text out. */
export const secretText = value(usableText, true);

export function word<T extends string>(...words: readonly T[]): Field<T | null> {
  return value((raw) => (raw === "" ? null : (oneOf(raw, words) ?? undefined)));
}

/**
 * An absent object reads like `{}`, not as null. An existing object needs the field `key`: if this field is absent or
 * empty, `problems` gets the field's path.
 */
export function object<F extends Fields>(fields: F, key?: keyof F & string): Field<Values<F>> {
  const declared = Object.entries(fields);
  return compound({ type: "object", fields }, isObject, {}, (raw, problems) => {
    const own = (name: string): unknown => (Object.hasOwn(raw, name) ? raw[name] : undefined);
    if (key !== undefined && (isAbsent(own(key)) || own(key) === "")) problems.push(`.${key}`);
    const values: Record<string, unknown> = {};
    for (const [name, field] of declared) values[name] = readPart(field, own(name), name, problems);
    return values as Values<F>;
  });
}

/** `item.read` must not return an array, because `flatMap` would flatten this array. */
export function list<T>(item: Field<T>): Field<readonly NonNullable<T>[]> {
  const isOfObjects = item.form.type === "object";
  const element: Pick<Field<T | null>, "read"> = {
    read(raw, problems) {
      if (!isAbsent(raw) && (!isOfObjects || isObject(raw))) return item.read(raw, problems);
      problems.push("");
      return null;
    },
  };
  return compound({ type: "list", item: item.form }, Array.isArray, [], (raw, problems) =>
    raw.flatMap((value, index) => readPart(element, value, index, problems) ?? []),
  );
}

/** An object with keys that users choose, e.g. labels. Kubernetes defines `keys`, so a report keeps them. */
export function map<T>(of: Field<T>, keys: readonly string[] = []): Field<Readonly<Record<string, NonNullable<T>>>> {
  return compound({ type: "map", value: of.form, keys }, isObject, {}, (raw, problems) => {
    const entries = Object.entries(raw).map(([key, value]) => [key, readPart(of, value, key, problems)] as const);
    return Object.fromEntries(entries.filter((entry): entry is [string, NonNullable<T>] => !isAbsent(entry[1])));
  });
}

function compound<Raw, T>(
  form: FieldForm,
  isOfForm: (raw: unknown) => raw is Raw,
  empty: Raw,
  readParts: (raw: Raw, problems: string[]) => T,
): Field<T> {
  return {
    form,
    read(raw, problems) {
      if (isOfForm(raw)) return readParts(raw, problems);
      if (!isAbsent(raw)) problems.push("");
      return readParts(empty, []);
    },
  };
}

function readPart<T>({ read }: Pick<Field<T>, "read">, raw: unknown, key: string | number, problems: string[]): T {
  const before = problems.length;
  const part = read(raw, problems);
  if (problems.length > before) {
    const step = typeof key === "number" ? `[${key}]` : `.${key}`;
    for (let index = before; index < problems.length; index++) problems[index] = step + problems[index];
  }
  return part;
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

export function optional<T>({ form, read }: Field<T>): Field<T | null> {
  const isOfForm = form.type === "list" ? Array.isArray : isObject;
  return {
    form,
    read(raw, problems) {
      if (isAbsent(raw)) return null;
      const found = read(raw, problems);
      return isOfForm(raw) ? found : null;
    },
  };
}

export function mapped<T, U>({ form, read }: Field<T>, make: (value: T, problems: string[]) => U): Field<U> {
  return { form, read: (raw, problems) => make(read(raw, problems), problems) };
}

export function reading<T>(field: Field<T>, raw: unknown): { readonly value: T; readonly unusable: readonly string[] } {
  const problems: string[] = [];
  const value = field.read(raw, problems);
  return { value, unusable: problems.map((path) => (path === "" ? "all of it" : path.replace(/^\./, ""))) };
}

export function readObject<T extends object>(
  field: Field<T>,
  raw: unknown,
): T & { readonly unusable?: readonly string[] } {
  const { value, unusable } = reading(field, raw);
  return unusable.length === 0 ? value : { ...value, unusable };
}
