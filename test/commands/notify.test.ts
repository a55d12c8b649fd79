import { expect, it, vi } from "vitest";
import { notify } from "../../src/commands/terminal/notify.ts";

const BEL = "\u0007";

function written(text: string, ...terminals: readonly boolean[]): string[] {
  const screens = terminals.map((isTTY) => ({ isTTY, write: vi.fn() }));
  notify(text, screens);
  return screens.map(({ write }) => write.mock.calls.join(""));
}

it.each([
  { terminals: [true, true], shown: [`\u001b]9;pod/web-0 is up${BEL}${BEL}`, ""], why: "stderr is a terminal" },
  { terminals: [false, true], shown: ["", `\u001b]9;pod/web-0 is up${BEL}${BEL}`], why: "only stdout is a terminal" },
  { terminals: [false, false], shown: ["", ""], why: "neither stream is a terminal" },
])("rings at most one terminal: $why", ({ terminals, shown }) => {
  vi.stubEnv("TERM", "xterm-256color");
  expect(written("pod/web-0 is up\nand more", ...terminals)).toEqual(shown);
});

it.each(["dumb", "linux"])("rings only the bell of a terminal without notifications: %s", (term) => {
  vi.stubEnv("TERM", term);
  expect(written("pod/web-0 is up", true)).toEqual([BEL]);
});

it("replaces the control characters of a name", () => {
  vi.stubEnv("TERM", "xterm");
  expect(written(`pod/${BEL}\u001b]0;x is up`, true)).toEqual([`\u001b]9;pod/??]0;x is up${BEL}${BEL}`]);
});
