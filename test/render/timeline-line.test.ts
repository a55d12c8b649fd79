import { describe, expect, it } from "vitest";
import type { Explanation } from "../../src/explain/answer/explanation.ts";
import { pageOf } from "../../src/render/page/page.ts";
import { displayWidth } from "../../src/render/page/width.ts";
import { laneOf } from "../../src/render/timeline/from-explanation.ts";
import { timelineLines } from "../../src/render/timeline/line.ts";
import { between, container, exit, explanation, inferred, pod, runs } from "../support/explanations.ts";
import { longLoop } from "../support/long-situations.ts";
import { SITUATIONS } from "../support/situations.ts";

const APP = container({
  state: "backing-off",
  restartCount: 2,
  delayMs: 20_000,
  lastExit: exit("13:39:40", "13:39:50"),
  history: runs(1, ["13:38:40", "13:38:50"], ["13:39:00", "13:39:10"], ["13:39:40", "13:39:50"]),
  nextRestart: between("13:40:10", "13:40:20"),
});
const LOOP = explanation("13:40:00", [pod([APP], { verdict: "crash-looping" })]);

function line(each: Explanation, columns: number, unicode = true): string {
  const page = pageOf(each, { columns, color: false, unicode, timeZone: "UTC" });
  const [first] = each.pods[0]?.containers ?? [];
  const lanes = first === undefined ? [] : [laneOf(first, page)];
  return timelineLines(lanes, page, columns)[0] ?? "";
}

describe("timelineLine()", () => {
  it("is empty at an instant before all runs", () => {
    expect(
      line(explanation("10:00:00", [pod([{ ...APP, nextRestart: null }], { verdict: "crash-looping" })]), 80),
    ).toBe("");
  });

  it("shows runs, waits, now and the window to scale: here a column is 5 seconds", () => {
    expect(line(LOOP, 32)).toBe("██▁▁██▁▁▁▁▁▁██▁▁|▁░░  last 1m20s");
    expect(line(LOOP, 32, false)).toBe("##__##______##__|_==  last 1m20s");
  });

  it("does not show a run that was not seen as one that was", () => {
    const some = container({ ...APP, history: inferred(2, APP.history) });
    const shown = line(explanation("13:40:00", [pod([some])]), 60);
    expect(shown).toMatch(/^▒+▁+▒+▁+█+▁+\|▁+░+ {2}last 1m21s$/);
    expect(line(explanation("13:40:00", [pod([some])]), 60, false)).toMatch(/^\++_+\++_+#+_+\|_+=+ {2}last 1m21s$/);
  });

  it("shows the observed runs of a second, not the hours before them", () => {
    expect(line(longLoop(), 60)).toMatch(/^▁+█+▁+█+▁+\|▁+░+ {2}last 10m$/);
  });

  it("draws several lanes to one scale: what began later begins further right", () => {
    const younger = container({
      ...APP,
      name: "younger",
      history: runs(1, ["13:39:20", "13:39:30"], ["13:39:40", "13:39:50"]),
    });
    const page = pageOf(LOOP, { columns: 32, color: false, timeZone: "UTC" });
    const lanes = [APP, younger].map((each) => laneOf(each, page));
    expect(timelineLines(lanes, page, 32)).toEqual([
      "██▁▁██▁▁▁▁▁▁██▁▁|▁░░  last 1m20s",
      "        ██▁▁██▁▁|▁░░  last 1m20s",
    ]);
  });

  it("says nothing of one run, and nothing where there is no room", () => {
    const once = container({ history: runs(1, ["13:39:00", null]) });
    expect(line(explanation("13:40:00", [pod([once])]), 80)).toBe("");
    expect(line(LOOP, 29)).toBe("");
  });

  it.each(Object.entries(SITUATIONS))("is exactly as wide as it may be: %s", (_, situation) => {
    for (const columns of [40, 77, 140]) expect([0, columns]).toContain(displayWidth(line(situation, columns)));
  });
});
