import type { Interfaces } from "@oclif/core";
import { NO_TRACE, type Trace } from "../debug/debug-trace.ts";
import { ExitCode, forTerminal, isColorful, isUnicode, say, standardOutput } from "../terminal/standard-output.ts";
import { isUtc } from "../terminal/time-zone.ts";

const COLUMNS_WITHOUT_TERMINAL = 80;

/**
 * What all commands share: their flags, as oclif's parser and help read them, the clock and the terminal. oclif's own class
 * brings its search for commands along, which takes longer to load than an explanation takes.
 */
export abstract class BackoffCommand {
  static summary: string;
  static description?: string;
  static usage?: string | string[];
  static examples: string[] = [];
  /** Whether an argument too many is refused. */
  static strict = true;
  static args: Interfaces.ArgInput = {};
  static flags: Interfaces.FlagInput = {};

  readonly #argv: readonly string[];
  /** Is told what the command does, if --debug asks for it. */
  protected trace: Trace = NO_TRACE;

  /** `argv`: what follows the command's name. */
  constructor(argv: readonly string[]) {
    this.#argv = argv;
  }

  /** Does what the command is for, and prints it. Throws a UserError, oclif's errors of usage, or an ExitCode. */
  abstract run(): Promise<void>;

  /** The values of the flags and arguments that the command has; one of oclif's errors for others. */
  protected async parse<
    Flags extends Interfaces.OutputFlags<Interfaces.FlagInput>,
    BaseFlags extends Interfaces.OutputFlags<Interfaces.FlagInput>,
    Args extends Interfaces.OutputArgs<Interfaces.ArgInput>,
  >(command: Interfaces.Input<Flags, BaseFlags, Args>): Promise<Interfaces.ParserOutput<Flags, BaseFlags, Args>> {
    // Here, not at the top: without arguments there is nothing to parse.
    const { parse } = await import("@oclif/core/parser");
    const parsed = await parse([...this.#argv], command);
    if ((parsed.flags as { readonly debug?: boolean }).debug === true) await this.#startTrace();
    return parsed;
  }

  async #startTrace(): Promise<void> {
    const { DebugTrace } = await import("../debug/debug.ts");
    this.trace = new DebugTrace({ note: (line) => this.note(line), localNowMs: () => this.localNowMs() });
  }

  /** Whether anything follows the command's name. A command without flags need not load the parser for nothing. */
  protected hasArguments(): boolean {
    return this.#argv.length > 0;
  }

  protected exit(code: number): never {
    throw new ExitCode(code);
  }

  /** The only reading of the clock: everything below is told what time it is. */
  protected localNowMs(): number {
    return Date.now();
  }

  /** What a form for people may use of the terminal; `choice` is the value of --color. */
  protected look(choice: string): { columns: number; color: boolean; unicode: boolean; timeZone?: string } {
    const terminal = { columns: columnsOf(process.stdout), color: colorful(choice), unicode: isUnicode(process) };
    return isUtc(process.env["TZ"]) ? { ...terminal, timeZone: "UTC" } : terminal;
  }

  /** How wide rows may be; null: as wide as they are, for in a pipe names stay whole unless COLUMNS says that somebody minds. */
  protected rowColumns(): number | null {
    return process.stdout.isTTY || process.env["COLUMNS"] ? columnsOf(process.stdout) : null;
  }

  /** Prints a result, at once: a pipe gets all of it or nothing. What is for programs, as its form says, is left as it is. */
  protected print(text: string, form = "table"): void {
    const shown = form === "table" || form === "wide" ? forTerminal(text) : text;
    standardOutput().write(shown.endsWith("\n") ? shown : `${shown}\n`);
  }

  /** Says something that is not the result. */
  protected note(sentence: string): void {
    say(sentence);
  }
}

/** How wide what is printed there may be. */
export function columnsOf(stdout: NodeJS.WriteStream): number {
  if (stdout.isTTY) return stdout.columns;
  const columns = Number(process.env["COLUMNS"]);
  return Number.isInteger(columns) && columns > 0 ? columns : COLUMNS_WITHOUT_TERMINAL;
}

function colorful(choice: string): boolean {
  return isColorful(choice, { isTerminal: process.stdout.isTTY, env: process.env });
}
