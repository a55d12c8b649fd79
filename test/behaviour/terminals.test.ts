import { describe, expect, it, vi } from "vitest";
import { isColorful, isUnicode } from "../../src/commands/terminal/standard-output.ts";
import { inAscii } from "../../src/render/page/paint.ts";
import { repositoryFile, run, runFile } from "../support/command.ts";

const ESCAPE = "\u001b";

describe("isColorful()", () => {
  it.each([
    { env: {}, terminal: true, pipe: false },
    { env: { TERM: "dumb" }, terminal: false, pipe: false },
    { env: { NO_COLOR: "0" }, terminal: false, pipe: false },
    { env: { NO_COLOR: "" }, terminal: true, pipe: false },
    { env: { NO_COLOR: "1", FORCE_COLOR: "1" }, terminal: false, pipe: false },
    { env: { FORCE_COLOR: "1" }, terminal: true, pipe: true },
    { env: { FORCE_COLOR: "3", TERM: "dumb" }, terminal: true, pipe: true },
    { env: { FORCE_COLOR: "0" }, terminal: false, pipe: false },
    { env: { FORCE_COLOR: "false" }, terminal: false, pipe: false },
    { env: { CLICOLOR_FORCE: "1" }, terminal: true, pipe: true },
    { env: { CLICOLOR_FORCE: "0" }, terminal: false, pipe: false },
    { env: { CLICOLOR: "0" }, terminal: false, pipe: false },
    { env: { CLICOLOR: "1" }, terminal: true, pipe: false },
    { env: { NO_COLOR: "1", CLICOLOR_FORCE: "1" }, terminal: false, pipe: false },
    { env: { FORCE_COLOR: "1", CLICOLOR: "0" }, terminal: true, pipe: true },
    { env: { FORCE_COLOR: "0", CLICOLOR_FORCE: "1" }, terminal: false, pipe: false },
  ])(
    "returns $terminal on a terminal and $pipe in a pipe with $env, and obeys --color=always and =never",
    ({ env, terminal, pipe }) => {
      for (const isTerminal of [true, false]) {
        expect(isColorful("auto", { isTerminal, env })).toBe(isTerminal ? terminal : pipe);
        expect(isColorful("always", { isTerminal, env })).toBe(true);
        expect(isColorful("never", { isTerminal, env })).toBe(false);
      }
    },
  );

  it("decides whether the program prints colours", async () => {
    const env = { NO_COLOR: "", FORCE_COLOR: "1" };
    const { stdout } = await runFile(repositoryFile("bin/main.js"), ["demo"], { env });
    expect(stdout).toContain(ESCAPE);
    expect((await run("demo", "--color=always")).stdout).toContain(ESCAPE);
    expect((await run("demo")).stdout).not.toContain(ESCAPE);
  });
});

describe("isUnicode()", () => {
  it.each([
    { env: { LANG: "de_DE.UTF-8" }, is: true },
    { env: { LANG: "C.utf8" }, is: true },
    { env: { LC_ALL: "C", LANG: "de_DE.UTF-8" }, is: false },
    { env: { LC_CTYPE: "POSIX", LANG: "de_DE.UTF-8" }, is: false },
    { env: { LC_ALL: "", LC_CTYPE: "en_US.UTF-8", LANG: "C" }, is: true },
    { env: { LANG: "de_DE.ISO-8859-1" }, is: false },
    { env: {}, is: false },
  ])("returns $is with $env, and true on Windows", ({ env, is }) => {
    expect(isUnicode({ env, platform: "linux" })).toBe(is);
    expect(isUnicode({ env, platform: "win32" })).toBe(true);
  });
});

describe("a terminal without Unicode", () => {
  it.each([
    { text: "a-po…bcde app", ascii: "a-po~bcde app", why: "~ is as wide as the ellipsis in a shortened name" },
    {
      text: "failed …. Pulls\n…\n",
      ascii: "failed .... Pulls\n...\n",
      why: "three dots fit at the end of a sentence or on a line of their own",
    },
    { text: "web-… 0/1  exit 1…\n", ascii: "web-~ 0/1  exit 1~\n", why: "~ keeps the width of a column" },
    {
      text: "waits for …\ngated … 0/1",
      ascii: "waits for ~\ngated ~ 0/1",
      why: "a column may be cut off after a space",
    },
    {
      text: "  … and 2 more; 1s, … (7 in all)",
      ascii: "  ... and 2 more; 1s, ... (7 in all)",
      why: "three dots fit at the beginning of a line and in a list",
    },
    {
      text: "10ms ± 2ms → 3× “x” – ≥ 1",
      ascii: '10ms +- 2ms -> 3x "x" - >= 1',
      why: "signs have similar ASCII characters",
    },
    { text: "pod ← ReplicaSet web-5d4f", ascii: "pod <- ReplicaSet web-5d4f", why: "arrows become <-" },
    { text: "データ", ascii: "データ", why: "other text stays as it is" },
  ])('gets the text "$ascii" because $why', ({ text, ascii }) => expect(inAscii(text)).toBe(ascii));

  const LINES = ["demo image-pull -o wide", "demo --color=never", "strategies --clients 3", "simulate --help"];
  it.each(LINES)("shows only ASCII: %s", async (line) => {
    vi.stubEnv("LC_ALL", "POSIX");
    const { stdout } = await run(...line.split(" "));
    expect(stdout.length).toBeGreaterThan(100);
    expect([...stdout].filter((character) => character > "~")).toEqual([]);
  });
});
