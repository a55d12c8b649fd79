import { Command, type Interfaces } from "@oclif/core";
import type { Explanation } from "../explain/explanation.ts";
import { RENDERERS } from "../render/renderers.ts";
import type { OutputFormat } from "./flags.ts";

const COLUMNS_WITHOUT_TERMINAL = 80;

/** What all commands share: the clock, the terminal, and that errors are reported in one place. */
export abstract class BackoffCommand extends Command {
  static override flags: Interfaces.FlagInput = {};

  /** The only reading of the clock: everything below is told what time it is. */
  protected localNowMs(): number {
    return Date.now();
  }

  /** Prints an explanation, at once: a pipe gets all of it or nothing. */
  protected printExplanation(explanation: Explanation, flags: { output: OutputFormat; color: string }): void {
    this.print(RENDERERS[flags.output](explanation, this.look(flags.color)));
  }

  /** What a form for people may use of the terminal; `choice` is the value of --color. */
  protected look(choice: string): { columns: number; color: boolean; unicode: boolean } {
    return { columns: columnsOf(process.stdout), color: isColorful(choice), unicode: isUnicode() };
  }

  /** Prints a result. */
  protected print(text: string): void {
    process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
  }

  /** Says something that is not the result. */
  protected note(sentence: string): void {
    process.stderr.write(`${sentence}\n`);
  }

  /** oclif's own would print and set the exit code: `main` does. */
  protected override async catch(error: unknown): Promise<never> {
    throw error;
  }
}

function columnsOf(stdout: NodeJS.WriteStream): number {
  if (stdout.isTTY) return stdout.columns;
  const columns = Number(process.env["COLUMNS"]);
  return Number.isInteger(columns) && columns > 0 ? columns : COLUMNS_WITHOUT_TERMINAL;
}

/** A terminal of Windows shows Unicode whatever its code page; elsewhere the locale says it, and without one it is ASCII. */
function isUnicode(): boolean {
  if (process.platform === "win32") return true;
  const { LC_ALL, LC_CTYPE, LANG } = process.env;
  return /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || "");
}

function isColorful(choice: string): boolean {
  if (choice !== "auto") return choice === "always";
  return process.stdout.isTTY && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb";
}
