import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import type { Explanation } from "../../src/explain/answer/explanation.ts";
import { RENDERERS } from "../../src/render/renderers.ts";
import { explanation } from "../support/explanations.ts";
import { SITUATIONS } from "../support/situations.ts";

function table(situation: Explanation, columns: number, color = false): string {
  return RENDERERS.table(situation, { columns, color, timeZone: "Europe/Berlin" });
}

describe.each(Object.entries(SITUATIONS))("the table of %s", (name, situation: Explanation) => {
  it.each([80, 120])("is as reviewed at %d columns", async (columns) => {
    await expect(table(situation, columns)).toMatchFileSnapshot(`../golden/${name}.${columns}.txt`);
  });

  it.each([80, 120])("says the same in colours at %d columns, as reviewed", async (columns) => {
    const coloured = table(situation, columns, true);
    expect(coloured).toContain("\u001b[");
    expect(stripVTControlCharacters(coloured)).toBe(table(situation, columns));
    await expect(coloured).toMatchFileSnapshot(`../golden/colour/${name}.${columns}.txt`);
  });
});

describe("the table", () => {
  it.each([20, 45, 59])("becomes a list at %d columns", async (columns) => {
    const situation = SITUATIONS["init-loop"] as Explanation;
    await expect(table(situation, columns)).toMatchFileSnapshot(`../golden/init-loop.${columns}.txt`);
  });

  it("is empty without any pod", () => {
    expect(table(explanation("13:40:00", []), 80)).toBe("");
  });
});

describe("the page of one container", () => {
  const single = Object.entries(SITUATIONS).filter(
    ([, { pods }]) => pods.length === 1 && pods[0]?.containers.length === 1,
  );

  it.each(single)("of %s has at most 12 lines besides the log and the next steps", (_, situation) => {
    const text = table(situation, 80)
      .replace(/^Says .*\n( {11}.*\n)*/m, "")
      .replace(/^Next\n( .*\n)*/m, "");
    expect(text.split("\n").filter((line) => line !== "").length).toBeLessThanOrEqual(12);
  });
});
