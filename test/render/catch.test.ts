import { describe, expect, it } from "vitest";
import { faultsOfOutput } from "../../lab/hostile/laws.ts";
import { TEXT_PARTS } from "../../lab/hostile/nasty.ts";
import { toldOfBytes } from "../../lab/hostile/real-path.ts";
import { renderCatchJson } from "../../src/render/catch/catch-json.ts";
import { differences, renderCatchPage } from "../../src/render/catch/catch-page.ts";
import { caughtClause } from "../../src/render/catch/catch-words.ts";
import { aCatch, explanationOf, type MadeUpCatch } from "../support/catches.ts";
import { container, DOWN, explanation, pod } from "../support/explanations.ts";
import { HOSTILE } from "../support/hostile-situations.ts";
import { RENDER_OPTIONS } from "../support/page.ts";
import { validDocument } from "../support/schema.ts";

const NEVER_STARTED = explanation("13:40:00", [pod([container({ state: "starting" })])]);

async function pageOf(made: MadeUpCatch): Promise<string> {
  return renderCatchPage({ ...made, explanation: await explanationOf(made) }, RENDER_OPTIONS);
}

const hostile = (): MadeUpCatch => aCatch(() => [HOSTILE, ...TEXT_PARTS].join(" "));

it("cuts a log line of 256 KiB in what the page shows", async () => {
  const { caught, header } = aCatch();
  const [line] = caught.log.lines;
  if (line === undefined) throw new Error("no line");
  const log = { ...caught.log, lines: [{ ...line, text: "x".repeat(2 ** 18) }] };
  const shown = (await pageOf({ caught: { ...caught, log }, header })).replace(
    /<script type="application\/json"[^<]*/,
    "",
  );
  expect(shown.length).toBeLessThan(100_000);
  expect(shown).toContain("x… (261144 more characters)\n");
});

describe("the file of a catch", () => {
  it("equals its golden file: a page of what happened, in order, with the data", async () => {
    await expect(await pageOf(aCatch())).toMatchFileSnapshot("../golden/catch.html");
  });

  it.each([
    ["an ordinary catch", aCatch()],
    ["a catch with hostile text", hostile()],
  ])("fits the published schema: %s", (_, { caught, header }) => {
    expect(validDocument("catch", renderCatchJson({ caught, header })).kind).toBe("Catch");
  });

  it("gives the same explanation when it is read from the page, also with hostile text", async () => {
    for (const made of [aCatch(), hostile()]) {
      const { explanation } = await toldOfBytes(await pageOf(made), 0);
      expect(explanation).toEqual(await explanationOf(made));
      expect(explanation).toMatchObject({ atMs: made.header.atMs, atBasis: "recording" });
    }
  });

  it("lets no text of a cluster become markup or a control character", async () => {
    const made = hostile();
    const page = await pageOf(made);
    const data = /<script type="application\/json" id="catch">[^<]*<\/script>/;
    expect(page).toMatch(data);
    const faults = [
      ...faultsOfOutput("html", page.replace(data, "")),
      ...faultsOfOutput("catch", renderCatchJson(made)),
    ];
    expect(faults).toEqual([]);
  });

  it.each([
    [{}, "restart 6 of app (4s, exit code 1), 4 log lines"],
    [{ leftOut: { lines: 996, bytes: 5 }, isComplete: false }, "4 log lines, the last of 1000, the end may be missing"],
    [{ missing: "forbidden" }, "no log (no permission to read it)"],
    [{ missing: "not-found" }, "no log (not available)"],
  ] as const)("is described by the run and its log lines: %j", (log, says) => {
    const { caught } = aCatch();
    expect(caughtClause({ ...caught, log: { ...caught.log, ...log } }, NEVER_STARTED)).toContain(says);
  });

  it.each([
    { app: container({ state: "starting" }), says: "app did not start" },
    { app: container(), says: "app did not restart (it was running)" },
    { app: container(DOWN), says: "app did not restart" },
  ])("is described as the catch of a run that did not begin: $says", ({ app, says }) => {
    const caught = { ...aCatch().caught, run: null };
    const at = explanation("13:40:00", [pod([app])]);
    expect(caughtClause(caught, at)).toBe(`what happened until now; ${says}`);
  });

  it("is described as the catch of a run that did not end", () => {
    const { caught } = aCatch();
    const run = { start: 6, startedAtMs: 0, finishedAtMs: null, exitCode: null };
    expect(caughtClause({ ...caught, run, ended: "interrupted" }, NEVER_STARTED)).toContain(
      "(still running when catch was stopped)",
    );
  });
});

describe("the differences between two versions", () => {
  it("are named by their path, with list items by their names", () => {
    const older = { status: { phase: "Pending", list: [{ name: "a", ready: false }, { name: "b" }] }, gone: 1 };
    const newer = { status: { phase: "Running", list: [{ name: "b" }, { name: "a", ready: true }] }, added: [] };
    expect(differences(older, newer)).toEqual([
      'status.phase: "Pending" → "Running"',
      "status.list[a].ready: false → true",
      "gone: 1 → none",
      "added: none → []",
    ]);
  });

  it("are compared as a whole if they are nested deeply", () => {
    const deep = (value: string): unknown => JSON.parse(`${'{"a":'.repeat(1_000)}${value}${"}".repeat(1_000)}`);
    expect(differences(deep("1"), deep("1"))).toEqual([]);
    expect(differences(deep("1"), deep("2")).length).toBe(1);
    expect(differences(deep("1"), null)).toEqual([expect.stringMatching(/^: \{"a":.{290,}… → null$/)]);
  });
});
