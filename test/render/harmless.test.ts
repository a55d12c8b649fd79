import { describe, expect, it } from "vitest";
import { allHarmless, escapeInJson, harmless, harmlessLine } from "../../src/render/page/harmless.ts";

describe("harmless()", () => {
  it.each([
    { text: "plain text", left: "plain text", why: "plain text stays" },
    { text: "\u001b[31mred\u001b[0m", left: "red", why: "colours are removed" },
    { text: "\u001b]0;title\u0007shown", left: "shown", why: "a change of the window's title is removed" },
    {
      text: "\u001b]8;;http://x.example\u0007link\u001b]8;;\u0007",
      left: "link",
      why: "a hidden address of a link is removed",
    },
    { text: "a\u009b2Jb", left: "ab", why: "an escape sequence that begins with a C1 character is removed" },
    { text: "a\u0000\u0008\u007f\u0085b", left: "a b", why: "other control characters are removed" },
    { text: "one\r\ntwo\tthree\u2028four", left: "one two three four", why: "line breaks and tabs become blanks" },
    { text: "cod\u202etxt.exe", left: "codtxt.exe", why: "characters that reorder text are removed" },
    { text: "a\u200bb\ufeff\u{e0041}c", left: "abc", why: "invisible characters are removed" },
    {
      text: "a\u200c\u200d\u034f\u115f\u3164\u180e\ufffab\u{e0100}c",
      left: "abc",
      why: "characters without a width are removed",
    },
    { text: "\u2764\ufe0f", left: "\u2764\ufe0f", why: "a variation selector says which form of a character is meant" },
    {
      text: `e${"\u0301".repeat(99)}`,
      left: `e${"\u0301".repeat(30)}`,
      why: "marks are removed if there are more than any writing has",
    },
    { text: "x\ud800y", left: "x\ufffdy", why: "half of a surrogate pair is replaced" },
    { text: "データ 🚨 e\u0301", left: "データ 🚨 e\u0301", why: "writing of any kind stays" },
  ])("turns $text into $left: $why", ({ text, left }) => {
    expect(harmless(text)).toBe(left);
  });
});

describe("allHarmless()", () => {
  it("makes every string of a value harmless and leaves the rest", () => {
    const value = { text: "\u001b[1ma", list: ["b\u0007", { inner: "c\n" }], number: 1, nothing: null, yes: true };
    expect(allHarmless(value)).toEqual({ text: "a", list: ["b", { inner: "c" }], number: 1, nothing: null, yes: true });
  });

  it("keeps the indentation of logs", () => {
    const value = { why: "  a", logs: { previous: ["  b\u0007"], current: null } };
    expect(allHarmless(value)).toEqual({ why: "a", logs: { previous: ["  b"], current: null } });
  });
});

describe("harmlessLine()", () => {
  it.each([
    { line: "  two  blanks ", left: "  two blanks", why: "blanks before the text stay" },
    { line: "\t at", left: "     at", why: "a tab is four blanks" },
    { line: `${" ".repeat(500)}x`, left: `${" ".repeat(16)}x`, why: "at most 16 blanks before the text stay" },
    { line: "   ", left: "", why: "a line of blanks has nothing to indent" },
    { line: "\u001b[1m  bold", left: "bold", why: "blanks after an escape sequence do not stay" },
  ])("turns $line into $left: $why", ({ line, left }) => {
    expect(harmlessLine(line)).toBe(left);
  });
});

describe("escapeInJson()", () => {
  it("keeps the value of the document, and escapes all that a terminal obeys", () => {
    const value = { text: "\u001b[31m\u009b\u007f\u202e\u2028\u{e0041} データ\n" };
    const json = escapeInJson(JSON.stringify(value, null, 4));
    expect(JSON.parse(json)).toEqual(value);
    expect(json).toMatch(/^[\n\x20-\x7e\u3000-\u30ff]*$/);
  });
});
