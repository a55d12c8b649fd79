import { describe, expect, it } from "vitest";
import type { ContainerLogs } from "../../src/explain/answer/explanation.ts";
import { container, DOWN, exit, explanation, pod } from "../support/explanations.ts";
import { RENDER_OPTIONS } from "../support/page.ts";
import { RENDERERS } from "../support/renderers.ts";

function logs(lines: readonly string[], more: Partial<ContainerLogs> = {}): ContainerLogs {
  return { instance: "last-exit", lines, isTruncated: false, ...more };
}

function block(log: ContainerLogs, columns = 80, others: ReturnType<typeof container>[] = []): string[] {
  const pods = [pod([container({ ...DOWN, logs: log }), ...others])];
  const lines = RENDERERS.table(explanation("13:40:00", pods), { ...RENDER_OPTIONS, columns }).split("\n");
  const from = lines.findIndex((line) => line.startsWith("Log"));
  return lines.slice(from, lines.findIndex((line, index) => index > from && /^Based/.test(line)) - 1);
}

describe("the log in the table", () => {
  it.each([
    {
      why: "a single line",
      log: logs(["KeyError: 'DB_URL'"]),
      left: ["Log        KeyError: 'DB_URL'  (last log line)"],
    },
    { why: "a run that printed nothing", log: logs([]), left: ["Log        nothing before its exit"] },
    {
      why: "an instance that has printed nothing so far",
      log: logs([], { instance: "running" }),
      left: ["Log        nothing so far"],
    },
    {
      why: "lines of an instance that runs, cut",
      log: logs(["a", "b"], { instance: "running", isTruncated: true }),
      left: ["Log        a", "           b  (last 2 log lines, it runs, cut because it is too long)"],
    },
    {
      why: "control characters are left out",
      log: logs(["\u001b[31mred\u001b[0m \u001b]0;title\u0007bad\u202e\u0008"]),
      left: ["Log        red bad  (last log line)"],
    },
    {
      why: "indentation and empty lines stay",
      log: logs(["Error: no", "    at file.js", "", "\tat tabbed", "10%\r20%"]),
      left: [
        "Log        Error: no",
        "               at file.js",
        "",
        "               at tabbed",
        "           10% 20%  (last 5 log lines)",
      ],
    },
    {
      why: "a full last line has the remark below it",
      log: logs(["x".repeat(60)]),
      left: [`Log        ${"x".repeat(60)}`, "           (last log line)"],
    },
  ])("is printed as harmless lines: $why", ({ log, left }) => {
    expect(block(log)).toEqual(left);
  });

  it("is left out for a container that never started", () => {
    const failed = container({
      ...DOWN,
      logs: logs([]),
      lastExit: exit("13:39:00", "13:39:00", { cause: "start-error" }),
    });
    expect(RENDERERS.table(explanation("13:40:00", [pod([failed])]), RENDER_OPTIONS)).not.toContain("Log");
  });

  it("stands below the table", () => {
    const pods = [pod([container({ ...DOWN, logs: logs(["a"]) })], { verdict: "crash-looping" })];
    const text = RENDERERS.table(explanation("13:40:00", pods), RENDER_OPTIONS);
    expect(text).toMatch(/\nCrash {6}.*\nCONTAINER.*\n\nLog {8}a {2}\(last log line\)\n\nBased/s);
  });

  it("shortens a very long line, and keeps both of its ends", () => {
    const lines = block(logs([`begin${"x".repeat(100_000)}end`]));
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^Log {8}beginx+$/);
    expect(lines.at(-1)).toMatch(/^ {11}x+end {2}\(last log line\)$/);
  });

  it("fits a narrow page, with less indentation", () => {
    const lines = block(logs([`${" ".repeat(16)}deep and long enough to break`]), 24);
    expect(lines).toEqual(["Log", "        deep and long", "        enough to break", "  (last log line)"]);
  });

  it("names its container if there are several", () => {
    expect(block(logs(["a"]), 80, [container({ name: "b" })])).toEqual(["Log        a  (last log line of app)"]);
    expect(block(logs([]), 80, [container({ name: "b" })])).toEqual([
      "Log        app has printed nothing before its exit",
    ]);
  });

  it("is part of the HTML page, with its markup escaped", () => {
    const shown = explanation("13:40:00", [pod([container({ ...DOWN, logs: logs(["<b>", "  x"]) })])]);
    expect(RENDERERS.html(shown, RENDER_OPTIONS)).toMatch(/<h2>Last 2 log lines<\/h2>\s*<pre>&lt;b&gt;\n {2}x<\/pre>/);
  });
});
