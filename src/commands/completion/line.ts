import { UNNAMED_COMMAND } from "../argv/rewrite-argv.ts";
import type { CommandTable, FlagEntry } from "./table-of.ts";

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

/** Reads the words after `kubectl backoff`; the last one is being completed. Words that nobody knows are passed over. */
export function readLine(argv: readonly string[], table: CommandTable): Line {
  const reader = new LineReader(table);
  for (const word of argv.slice(0, -1)) reader.read(word);
  return reader.line(argv.at(-1) ?? "");
}

class LineReader {
  readonly #table: CommandTable;
  readonly #words: string[] = [];
  readonly #flags = new Map<string, string[]>();
  #command: string | null = null;
  /** The flag whose value comes next. */
  #pending: FlagEntry | null = null;
  #isAfterDashes = false;

  constructor(table: CommandTable) {
    this.#table = table;
  }

  read(word: string): void {
    if (this.#pending !== null) this.#give(this.#pending, word);
    else if (this.#isAfterDashes) this.#words.push(word);
    else if (word === "--") this.#isAfterDashes = true;
    else if (word.startsWith("--")) this.#readLong(word.slice(2));
    else if (word.startsWith("-") && word !== "-") this.#readShort(word.slice(1));
    else if (this.#command === null && this.#words.length === 0 && this.#isCommand(word)) this.#command = word;
    else this.#words.push(word);
  }

  line(last: string): Line {
    return { command: this.#command, words: this.#words, flags: this.#flags, completing: this.#completing(last) };
  }

  #completing(last: string): Completing {
    if (this.#pending !== null) return { kind: "value", flag: this.#pending, text: last };
    if (this.#isAfterDashes || !last.startsWith("-")) return { kind: "word", text: last };
    const equals = last.indexOf("=");
    const flag = equals === -1 ? undefined : this.#flagIn(last.slice(0, equals));
    return flag?.takesValue ? { kind: "value", flag, text: last.slice(equals + 1) } : { kind: "flag", text: last };
  }

  #readLong(text: string): void {
    const equals = text.indexOf("=");
    const flag = this.#flagIn(`--${equals === -1 ? text : text.slice(0, equals)}`);
    if (flag === undefined) return;
    if (!flag.takesValue) this.#flags.set(flag.name, []);
    else if (equals === -1) this.#pending = flag;
    else this.#give(flag, text.slice(equals + 1));
  }

  /** `-n`, `-nprod`, `-n=prod`, and switches together: `-Aw`. */
  #readShort(letters: string): void {
    const flag = this.#flagIn(`-${letters.slice(0, 1)}`);
    if (flag === undefined) return;
    const rest = letters.slice(1);
    if (!flag.takesValue) {
      this.#flags.set(flag.name, []);
      if (rest !== "") this.#readShort(rest);
    } else if (rest === "") this.#pending = flag;
    else this.#give(flag, rest.replace(/^=/, ""));
  }

  #give(flag: FlagEntry, value: string): void {
    this.#flags.set(flag.name, [...(this.#flags.get(flag.name) ?? []), value]);
    this.#pending = null;
  }

  /** Before the command is known, any command's flag may be meant. */
  #flagIn(written: string): FlagEntry | undefined {
    const all = Object.keys(this.#table).flatMap((command) => flagsOf(this.#table, command));
    const known = [...flagsOf(this.#table, this.#command), ...(this.#command === null ? all : [])];
    return known.find(({ name, char }) => written === `--${name}` || written === `-${char}`);
  }

  #isCommand(word: string): boolean {
    return word === "help" || Object.hasOwn(this.#table, word);
  }
}
