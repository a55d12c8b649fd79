import { describe, expect, it } from "vitest";
import { causeCell } from "../../src/render/list/list-causes.ts";
import { briefCell } from "../../src/render/list/list-cells.ts";
import { anItem } from "../support/list-items.ts";

describe("briefCell()", () => {
  it.each([
    ["exit 1: panic: no such host", "panic: no such host"],
    ["CreateContainerConfigError: couldn't find key password", "couldn't find key password"],
    ["OOMKilled (137)", "OOMKilled (137)"],
    ["readiness probe failed: replica lag 93s", "replica lag 93s"],
    ["exit 0: nothing left to do", "exit 0: nothing left to do"],
    ["within 4s (1 pod)", "within 4s (1)"],
    ["20s-2m (3 pods)", "20s-2m (3)"],
    ["unknown", "?"],
  ])("shortens %j for a narrow terminal to %j", (cell, brief) => {
    expect(briefCell(cell)).toBe(brief);
  });
});

describe("causeCell()", () => {
  it.each([
    { item: { obstacleReason: "FailedMount" }, says: "FailedMount" },
    { item: {}, says: "ContainerCreating" },
    { item: { reported: null }, says: "start failure" },
  ])(
    'names the obstacle to the start, else the status that kubectl shows, else "start failure": $says',
    ({ item, says }) => {
      expect(causeCell(anItem({ cause: "start-failure", reported: "ContainerCreating", ...item }))).toBe(says);
    },
  );
});
