import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { displayWidth } from "../../src/render/page/width.ts";
import { CONTENTION_FORMS } from "../../src/render/strategies/contention-forms.ts";
import { HERD_FORMS } from "../../src/render/strategies/herd-forms.ts";
import { validDocument } from "../support/schema.ts";
import { contentionOf, herdOf } from "../support/simulations.ts";

const CONTENTION = contentionOf();
const HERD = herdOf();
const FORMS = {
  contention: (columns: number, color = false) => CONTENTION_FORMS.table(CONTENTION, { columns, color }),
  herd: (columns: number, color = false) => HERD_FORMS.table(HERD, { columns, color }),
};
const PLAIN = { columns: 80, color: false };

describe.each(Object.entries(FORMS))("the table of a %s", (name, table) => {
  it.each([80, 30])("is as reviewed at %d columns", async (columns) => {
    await expect(table(columns)).toMatchFileSnapshot(`../golden/${name}.${columns}.txt`);
  });

  it("says the same in colours", () => {
    expect(table(80, true)).toContain("\u001b[");
    expect(stripVTControlCharacters(table(80, true))).toBe(table(80));
  });

  it("is never wider than the terminal, from 20 columns to 120", () => {
    for (let columns = 20; columns <= 120; columns++) {
      const lines = table(columns).split("\n");
      expect(lines.filter((line) => displayWidth(line) > columns)).toEqual([]);
      expect(lines.filter((line) => /\s$/.test(line))).toEqual([]);
    }
    expect(table(3)).toBe(table(20));
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
  it("has the results by strategy and clients, and what they were made from", () => {
    const { results, ...rest } = validDocument("contention", CONTENTION_FORMS.json(CONTENTION, PLAIN));
    expect(rest).toEqual({
      apiVersion: "backoff/v1",
      kind: "Contention",
      settings: {
        runs: 4,
        seed: 1,
        baseSeconds: 0.005,
        capSeconds: 2,
        network: { meanSeconds: 0.01, standardDeviationSeconds: 0.002 },
      },
    });
    expect(results).toHaveLength(14);
    for (const [index, result] of results.entries()) {
      const { completionMs, calls } = CONTENTION.results[index] ?? { completionMs: Number.NaN, calls: Number.NaN };
      expect(result).toEqual({
        strategy: CONTENTION.results[index]?.strategy,
        clients: [3, 12][index % 2],
        completionMs: expect.closeTo(completionMs, 3),
        calls: expect.closeTo(calls, 3),
      });
    }
  });
});

describe("the JSON of a herd", () => {
  it("has every rule with its policy and figures", () => {
    const { apiVersion, kind, settings, results } = validDocument("herd", HERD_FORMS.json(HERD, PLAIN));
    expect({ apiVersion, kind, settings }).toEqual({
      apiVersion: "backoff/v1",
      kind: "Herd",
      settings: { replicas: 12, runs: 4, seed: 1, outageSeconds: 600, runSeconds: 5 },
    });
    expect(results.map(({ kubelet }: { kubelet: string }) => kubelet)).toEqual([
      "v1.34",
      "v1.35+",
      "max=60s",
      "reduced",
    ]);
    expect(results[2]).toMatchObject({
      policy: { initialSeconds: 10, maxSeconds: 60, resetAfterSeconds: 600, retry: "at-expiry" },
      up: [30, 60, 120, 180, 300].map((afterSeconds) => ({ afterSeconds, share: expect.any(Number) })),
      medianSeconds: expect.closeTo((HERD.results[2]?.medianMs ?? 0) / 1000, 3),
      lastSeconds: expect.closeTo((HERD.results[2]?.lastMs ?? 0) / 1000, 3),
      peakStartsPerSecond: expect.any(Number),
      startsInVain: expect.any(Number),
    });
  });

  it("is the same as CSV", () => {
    const { results } = JSON.parse(HERD_FORMS.json(HERD, PLAIN));
    const [head = "", ...rows] = HERD_FORMS.csv(HERD, PLAIN).trimEnd().split("\n");
    expect(head).toMatch(
      /^kubelet,upAfter30s,.*,upAfter300s,medianSeconds,lastSeconds,peakStartsPerSecond,startsInVain$/,
    );
    expect(rows).toHaveLength(4);
    for (const [index, line] of rows.entries()) {
      expect(line.split(",")).toHaveLength(head.split(",").length);
      expect(line).toMatch(
        new RegExp(`^${results[index].kubelet.replace("+", "\\+")},.*,${results[index].startsInVain}$`),
      );
    }
  });
});
