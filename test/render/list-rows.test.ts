import { describe, expect, it } from "vitest";
import { briefCell } from "../../src/render/list/list-rows.ts";

describe("briefCell()", () => {
  it.each([
    ["exit 1: panic: no such host", "panic: no such host"],
    ["CreateContainerConfigError: couldn't find key password", "couldn't find key password"],
    ["OOMKilled (137)", "OOMKilled (137)"],
    ["exit 0: nothing left to do", "exit 0: nothing left to do"],
    ["unknown", "?"],
  ])("shortens %j for a narrow terminal to what says most", (cell, brief) => {
    expect(briefCell(cell)).toBe(brief);
  });
});
