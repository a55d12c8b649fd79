import { describe, expect, it } from "vitest";
import { displayWidth, shorten, wrap } from "../../src/render/page/width.ts";

describe("wrap()", () => {
  it.each([
    { text: "", width: 10, lines: [], why: "an empty text has no line" },
    { text: "one two three", width: 20, lines: ["one two three"], why: "the text fits" },
    { text: "one two three", width: 7, lines: ["one two", "three"], why: "a break between words" },
    { text: "abcdefghij xy", width: 4, lines: ["abcd", "efgh", "ij", "xy"], why: "a word that is too long" },
    { text: "データベース", width: 5, lines: ["デー", "タベ", "ース"], why: "wide characters take two columns" },
    { text: "a  b", width: 10, lines: ["a b"], why: "blanks are gaps between words" },
  ])("breaks '$text' at $width columns: $why", ({ text, width, lines }) => {
    expect(wrap(text, width).map((line) => line.replace(/ +/g, " "))).toEqual(lines);
  });

  it("loses no character and makes no line wider than asked for", () => {
    const text = "接続 https://registry.invalid/v2/team/app?very=long 🚨🚨🚨 e\u0301e\u0301e\u0301 end";
    for (let width = 2; width <= 80; width += 1) {
      const lines = wrap(text, width);
      expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
      expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(width);
    }
  });
});

describe("shorten()", () => {
  it.each([
    { text: "worker", width: 6, left: "worker", why: "the text fits" },
    {
      text: "migrate-database-schema",
      width: 11,
      left: "migra…chema",
      why: "both ends are needed to tell containers apart",
    },
    { text: "データベース接続", width: 6, left: "デ…続", why: "a wide character is not cut in half" },
    { text: "worker", width: 1, left: "…", why: "there is no room at all" },
  ])("shortens $text to $left in $width columns: $why", ({ text, width, left }) => {
    expect(shorten(text, width)).toBe(left);
    expect(displayWidth(left)).toBeLessThanOrEqual(width);
  });
});
