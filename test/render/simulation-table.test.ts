import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { displayWidth } from "../../src/render/page/width.ts";
import type { SimulationReport } from "../../src/render/simulation/simulation-report.ts";
import { renderComparison, renderSimulationTable } from "../../src/render/simulation/simulation-table.ts";
import { percent } from "../../src/render/simulation/simulation-words.ts";
import { simulate, startWindows } from "../../src/simulate/simulate.ts";
import { exits, kills, planOf, policyOf } from "../simulate/plans.ts";

function reportOf(changes: Partial<SimulationReport> = {}, runs = exits(42)): SimulationReport {
  const policy = policyOf("v1.37.1");
  const simulation = simulate(planOf(policy, runs), { forMs: 1_800_000 });
  const { retry, ...curve } = policy;
  return {
    name: "default",
    container: null,
    runs: { kind: "seen", runs },
    restartPolicy: "Always",
    policy: { ...curve, retry: retry.kind, kubeletVersion: "v1.37.1", basis: "version" },
    seed: null,
    simulation,
    windows: startWindows(simulation.starts, retry),
    ...changes,
  };
}

const LONG = reportOf({
  name: "a-long-name-of-a-configuration",
  container: `prod/${"web-".repeat(60)}0, container app`,
});

describe("the table of a simulation", () => {
  it.each([
    ["self-exits", reportOf()],
    ["kills", reportOf({}, kills(42))],
    ["a long name", LONG],
  ])("of %s is never wider than the terminal, from 20 columns to 200", (_, report) => {
    for (let columns = 20; columns <= 200; columns += 1) {
      for (const color of [false, true]) {
        const lines = renderSimulationTable(report, { columns, color }).split("\n");
        expect(lines.filter((line) => displayWidth(line) > columns)).toEqual([]);
      }
    }
  });

  it("says the same in colours", () => {
    const [plain, coloured] = [false, true].map((color) => renderSimulationTable(reportOf(), { columns: 80, color }));
    expect(coloured).toContain("\u001b[");
    expect(stripVTControlCharacters(coloured ?? "")).toBe(plain);
  });

  it("shows names from a cluster without obeying them", () => {
    const report = reportOf({ container: "prod/web\u001b[31m\u202e, container app" });
    const printed = renderSimulationTable(report, { columns: 80, color: false });
    expect(printed).not.toContain("\u001b");
    expect(printed).not.toContain("\u202e");
  });
});

describe("the comparison of simulations", () => {
  it("is never wider than the terminal as long as a column fits", () => {
    const reports = Array.from({ length: 9 }, (_, index) => reportOf({ name: `configuration-${index}` }));
    for (let columns = 45; columns <= 200; columns += 1) {
      const lines = renderComparison(reports, { columns, color: false }).split("\n");
      expect(lines.filter((line) => displayWidth(line) > columns)).toEqual([]);
      expect(lines.join("\n")).toContain("configuration-8");
    }
  });
});

describe("percent()", () => {
  it.each([
    [0, "0%"],
    [0.0042, "0.42%"],
    [0.061, "6.1%"],
    [0.5, "50%"],
    [0.99999, "99.99%"],
    [1, "100%"],
  ])("writes %d as %s", (share, text) => {
    expect(percent(share)).toBe(text);
  });
});
