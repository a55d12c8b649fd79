import { describe, expect, it } from "vitest";
import { STRATEGIES_RENDERERS } from "../support/renderers.ts";
import { validDocument } from "../support/schema.ts";
import { contentionOf } from "../support/simulations.ts";

const CONTENTION = contentionOf();
const PLAIN = { columns: 80, color: false };

const printed = (form: "table" | "svg" | "html", columns = 80) =>
  STRATEGIES_RENDERERS[form](CONTENTION, { ...PLAIN, columns });

describe("a contention", () => {
  it.each([80, 30])("is printed as in its golden file in a table at %d columns", async (columns) => {
    await expect(printed("table", columns)).toMatchFileSnapshot(`../golden/contention.${columns}.txt`);
  });

  it("is drawn as in its golden file", async () => {
    await expect(printed("svg")).toMatchFileSnapshot("../golden/contention.svg");
  });

  it("is an HTML page of one chart and a table, which loads nothing", () => {
    const html = printed("html");
    expect(html.match(/<svg /g)).toHaveLength(1);
    expect(html).toContain("<table>");
    expect(html).not.toMatch(/https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
  });
});

describe("the table of a contention", () => {
  it("has a row for each number of clients if the columns have no room side by side", () => {
    const many = contentionOf({ clients: [1, 2, 3, 4, 5, 6, 7, 8], runs: 1 });
    const lines = STRATEGIES_RENDERERS.table(many, PLAIN).split("\n");
    expect(lines).toContainEqual(expect.stringMatching(/^STRATEGY +CLIENTS +CALLS +TIME$/));
    expect(lines.filter((line) => /^(none|full) +\d/.test(line))).toHaveLength(16);
  });

  it("names no best strategy if there is only one", () => {
    const alone = contentionOf({ strategies: ["full"], runs: 1 });
    expect(STRATEGIES_RENDERERS.table(alone, PLAIN)).not.toContain("fewest");
    expect(STRATEGIES_RENDERERS.table(alone, PLAIN)).toContain("Mean of 1 run;");
  });
});

describe("the JSON of a contention", () => {
  it("has a result for each strategy and number of clients", () => {
    const { kind, results } = validDocument("contention", STRATEGIES_RENDERERS.json(CONTENTION, PLAIN));
    expect(kind).toBe("Contention");
    expect(results).toEqual(
      CONTENTION.results.map(({ strategy, clients, completionMs, calls }) => {
        return { strategy, clients, completionMs: expect.closeTo(completionMs, 3), calls: expect.closeTo(calls, 3) };
      }),
    );
  });
});
