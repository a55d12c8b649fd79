import { describe, expect, it } from "vitest";
import type { Explanation } from "../../src/explain/answer/explanation.ts";
import { pageOf } from "../../src/render/page/page.ts";
import { inAscii } from "../../src/render/page/paint.ts";
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

function drawn(each: Explanation, columns: number) {
  const page = pageOf(each, { columns, color: false, timeZone: "UTC" });
  const [first] = each.pods[0]?.containers ?? [];
  const lanes = first === undefined ? [] : [laneOf(first, page)];
  const { lines, legend } = timelineLines(lanes, page, columns);
  return { line: lines[0] ?? "", legend };
}

const line = (...about: Parameters<typeof drawn>): string => drawn(...about).line;

describe("timelineLines()", () => {
  it("is empty at an instant before all runs", () => {
    expect(
      line(explanation("10:00:00", [pod([{ ...APP, nextRestart: null }], { verdict: "crash-looping" })]), 80),
    ).toBe("");
  });

  it("shows runs, waits, now and the window to scale: here a column is 5 seconds", () => {
    expect(line(LOOP, 32)).toBe("-1m20s ██▁▁██▁▁▁▁▁▁██▁▁|─░░ +20s");
    expect(inAscii(line(LOOP, 32))).toBe("-1m20s ##__##______##__|-== +20s");
  });

  it("has a legend of the characters that occur", () => {
    expect(drawn(LOOP, 32).legend).toBe("█ up, ▁ down, | now, ─ wait, ░ next restart");
    const some = container({ ...APP, history: inferred(2, APP.history) });
    expect(inAscii(drawn(explanation("13:40:00", [pod([some])]), 60).legend)).toBe(
      "# up, _ down, . not observed, | now, - wait, = next restart",
    );
  });

  it("draws inferred runs only as a time that was not observed", () => {
    const some = container({ ...APP, history: inferred(2, APP.history) });
    const shown = line(explanation("13:40:00", [pod([some])]), 60);
    expect(shown).toMatch(/^-1m21s ·+█+▁+\|─+░+ \+20s$/);
  });

  it("draws an observed run of a second as half a column of 5 seconds", () => {
    const history = runs(1, ["13:38:40", "13:38:41"], ["13:39:00", "13:39:01"], ["13:39:40", "13:39:50"]);
    const shown = line(explanation("13:40:00", [pod([container({ ...APP, history })])]), 32);
    expect(shown).toBe("-1m20s ▌▁▁▁▌▁▁▁▁▁▁▁██▁▁|─░░ +20s");
  });

  it("draws a start that the runtime refused as failed, not as up", () => {
    const history = inferred(2, runs(1, ["13:38:40", "13:38:41"], ["13:39:00", "13:39:10"], ["13:39:49", "13:39:50"]));
    const refused = container({ ...APP, history, lastExit: exit(null, "13:39:50", { cause: "start-error" }) });
    const { line: shown, legend } = drawn(explanation("13:40:00", [pod([refused])]), 32);
    expect(shown).toMatch(/^-\S+ ·+×▁+\|─+░+ \+20s$/);
    expect(legend).toBe("× start failed, ▁ down, · not observed, | now, ─ wait, ░ next restart");
  });

  it("draws a container that is overdue as down until now", () => {
    const late = container({ ...APP, nextRestart: null, overdue: { expectedByMs: 0 } });
    expect(line(explanation("13:40:00", [pod([late])]), 32)).toMatch(/█▁+\|$/);
  });

  it("shows the observed runs, and not the days before them", () => {
    expect(line(longLoop(), 60)).toMatch(/^-10m ·+[▌█]+▁+[▌█]+▁+\|─+░+ \+\S+$/);
  });

  it("draws several containers to one scale: a container that began later begins further right", () => {
    const younger = container({
      ...APP,
      name: "younger",
      history: runs(1, ["13:39:20", "13:39:30"], ["13:39:40", "13:39:50"]),
    });
    const page = pageOf(LOOP, { columns: 32, color: false, timeZone: "UTC" });
    const lanes = [APP, younger].map((each) => laneOf(each, page));
    expect(timelineLines(lanes, page, 32).lines).toEqual([
      "-1m20s ██▁▁██▁▁▁▁▁▁██▁▁|─░░ +20s",
      "-1m20s         ██▁▁██▁▁|─░░ +20s",
    ]);
  });

  it("is empty for one run, and on 29 columns", () => {
    const once = container({ history: runs(1, ["13:39:00", null]) });
    expect(line(explanation("13:40:00", [pod([once])]), 80)).toBe("");
    expect(line(LOOP, 29)).toBe("");
  });

  it.each(Object.entries(SITUATIONS))("is empty or exactly as wide as it may be: %s", (_, situation) => {
    for (const columns of [40, 77, 140]) expect([0, columns]).toContain(displayWidth(line(situation, columns)));
  });
});
