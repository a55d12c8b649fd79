import type { Interfaces } from "@oclif/core";
import { FORMS, type Form } from "../../render/forms.ts";
import type { RenderOptions } from "../../render/page/page.ts";
import type { DebugTrace } from "../debug/debug.ts";
import { forTerminal, isColorful, print, say } from "../terminal/standard-output.ts";
import { isUtc } from "../terminal/time-zone.ts";

const COLUMNS_WITHOUT_TERMINAL = 80;

export type AnyFlags = Interfaces.OutputFlags<Interfaces.FlagInput>;
export type CommandInput<Flags extends AnyFlags> = Interfaces.Input<
  Flags,
  AnyFlags,
  Interfaces.OutputArgs<Interfaces.ArgInput>
>;

export interface Parsed<Flags extends AnyFlags> {
  readonly words: readonly string[];
  /** `json` is here because oclif's type InferredFlags has the key. */
  readonly flags: Flags & { json: boolean | undefined };
}

/** Does not extend oclif's own base class, because that class loads slowly. */
export abstract class BackoffCommand {
  static summary: string;
  static description?: string;
  static usage?: string | string[];
  static examples: string[] = [];
  static strict = true;
  static args: Interfaces.ArgInput = {};
  static flags: Interfaces.FlagInput = {};

  protected readonly argv: readonly string[];
  /** Null without --debug, and before `parse`. */
  protected trace: DebugTrace | null = null;

  constructor(argv: readonly string[]) {
    this.argv = argv;
  }

  /** Returns the exit code. */
  abstract run(): Promise<number>;

  protected async parse<Flags extends AnyFlags>(command: CommandInput<Flags>): Promise<Parsed<Flags>> {
    // Imported here, because `version` without arguments does not need the parser.
    const { parse } = await import("@oclif/core/parser");
    const { argv, flags } = await parse([...this.argv], command);
    if ((flags as { readonly debug?: boolean }).debug === true) {
      const { DebugTrace } = await import("../debug/debug.ts");
      this.trace = new DebugTrace(say, () => this.localNowMs());
    }
    return { words: argv.map(String), flags };
  }

  /** In src, the only call of Date.now() except in the script of HTML pages. */
  protected localNowMs(): number {
    return Date.now();
  }

  protected renderOptions(colorChoice: string): RenderOptions {
    const { stdout, env } = process;
    const color = isColorful(colorChoice, { isTerminal: stdout.isTTY, env });
    const options = { columns: columnsOf(stdout), color };
    return isUtc(env["TZ"]) ? { ...options, timeZone: "UTC" } : options;
  }

  protected rowColumns(): number {
    return process.stdout.isTTY || process.env["COLUMNS"] ? columnsOf(process.stdout) : Number.POSITIVE_INFINITY;
  }

  protected print(text: string, form: Form = "table"): void {
    const shown = FORMS[form].isForTerminals ? forTerminal(text) : text;
    void print(shown.endsWith("\n") ? shown : `${shown}\n`);
  }

  protected readonly note = say;
}

export function columnsOf(stdout: NodeJS.WriteStream): number {
  if (stdout.isTTY) return stdout.columns;
  const columns = Number(process.env["COLUMNS"]);
  return Number.isInteger(columns) && columns > 0 ? columns : COLUMNS_WITHOUT_TERMINAL;
}
