import { EventEmitter } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { screenOf } from "../../src/commands/watch/watch-explain.ts";
import { connectionNotes, onScreen, type Show } from "../../src/commands/watch/watch-output.ts";
import type { Frame } from "../../src/commands/watch/watch-session.ts";
import { NO_PREDICTIONS } from "../../src/explain/follow/watch-predictions.ts";
import { aPod, observationOf } from "../support/builders.ts";
import { shownAsError } from "../support/crash-situations.ts";

const ESCAPE = "\u001b";
const PARTS = new RegExp(`${ESCAPE}\\[(\\?)?(\\d*)([A-Za-z])|\n|\r|[^${ESCAPE}\n\r]+`, "g");

/** Emulates as much of a terminal as redrawing in place needs. Unlike a real terminal, it does not wrap long lines. */
class Screen extends EventEmitter {
  readonly isTTY = true;
  columns = 80;
  rows = 24;
  written = "";
  lines: string[] = [""];
  #row = 0;
  #column = 0;

  write(text: string): boolean {
    this.written += text;
    for (const [part, ...groups] of text.matchAll(PARTS)) {
      const [isPrivate, count, letter] = groups;
      if (part === "\n") this.#goTo(this.#row + 1, 0);
      else if (part === "\r") this.#column = 0;
      else if (letter === undefined) this.#print(part);
      else if (isPrivate === undefined) this.#obey(letter, Number(count || "0"));
    }
    return true;
  }

  get shown(): string {
    return this.lines.join("\n");
  }

  #goTo(row: number, column: number): void {
    this.#row = Math.max(0, row);
    this.#column = column;
    while (this.lines.length <= this.#row) this.lines.push("");
  }

  #print(text: string): void {
    const line = (this.lines[this.#row] ?? "").padEnd(this.#column);
    this.lines[this.#row] = line.slice(0, this.#column) + text + line.slice(this.#column + text.length);
    this.#column += text.length;
  }

  #obey(letter: string, count: number): void {
    const line = this.lines[this.#row] ?? "";
    if (letter === "A") this.#goTo(this.#row - Math.max(1, count), this.#column);
    if (letter === "B") this.#goTo(this.#row + Math.max(1, count), this.#column);
    if (letter === "G") this.#column = Math.max(0, count - 1);
    if (letter === "K") this.lines[this.#row] = count === 2 ? "" : line.slice(0, this.#column);
    if (letter === "J") this.lines = [...this.lines.slice(0, this.#row), line.slice(0, this.#column)];
  }
}

async function open(screen: Screen): Promise<Show<Frame>> {
  const stdout = screen as unknown as NodeJS.WriteStream;
  return onScreen<Frame>(stdout, (shown, size, isLast) =>
    screenOf({ frames: [shown], nowMs: shown.nowMs }, { color: false, ...size }, isLast),
  );
}

function frame(laterMs = 0): Frame {
  const explanation = { ...shownAsError(), atMs: shownAsError().atMs + laterMs };
  const [observed] = observationOf(aPod()).pods;
  if (observed === undefined) throw new Error("no pod");
  return {
    explanation,
    observed,
    nowMs: explanation.atMs,
    heardAtMs: explanation.atMs,
    predictions: NO_PREDICTIONS,
    connectionLoss: null,
    end: null,
  };
}

describe("onScreen()", () => {
  it("draws each frame in the place of the one before", async () => {
    const screen = new Screen();
    screen.write("$ kubectl backoff web-0 -w\n");
    const show = await open(screen);
    await show(frame(), false);
    expect(screen.shown).toContain("Restarts in 2m18s-2m48s");
    await show(frame(1_000), false);
    expect(screen.shown).toContain("Restarts in 2m17s-2m47s");
    expect(screen.shown.match(/Ctrl-C to stop/g)).toEqual(["Ctrl-C to stop"]);
    expect(screen.shown).toMatch(/^\$ kubectl backoff web-0 -w\nshop\//);
  });

  it("redraws from the first row after the terminal has become narrower", async () => {
    const screen = new Screen();
    screen.write("$ kubectl backoff web-0 -w\n");
    const show = await open(screen);
    await show(frame(), false);
    screen.columns = 50;
    // After a resize, a terminal may wrap the lines that have become too wide, and move the cursor along.
    const reflowed = screen.lines.flatMap((line) => line.match(/.{1,50}/g) ?? [""]);
    screen.lines = [""];
    screen.write(`\u001b[99A${reflowed.join("\n")}`);
    screen.emit("resize");
    expect(screen.shown).toMatch(/^\$ kubectl backoff web-0 -w\nshop\//);
    expect(screen.shown.match(/shop\//g)).toHaveLength(1);
    expect(screen.shown.match(/Ctrl-C to stop/g)).toHaveLength(1);
    expect(Math.max(...screen.lines.map(({ length }) => length))).toBeLessThanOrEqual(50);
  });

  it("leaves the last frame, without the ^C that the terminal prints, and the cursor below it", async () => {
    const hidden = vi.spyOn(process.stderr, "write");
    const screen = new Screen();
    const show = await open(screen);
    await show(frame(), false);
    screen.write("^C");
    await show(frame(), true);
    screen.write("$ ");
    expect(screen.lines.at(-1)).toBe("$ ");
    expect(screen.shown).toContain("Stopped at 14:40:10 GMT+1.");
    expect(screen.shown).not.toContain("^C");
    expect(screen.listenerCount("resize")).toBe(0);
    hidden.mockRestore();
  });

  it("fits a terminal of 10 rows", async () => {
    const screen = new Screen();
    screen.rows = 10;
    const show = await open(screen);
    await show(frame(), false);
    expect(screen.lines.length).toBeLessThanOrEqual(10);
  });
});

it("notes each loss of the connection once, and its return once", () => {
  const said: string[] = [];
  const noteLoss = connectionNotes((sentence) => said.push(sentence));
  const connectionLoss = { sinceMs: 0, because: "connect ECONNREFUSED" };
  for (const now of [null, connectionLoss, connectionLoss, null, null, connectionLoss]) noteLoss(now);
  const lost = "Disconnected since 01:00:00 GMT+1 (connect ECONNREFUSED), retrying.";
  expect(said).toEqual([lost, "Connected again.", lost]);
});
