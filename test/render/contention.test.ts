import { describe, expect, it } from "vitest";
import { CONTENTION_FORMS } from "../../src/render/strategies/contention-forms.ts";
import { HERD_FORMS } from "../../src/render/strategies/herd-forms.ts";
import { validDocument } from "../support/schema.ts";
import { contentionOf, herdOf } from "../support/simulations.ts";

const CONTENTION = contentionOf();
const HERD = herdOf();
const PLAIN = { columns: 80, color: false };

describe.each([
  [
    "contention",
    (form: "table" | "svg" | "html", columns = 80) => CONTENTION_FORMS[form](CONTENTION, { ...PLAIN, columns }),
  ],
  ["herd", (form: "table" | "svg" | "html", columns = 80) => HERD_FORMS[form](HERD, { ...PLAIN, columns })],
] as const)("a %s", (name, printed) => {
  it.each([80, 30])("is as reviewed in a table at %d columns", async (columns) => {
    await expect(printed("table", columns)).toMatchFileSnapshot(`../golden/${name}.${columns}.txt`);
  });

  it("is as reviewed in a picture", async () => {
    await expect(printed("svg")).toMatchFileSnapshot(`../golden/${name}.svg`);
  });

  it("is a page of the charts, and the figures as a table", () => {
    const html = printed("html");
    expect(html.match(/<svg /g)).toHaveLength(2);
    expect(html).toContain("<table>");
    expect(html).not.toMatch(/https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
  });
});

describe("the table of a contention", () => {
  it("puts clients below each other where they have no room side by side", () => {
    const many = contentionOf({ clients: [1, 2, 3, 4, 5, 6, 7, 8], runs: 1 });
    const lines = CONTENTION_FORMS.table(many, PLAIN).split("\n");
    expect(lines).toContainEqual(expect.stringMatching(/^STRATEGY +CLIENTS +CALLS +TIME$/));
    expect(lines.filter((line) => /^(none|full) +\d/.test(line))).toHaveLength(16);
  });

  it("draws no conclusion from a single strategy", () => {
    const alone = contentionOf({ strategies: ["full"], runs: 1 });
    expect(CONTENTION_FORMS.table(alone, PLAIN)).not.toContain("fewest");
    expect(CONTENTION_FORMS.table(alone, PLAIN)).toContain("Mean of 1 run;");
  });
});

describe("the JSON of a contention", () => {
  it("has the results by strategy and clients", () => {
    const { kind, results } = validDocument("contention", CONTENTION_FORMS.json(CONTENTION, PLAIN));
    expect(kind).toBe("Contention");
    expect(results).toEqual(
      CONTENTION.results.map(({ strategy, clients, completionMs, calls }) => {
        return { strategy, clients, completionMs: expect.closeTo(completionMs, 3), calls: expect.closeTo(calls, 3) };
      }),
    );
  });
});

describe("the JSON of a herd", () => {
  it("has every rule with its policy and figures", () => {
    const { results } = validDocument("herd", HERD_FORMS.json(HERD, PLAIN));
    const kubelets = results.map(({ kubelet }: { kubelet: string }) => kubelet);
    expect(kubelets).toEqual(["v1.34", "v1.35+", "max=60s", "reduced"]);
    expect(results[2]).toMatchObject({
      policy: { initialSeconds: 10, maxSeconds: 60, resetAfterSeconds: 600, retry: "at-expiry" },
      up: [30, 60, 120, 180, 300].map((afterSeconds) => ({ afterSeconds, share: expect.any(Number) })),
      medianSeconds: expect.closeTo((HERD.results[2]?.medianMs ?? 0) / 1000, 3),
      lastSeconds: expect.closeTo((HERD.results[2]?.lastMs ?? 0) / 1000, 3),
    });
  });

  it("is the same as CSV", () => {
    const { results } = JSON.parse(HERD_FORMS.json(HERD, PLAIN));
    const [head = "", ...rows] = HERD_FORMS.csv(HERD, PLAIN).trimEnd().split("\n");
    expect(head).toMatch(
      /^kubelet,upAfter30s,.*,upAfter300s,medianSeconds,lastSeconds,peakStartsPerSecond,startsInVain$/,
    );
    const ends = rows.map((line) => [line.split(",")[0], Number(line.split(",")[9])]);
    expect(ends).toEqual(results.map(({ kubelet, startsInVain }: Record<string, unknown>) => [kubelet, startsInVain]));
  });
});
