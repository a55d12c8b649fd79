import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { renderNamed } from "../../src/render/help.ts";
import { startBehaviourLab } from "../support/behaviour-lab.ts";
import { run } from "../support/command.ts";
import { linesTooWide } from "../support/too-wide.ts";

const WIDTHS = [20, 40, 80, 300];

const LINES = [
  ...["demo", "demo -o wide", "demo sidecar", "demo image-pull -o wide", "demo --list", "simulate --run 42s"],
  ...["strategies --clients 3", "explain web-0", "list", "eta"],
];

describe("a terminal", () => {
  let lab: Awaited<ReturnType<typeof startBehaviourLab>>;

  beforeAll(async () => {
    lab = await startBehaviourLab();
    return () => lab.stop();
  });
  beforeEach(() => void vi.stubEnv("KUBECONFIG", lab.kubeconfig));

  it.each(LINES)("of 20, 40, 80 and 300 columns breaks no line of: %s", async (line) => {
    for (const columns of WIDTHS) {
      vi.stubEnv("COLUMNS", `${columns}`);
      const { exitCode, stdout } = await run(...line.split(" "));
      expect(exitCode).toBe(0);
      expect(linesTooWide(stdout, columns)).toEqual([]);
    }
  });

  it("shows fewer columns of a list the narrower it is, and always NAME and NEXT", async () => {
    const headings: string[] = [];
    for (const columns of [80, 60, 52, 40, 30, 20]) {
      vi.stubEnv("COLUMNS", `${columns}`);
      headings.push((await run("list")).stdout.split("\n")[0]?.replaceAll(/ +/g, " ") ?? "");
    }
    expect(headings).toEqual([
      "NAME READY STATE RESTARTS NEXT SINCE CAUSE",
      "NAME READY STATE RESTARTS NEXT SINCE CAUSE",
      "NAME READY STATE NEXT SINCE CAUSE",
      "NAME STATE NEXT CAUSE",
      "NAME STATE NEXT",
      "NAME NEXT",
    ]);
  });
});

describe("renderNamed()", () => {
  const entries = [
    { name: "one", title: "The first of them" },
    { name: "seventeen", title: "Another" },
  ];

  it("prints each title beside its name, below the name on a narrow terminal, and on one line without a width limit", () => {
    const wide = "one        The first of them\nseventeen  Another\n";
    expect(renderNamed(entries, 80)).toBe(wide);
    expect(renderNamed(entries, Number.POSITIVE_INFINITY)).toBe(wide);
    expect(renderNamed(entries, 27)).toBe("one        The first of\n           them\nseventeen  Another\n");
    expect(renderNamed(entries, 20)).toBe("one\n  The first of them\nseventeen\n  Another\n");
  });
});
