import { describe, expect, it } from "vitest";
import { isColorful, isUnicode } from "../../src/commands/terminal/standard-output.ts";
import { inAscii } from "../../src/render/page/paint.ts";
import { repositoryFile, run, runFile } from "../support/command.ts";

const ESCAPE = "\u001b";

const VARIABLES = {
  NO_COLOR: ["", "1"],
  FORCE_COLOR: ["", "0", "1"],
  CLICOLOR: ["", "0", "1"],
  CLICOLOR_FORCE: ["", "0", "1"],
  TERM: ["xterm", "dumb"],
} as const;

/** Every combination of the variables. */
function everyEnv(): Record<string, string>[] {
  return Object.entries(VARIABLES).reduce<Record<string, string>[]>(
    (all, [name, values]) => all.flatMap((env) => values.map((value) => ({ ...env, [name]: value }))),
    [{}],
  );
}

describe("isColorful()", () => {
  it("is what --color says, whatever the surroundings", () => {
    for (const env of everyEnv())
      for (const isTerminal of [true, false]) {
        expect(isColorful("always", { isTerminal, env })).toBe(true);
        expect(isColorful("never", { isTerminal, env })).toBe(false);
      }
  });

  it("is never with NO_COLOR, and with FORCE_COLOR as that says", () => {
    for (const env of everyEnv())
      for (const isTerminal of [true, false]) {
        const is = isColorful("auto", { isTerminal, env });
        if (env["NO_COLOR"]) expect(is).toBe(false);
        else if (env["FORCE_COLOR"]) expect(is).toBe(env["FORCE_COLOR"] === "1");
      }
  });

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
  ])("is $terminal on a terminal and $pipe in a pipe with $env", ({ env, terminal, pipe }) => {
    expect(isColorful("auto", { isTerminal: true, env })).toBe(terminal);
    expect(isColorful("auto", { isTerminal: false, env })).toBe(pipe);
  });

  it("holds for the whole program", async () => {
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
  ])("is $is with $env, and always on Windows", ({ env, is }) => {
    expect(isUnicode({ env, platform: "linux" })).toBe(is);
    expect(isUnicode({ env, platform: "win32" })).toBe(true);
  });
});

describe("a terminal without Unicode", () => {
  it.each([
    { text: "a-po…bcde app", ascii: "a-po~bcde app", why: "no cell gets wider" },
    { text: "failed …. Pulls\n…\n", ascii: "failed .... Pulls\n...\n", why: "a sentence, and a line, have room" },
    { text: "10ms ± 2ms → 3× “x” – ≥ 1", ascii: '10ms +- 2ms -> 3x "x" - >= 1', why: "signs" },
    { text: "データ", ascii: "データ", why: "what is not the program's own stays" },
  ])("is shown $ascii: $why", ({ text, ascii }) => expect(inAscii(text)).toBe(ascii));

  it.each([
    ["demo", "image-pull", "-o", "wide"],
    ["demo", "--color=never"],
    ["strategies", "--clients", "3"],
    ["simulate", "--help"],
  ])("gets nothing but ASCII: %s %s", async (...argv) => {
    const before = process.env["LC_ALL"];
    process.env["LC_ALL"] = "POSIX";
    try {
      const { stdout } = await run(...argv);
      expect(stdout.length).toBeGreaterThan(100);
      expect([...stdout].filter((character) => character > "~")).toEqual([]);
    } finally {
      process.env["LC_ALL"] = before;
    }
  });
});
