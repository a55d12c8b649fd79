import { CONNECTION_FLAGS } from "../flags/connection-flags.ts";
import type { FlagShape } from "./rewrite-argv.ts";

type Flags = Readonly<Record<string, FlagShape & { readonly multiple?: boolean | undefined }>>;

/** Flags of `kubectl get` that an empty value leaves as they are; those of `kubectl options` are added. */
const LEFT_BY_EMPTY = ["container", "selector", "output"];

/** A flag as it is written: `argv` from `start` to before `end`. */
interface Given {
  readonly name: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Reads flags as kubectl does, whose command lines come from scripts and aliases: of a flag of `kubectl options` that is
 * given again the last one holds, and `-n "$UNSET"` is as good as nothing. Other flags may be given once.
 */
export function withKubectlValues(argv: readonly string[], flags: Flags): string[] {
  const given = givenIn(argv, flags);
  const dropped = given.filter(({ name, value, start }) => {
    const isOfKubectl = Object.hasOwn(CONNECTION_FLAGS, name);
    const isRepeatable = flags[name]?.multiple === true;
    const isOverridden =
      isOfKubectl && !isRepeatable && given.some((other) => other.name === name && other.start > start);
    const isEmpty = value === "" && !isRepeatable && (isOfKubectl || LEFT_BY_EMPTY.includes(name));
    return isOverridden || isEmpty;
  });
  return argv.filter((_, index) => !dropped.some(({ start, end }) => index >= start && index < end));
}

function givenIn(argv: readonly string[], flags: Flags): Given[] {
  const all: Given[] = [];
  for (let start = 0; start < argv.length && argv[start] !== "--"; start++) {
    const found = flagIn(argv[start] ?? "", flags);
    if (found === null) continue;
    const next = argv[start + 1];
    if (found.value === null && (next === undefined || next === "--")) continue;
    const end = start + (found.value === null ? 2 : 1);
    all.push({ name: found.name, value: found.value ?? next ?? "", start, end });
    start = end - 1;
  }
  return all;
}

/** The flag with a value that an argument is or begins; its value is null where it is the next argument. */
function flagIn(argument: string, flags: Flags): { name: string; value: string | null } | null {
  const { word = "", value } = /^--(?<word>[^=]+)(?:=(?<value>.*))?$/s.exec(argument)?.groups ?? {};
  if (word !== "") return flags[word]?.type === "option" ? { name: word, value: value ?? null } : null;
  const [, letter, rest = ""] = /^-([a-zA-Z])(.*)$/s.exec(argument) ?? [];
  const found = Object.entries(flags).find(([, { char, type }]) => char === letter && type === "option");
  if (letter === undefined || found === undefined) return null;
  return { name: found[0], value: rest === "" ? null : rest.replace(/^=/, "") };
}
