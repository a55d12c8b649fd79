import { allFlags, partsOf, UNNAMED_COMMAND } from "../argv/read-argv.ts";
import type { CommandTable, FlagEntry } from "./command-table.ts";

/** What stands on the command line before the cursor, understood. */
export interface Line {
  /** Null: none is named yet, or `explain` is left out. */
  readonly command: string | null;
  /** The words that are neither the command nor flags. */
  readonly words: readonly string[];
  /** The values of the flags by name; none of a switch. */
  readonly flags: ReadonlyMap<string, readonly string[]>;
  readonly completing: Completing;
}

/** What the word at the cursor is: `text` is its beginning, for a value without the flag. */
type Completing =
  | { readonly kind: "word" | "flag"; readonly text: string }
  | { readonly kind: "value"; readonly flag: FlagEntry; readonly text: string };

/** The flags that can be given with a command; without one, those of `explain`. */
export function flagsOf(table: CommandTable, command: string | null): readonly FlagEntry[] {
  return table[command ?? UNNAMED_COMMAND]?.flags ?? [];
}

/** Reads the words after `kubectl backoff`; the last one is being completed. Flags that there are not are passed over. */
export function readLine(argv: readonly string[], table: CommandTable): Line {
  const shapes = allFlags(table);
  const parts = partsOf(argv.slice(0, -1), shapes);
  const last = argv.at(-1) ?? "";
  const words = parts.flatMap((part) => (part.kind === "word" ? [part.text] : []));
  const [first] = words;
  const command = first !== undefined && (first === "help" || Object.hasOwn(table, first)) ? first : null;
  const flags = new Map<string, readonly string[]>();
  for (const part of parts) {
    if (part.kind !== "flag" || isUnfinished(part)) continue;
    const given = part.flag.type === "option" && part.value !== null ? [part.value] : [];
    flags.set(part.flag.name, [...(flags.get(part.flag.name) ?? []), ...given]);
  }
  const end = parts.at(-1);
  const named = end?.kind === "rest" ? end.written.slice(1) : [];
  /** The same flag has other values with another command. */
  const ofCommand = (flag: FlagEntry) => flagsOf(table, command).find(({ name }) => name === flag.name) ?? flag;
  return { command, words: [...words.slice(command === null ? 0 : 1), ...named], flags, completing: completing() };

  function completing(): Completing {
    if (end?.kind === "flag" && isUnfinished(end)) return { kind: "value", flag: ofCommand(end.flag), text: last };
    if (end?.kind === "rest" || !last.startsWith("-")) return { kind: "word", text: last };
    const [part] = partsOf([last], shapes);
    if (part?.kind !== "flag" || part.flag.type !== "option" || part.value === null || !last.includes("="))
      return { kind: "flag", text: last };
    return { kind: "value", flag: ofCommand(part.flag), text: part.value };
  }
}

/** A flag whose value is still to come. */
function isUnfinished({ flag, value }: { readonly flag: FlagEntry; readonly value: string | null }): boolean {
  return flag.type === "option" && value === null;
}
