import { allFlags, DEFAULT_COMMAND } from "../argv/command-line.ts";
import { argumentParts, needsValue, plainWords } from "../argv/kubectl-syntax.ts";
import type { CommandTable, FlagEntry } from "./command-table.ts";

export interface Line {
  /** Null if the user has typed no command. Then `flagsOf` returns the flags of `DEFAULT_COMMAND`. */
  readonly command: string | null;
  readonly words: readonly string[];
  /** Keyed by the flags' names. A boolean flag has []. */
  readonly flags: ReadonlyMap<string, readonly string[]>;
  /** If this is a FlagEntry, the user is typing the value of this flag. */
  readonly completing: "word" | "flag" | FlagEntry;
  /** What the user has typed of the word, flag or value, e.g. "js" of "--output=js". */
  readonly text: string;
}

export function flagsOf(table: CommandTable, command: string | null): readonly FlagEntry[] {
  return table[command ?? DEFAULT_COMMAND]?.flags ?? [];
}

export function readLine(argv: readonly string[], table: CommandTable): Line {
  const shapes = allFlags(table);
  const parts = argumentParts(argv.slice(0, -1), shapes);
  const last = argv.at(-1) ?? "";
  const words = plainWords(parts);
  const [first] = words;
  const command = first !== undefined && (first === "help" || Object.hasOwn(table, first)) ? first : null;
  const flags = new Map<string, readonly string[]>();
  for (const part of parts) {
    if (part.kind !== "flag" || isUnfinished(part)) continue;
    const given = part.flag.type === "option" && part.value !== null ? [part.value] : [];
    flags.set(part.flag.name, [...(flags.get(part.flag.name) ?? []), ...given]);
  }
  const end = parts.at(-1);
  const named = end?.kind === "rest" ? end.words : [];
  // The values of a flag such as --output depend on the command.
  const ofCommand = (flag: FlagEntry) => flagsOf(table, command).find(({ name }) => name === flag.name) ?? flag;
  const line = { command, words: [...words.slice(command === null ? 0 : 1), ...named], flags, text: last };
  if (end?.kind === "flag" && isUnfinished(end)) return { ...line, completing: ofCommand(end.flag) };
  if (end?.kind === "rest" || !last.startsWith("-")) return { ...line, completing: "word" };
  const [part] = argumentParts([last], shapes);
  if (part?.kind !== "flag" || part.flag.type !== "option" || part.value === null || !last.includes("="))
    return { ...line, completing: "flag" };
  return { ...line, completing: ofCommand(part.flag), text: part.value };
}

function isUnfinished({ flag, value }: { readonly flag: FlagEntry; readonly value: string | null }): boolean {
  return needsValue(flag) && value === null;
}
