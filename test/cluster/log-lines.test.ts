import { describe, expect, it } from "vitest";
import { VirtualTimers } from "../../lab/watch/virtual-timers.ts";
import { CollectedLines } from "../../src/cluster/watch/log-lines.ts";

const MOST = 2 ** 20;
const timed = (nanosecond: number, text: string): string =>
  `2026-11-21T12:10:0${Math.floor(nanosecond / 1e9)}.${`${nanosecond % 1e9}`.padStart(9, "0")}Z ${text}\n`;
const textsOf = (lines: CollectedLines): string[] => lines.result().lines.map(({ text }) => text);

function read(lines: CollectedLines, text: string): void {
  lines.begin();
  lines.add(text, 0);
}

/** sinceTime is in whole seconds, so earlier lines of the same second come, too. */
function since(file: readonly string[], { sinceTime }: CollectedLines): string {
  const sinceMs = sinceTime === null ? 0 : Date.parse(sinceTime);
  return file.filter((line) => Date.parse(line.split(" ", 1)[0] ?? "") >= sinceMs).join("");
}

describe("the lines of a log", () => {
  it("come once each, wherever the connection breaks, also with equal timestamps and slightly out of order", () => {
    for (let seed = 1; seed <= 400; seed++) {
      const timers = new VirtualTimers(seed);
      const random = () => timers.random();
      let nanosecond = 0;
      const file = Array.from({ length: 60 }, (_, index) => {
        nanosecond += [0, 0, 1, 1_000, 300_000_000][Math.floor(random() * 5)] ?? 0;
        const jitter = random() < 0.2 ? -Math.min(nanosecond, Math.floor(random() * 2_000)) : 0;
        return timed((nanosecond + jitter) % 10e9, random() < 0.3 ? "same" : `line ${index}`);
      });
      const lines = new CollectedLines(MOST);
      for (let turn = 0; turn < 6; turn++) {
        const answer = since(file.slice(0, 10 * (turn + 1)), lines);
        read(lines, answer.slice(0, Math.floor(random() * answer.length)));
      }
      read(lines, since(file, lines));
      lines.end(0);
      expect(textsOf(lines), `seed ${seed}`).toEqual(file.map((line) => line.slice(31, -1)));
    }
  });

  it("continue if the kubelet has begun a new file, which does not have the last line", () => {
    const lines = new CollectedLines(MOST);
    read(lines, timed(1, "old") + timed(2, "last"));
    read(lines, timed(3, "new"));
    expect(textsOf(lines)).toEqual(["old", "last", "new"]);
  });

  it("are recognized by their instant, whatever the node's time zone", () => {
    const lines = new CollectedLines(MOST);
    read(lines, "2026-11-21T13:10:00.5+01:00 one\n");
    expect(lines.sinceTime).toBe("2026-11-21T12:10:00Z");
    read(lines, "2026-11-21T12:10:00.500000000Z one\n2026-11-21T12:10:00.500000001Z two\n");
    expect(textsOf(lines)).toEqual(["one", "two"]);
  });

  it("need no timestamps and no last newline", () => {
    const lines = new CollectedLines(MOST);
    for (const _ of [1, 2]) {
      read(lines, "one\ntwo\nthr");
    }
    lines.add("ee", 0);
    lines.end(0);
    expect(textsOf(lines)).toEqual(["one", "two", "three"]);
    expect(lines.result().lines.map(({ time }) => time)).toEqual([null, null, null]);
  });

  it("are limited: the first are left out, and a line that is too long is cut at its end", () => {
    const lines = new CollectedLines(2 ** 19);
    lines.begin();
    for (let index = 0; index < 50; index++) lines.add(timed(index, "x".repeat(20_000)), 0);
    expect(lines.result().leftOut).toEqual({ lines: 24, bytes: 24 * 20_001 });
    lines.add("2026-11-21T12:10:01.5Z ", 0);
    for (let index = 0; index < 100; index++) lines.add("y".repeat(10_000), 0);
    lines.end(0);
    const last = lines.result().lines.at(-1);
    expect((last?.text.length ?? 0) + 23).toBe(2 ** 18);
    expect(last?.cut).toBe(1_000_000 + 23 - 2 ** 18);
  });

  it("are not taken twice, however many of them are left out already", () => {
    const lines = new CollectedLines(100);
    const file = Array.from({ length: 1_000 }, (_, index) => timed(index, `line ${index}`));
    read(lines, file.slice(0, 900).join(""));
    read(lines, file.join(""));
    const { leftOut } = lines.result();
    expect(leftOut.lines + textsOf(lines).length).toBe(1_000);
    expect(textsOf(lines).at(-1)).toBe("line 999");
  });

  it("from a given instant on are dropped by cutFrom(), and are taken if they are read again", () => {
    const lines = new CollectedLines(MOST);
    read(lines, timed(1, "one") + timed(1.2e9, "two") + timed(1.9e9, "of the next run"));
    lines.cutFrom(Date.parse("2026-11-21T12:10:01Z"));
    expect(textsOf(lines)).toEqual(["one"]);
    read(lines, timed(1, "one") + timed(1.2e9, "two"));
    expect(textsOf(lines)).toEqual(["one", "two"]);
  });

  it("are empty if the kubelet only reports that it has no log", () => {
    const lines = new CollectedLines(MOST);
    read(lines, "unable to retrieve container logs for containerd://abc");
    lines.end(0);
    expect([textsOf(lines), lines.hasNotice]).toEqual([[], true]);
  });
});
