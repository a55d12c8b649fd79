import { printable } from "../../errors.ts";

interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const LONGEST_NOTIFICATION = 200;

/**
 * Rings the terminal and, unless TERM is dumb or linux, asks it to show a desktop notification (OSC 9). Does nothing if
 * none of `screens` is a terminal.
 */
export function notify(text: string, screens: readonly Screen[] = [process.stderr, process.stdout]): void {
  const screen = screens.find(({ isTTY }) => isTTY === true);
  if (screen === undefined) return;
  const [line = ""] = text.split("\n");
  const canNotify = !["dumb", "linux"].includes(process.env["TERM"] ?? "");
  const shown = canNotify ? `\u001b]9;${printable(line).slice(0, LONGEST_NOTIFICATION)}\u0007` : "";
  screen.write(`${shown}\u0007`);
}
