import { printable } from "../../errors.ts";

interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const MOST_CHARACTERS = 200;

/**
 * Rings the bell of the first terminal in `screens`. Unless TERM is dumb or linux, also sends a notification (OSC 9).
 */
export function notify(text: string, screens: readonly Screen[] = [process.stderr, process.stdout]): void {
  const screen = screens.find(({ isTTY }) => isTTY === true);
  if (screen === undefined) return;
  const [line = ""] = text.split("\n");
  const canNotify = !["dumb", "linux"].includes(process.env["TERM"] ?? "");
  const shown = canNotify ? `\u001b]9;${printable(line).slice(0, MOST_CHARACTERS)}\u0007` : "";
  screen.write(`${shown}\u0007`);
}
