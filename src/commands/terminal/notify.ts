import { printable } from "../../errors.ts";
import type { TerminalStream } from "./standard-output.ts";

const MOST_CHARACTERS = 200;

/**
 * Rings the bell of the first terminal in `streams`. Unless TERM is dumb or linux, also sends a notification (OSC 9).
 */
export function notify(text: string, streams: readonly TerminalStream[] = [process.stderr, process.stdout]): void {
  const terminal = streams.find(({ isTTY }) => isTTY === true);
  if (terminal === undefined) return;
  const [line = ""] = text.split("\n");
  const canNotify = !["dumb", "linux"].includes(process.env["TERM"] ?? "");
  const shown = canNotify ? `\u001b]9;${printable(line).slice(0, MOST_CHARACTERS)}\u0007` : "";
  terminal.write(`${shown}\u0007`);
}
