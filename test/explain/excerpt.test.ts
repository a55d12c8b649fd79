import { describe, expect, it } from "vitest";
import { excerpt, quoted } from "../../src/explain/answer/excerpt.ts";

describe("excerpt()", () => {
  it.each([
    { text: "all of it", most: 9, says: "all of it", why: "returns a short text unchanged" },
    {
      text: "the beginning and much more up to the end",
      most: 20,
      says: "the … the end",
      why: "cuts a long text between words",
    },
    {
      text: "status.conditions.of.which.one",
      most: 10,
      says: "statu…h.one",
      why: "cuts anywhere if there are no words",
    },
    { text: "😀😀😀😀😀", most: 6, says: "😀…😀", why: "cuts no character in half" },
  ])("$why", ({ text, most, says }) => {
    expect(excerpt(text, most)).toBe(says);
  });
});

describe("quoted()", () => {
  it("returns one line, without its full stop", () => {
    expect(quoted(" container runtime is down,\n\tPLEG is not healthy. ")).toBe(
      "container runtime is down, PLEG is not healthy",
    );
  });

  it("returns at most 201 characters", () => {
    expect(quoted("word ".repeat(1_000)).length).toBeLessThanOrEqual(201);
  });
});
