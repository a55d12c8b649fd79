import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import type { Explanation } from "../../src/explain/answer/explanation.ts";
import { displayWidth } from "../../src/render/page/width.ts";
import { RENDERERS } from "../../src/render/renderers.ts";
import { at, container, exit, explanation, pod, runs } from "../support/explanations.ts";
import { SITUATIONS } from "../support/situations.ts";

function table(situation: Explanation, columns: number, color = false): string {
  return RENDERERS.table(situation, { columns, color, timeZone: "Europe/Berlin" });
}

const LONG = container({
  name: "a-name-of-sixty-three-characters-which-is-the-most-that-is-allowed",
  type: "sidecar",
  state: "starting",
  reported: "CreateContainerError",
  restartCount: 123_456,
  delayMs: 3_605_000,
  image: `registry.example/${"very-long-".repeat(20)}name:latest`,
  imagePull: {
    image: `registry.example/${"very-long-".repeat(20)}name:latest`,
    cause: "",
    delayMs: 300_000,
    nextPull: null,
  },
  why: `No blank in it: ${"/".repeat(300)}`,
  lastExit: exit("13:30:00", "13:30:05", { message: "no-blank-in-it-either".repeat(20) }),
  history: runs(137, ["13:30:00", "13:30:05"], ["13:31:00", "13:31:05"]).flatMap((run) => [
    { ...run, start: 1_234_567, startedAtMs: null, startedBetweenMs: [at("13:30:00") - 86_400_000, at("13:31:00")] },
    run,
  ]),
  logs: {
    instance: "last-exit",
    lines: ["/".repeat(300), `${" ".repeat(40)}データベース ${"🚨".repeat(60)}`, "", "\tat x.js"],
    isTruncated: true,
  },
});

/** All that stands around the table. */
const MUCH = {
  nextSteps: [
    {
      what: "catch the restart",
      command: `kubectl logs ${"x".repeat(90)} '--context=${"a b ".repeat(30)}' && kubectl logs -f`,
      changesCluster: true,
      note: "データベース ".repeat(9),
    },
  ],
  events: [
    {
      regarding: "Pod" as const,
      reason: "Unhealthy",
      message: "/".repeat(300),
      container: "app",
      count: 7,
      firstAtMs: null,
      lastAtMs: at("13:39:48"),
    },
  ],
};

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
  it.each([...Object.entries(SITUATIONS), ["long names", explanation("13:40:00", [pod([LONG], MUCH)])] as const])(
    "of %s is never wider than the terminal, from 20 columns to 200, and neither is its wide form",
    (_, situation) => {
      // Every width up to the usual ones, then one in nine.
      for (let columns = 20; columns <= 200; columns += columns < 90 ? 1 : 9) {
        const wide = RENDERERS.wide(situation, { columns, color: false, timeZone: "Europe/Berlin" });
        const lines = `${table(situation, columns)}${wide}`.split("\n");
        expect(lines.filter((line) => displayWidth(line) > columns)).toEqual([]);
        expect(lines.filter((line) => /\s$/.test(line))).toEqual([]);
      }
    },
    30_000,
  );

  it("is 20 columns wide on a narrower terminal", () => {
    const situation = SITUATIONS["overdue"] as Explanation;
    expect(table(situation, 3)).toBe(table(situation, 20));
    expect(table(situation, Number.NaN)).toBe(table(situation, 20));
  });

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
