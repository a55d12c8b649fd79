import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { RULES, sourceWithout } from "../../scripts/calibration/rules.ts";

describe("the rules that calibrate --without knows", () => {
  it.each(RULES)("$name changes $file", ({ name, file }) => {
    const source = readFileSync(file, "utf8");
    expect(sourceWithout([name], file, source)).not.toBe(source);
  });

  it("have different names, and no other file changes", () => {
    expect(new Set(RULES.map(({ name }) => name)).size).toBe(RULES.length);
    expect(sourceWithout(["lifetime"], "src/explain/history/runs.ts", "as it is")).toBe("as it is");
  });

  it("fails if the source no longer has the rule", () => {
    expect(() => sourceWithout(["lifetime"], "src/explain/history/unobserved-period.ts", "")).toThrow(
      /does not have this once/,
    );
  });
});
