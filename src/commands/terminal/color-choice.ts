/** What of the surroundings bears on colours. */
export interface Surroundings {
  /** Whether it is a terminal that is written to. */
  readonly isTerminal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Whether to write in colours. What --color says holds; else NO_COLOR (no-color.org), then FORCE_COLOR (force-color.org) and
 * CLICOLOR_FORCE, then CLICOLOR=0 (bixense.com/clicolors), then whether there is a terminal that knows colours.
 */
export function isColorful(choice: string, { isTerminal, env }: Surroundings): boolean {
  if (choice !== "auto") return choice === "always";
  if (env["NO_COLOR"]) return false;
  const forced = env["FORCE_COLOR"] || env["CLICOLOR_FORCE"];
  if (forced) return forced !== "0" && forced !== "false";
  return isTerminal && env["CLICOLOR"] !== "0" && env["TERM"] !== "dumb";
}
