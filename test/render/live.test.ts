import { describe, expect, it } from "vitest";
import type { Outcome, Predictions } from "../../src/explain/follow/watch-predictions.ts";
import { type LiveFrame, renderLive, rowsOn } from "../../src/render/watch/live.ts";
import { atClock, between } from "../support/explanations.ts";
import { SITUATIONS } from "../support/situations.ts";

const OUTCOME: Outcome = {
  container: "app",
  start: 5,
  window: between("13:39:40", "13:39:50"),
  madeAtMs: atClock("13:38:18"),
  startedAtMs: atClock("13:39:43"),
  offMs: 0,
};

const PREDICTIONS: Predictions = {
  pending: [],
  recent: [
    { ...OUTCOME, start: 4, startedAtMs: atClock("13:38:12"), offMs: 3_000, window: between("13:38:00", "13:38:09") },
    OUTCOME,
  ],
  kept: 1,
  missed: 1,
};

function frameOf(situation: string, more: Partial<LiveFrame> = {}): LiveFrame {
  const explanation = SITUATIONS[situation];
  if (explanation === undefined) throw new Error(`no situation ${situation}`);
  return { explanation, nowMs: explanation.atMs, predictions: PREDICTIONS, connectionLoss: null, end: null, ...more };
}

const SIZE = { columns: 80, rows: 40, color: false };
const lastLines = (text: string, count: number): string => text.trimEnd().split("\n").slice(-count).join("\n");

describe("renderLive()", () => {
  it("prints the golden file: the table, how to stop, and what became of the predictions", async () => {
    const text = renderLive(frameOf("shown-as-error"), SIZE);
    await expect(text).toMatchFileSnapshot("../golden/live-shown-as-error.txt");
  });

  it.each(Object.keys(SITUATIONS))(
    "is never wider than the terminal and, if four lines fit, never as high: %s",
    (situation) => {
      for (const columns of [20, 50, 80, 200]) {
        for (const rows of [1, 5, 10, 24, 60]) {
          const lines = renderLive(frameOf(situation), { columns, rows, color: false }).trimEnd().split("\n");
          expect(lines.length).toBeLessThanOrEqual(Math.max(4, rows - 1));
          expect(rowsOn(lines.join("\n"), columns)).toBe(lines.length);
        }
      }
    },
  );

  it("cuts the explanation in a low terminal, but not the lines below it", () => {
    const text = renderLive(frameOf("shown-as-error"), { ...SIZE, rows: 14 });
    expect(text.split("\n")).toHaveLength(14);
    expect(text).toMatch(
      /\n… and \d+ more lines\n\n14:40:10 GMT\+1\. Ctrl-C to stop\. 1 of 2 predictions were right\.\n/,
    );
    expect(text).toMatch(/^shop\/\S+: app is in CrashLoopBackOff/);
  });

  it("says since when it is disconnected, but not in the first seconds", () => {
    const because = "connect ECONNREFUSED 10.0.0.1:6443";
    const lost = frameOf("shown-as-error", {
      connectionLoss: { sinceMs: atClock("13:40:00"), because },
      predictions: { ...PREDICTIONS, recent: [] },
    });
    expect(lastLines(renderLive(lost, SIZE), 2)).toBe(
      "Disconnected since 14:40:00 GMT+1 (connect ECONNREFUSED 10.0.0.1:6443),\nretrying. Showing the last known state.",
    );
    const forDays = frameOf("shown-as-error", {
      connectionLoss: { sinceMs: atClock("13:40:00") - 2 * 86_400_000, because },
    });
    expect(renderLive(forDays, SIZE)).toContain("Disconnected since Nov 19 14:40:00 GMT+1");
    const justNow = frameOf("shown-as-error", { connectionLoss: { sinceMs: atClock("13:40:08"), because } });
    expect(renderLive(justNow, SIZE)).not.toContain("Disconnected");
  });

  it.each([
    { end: "deleted", says: "has been deleted. 1 of 2 predictions were right." },
    { end: "replaced", says: "is gone: another pod has its name now." },
    { end: "stopped", says: "Stopped at 14:40:10 GMT+1. 1 of 2 predictions were right." },
  ] as const)("says how the watch ended: $end", ({ end, says }) => {
    const text = renderLive(frameOf("shown-as-error", { end }), SIZE).replaceAll("\n", " ");
    expect(text).toContain(says);
    expect(text).not.toContain("Ctrl-C");
  });

  it("shows no escape sequences of a container's name or of a connection error", () => {
    const connectionLoss = { sinceMs: atClock("13:00:00"), because: "\u001b[2Jgone" };
    const recent = [{ ...OUTCOME, container: "a\u001b[31mb" }];
    const text = renderLive(
      frameOf("shown-as-error", { connectionLoss, predictions: { ...PREDICTIONS, recent } }),
      SIZE,
    );
    expect(text).not.toContain("\u001b");
  });
});

describe("rowsOn()", () => {
  it.each([
    { text: "", columns: 80, rows: 1 },
    { text: "a\n\nb\n", columns: 80, rows: 3 },
    { text: "12345678901", columns: 10, rows: 2 },
    { text: "1234567890", columns: 10, rows: 1 },
    { text: "漢字漢字漢字", columns: 10, rows: 2 },
    { text: "\u001b[31m1234567890\u001b[39m", columns: 10, rows: 1 },
  ])("$text on $columns columns takes $rows rows", ({ text, columns, rows }) => {
    expect(rowsOn(text, columns)).toBe(rows);
  });
});
