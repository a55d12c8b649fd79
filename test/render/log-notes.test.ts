import { describe, expect, it } from "vitest";
import type { ContainerLogs } from "../../src/explain/answer/explanation.ts";
import { RENDERERS } from "../../src/render/renderers.ts";
import { container, exit, explanation, pod } from "../support/explanations.ts";

const OPTIONS = { columns: 80, color: false, timeZone: "Europe/Berlin" };

function app(logs: ContainerLogs, more = {}) {
  return container({ restartCount: 1, lastExit: exit("13:39:00", "13:39:05"), why: "It runs.", logs, ...more });
}

/** The lines of the logs. */
function shown(logs: ContainerLogs, columns = 80): string[] {
  const text = RENDERERS.table(explanation("13:40:00", [pod([app(logs)])]), { ...OPTIONS, columns });
  const lines = text.split("\n");
  return lines.slice(
    lines.findIndex((line) => line.startsWith("log")),
    lines.findIndex((line) => line.startsWith("CONTAINER")) - 1,
  );
}

describe("the logs in the table", () => {
  it("stand below the exit that they belong to, those of a running instance after them", () => {
    const text = RENDERERS.table(
      explanation("13:40:00", [pod([app({ previous: ["a", "b"], current: ["c"] })])]),
      OPTIONS,
    );
    expect(text).toContain(`Crash      Exit code 1: the program stopped with an error.
log        The last 2 lines before this exit:
             a
             b
log now    The last line of the running instance:
             c
`);
  });

  it.each([
    { why: "nothing printed", previous: [], left: ["log        No output before this exit."] },
    { why: "not read", previous: null, left: [] },
    {
      why: "nothing that a terminal obeys",
      previous: ["\u001b[31mred\u001b[0m \u001b]0;title\u0007bad\u202e\u0008"],
      left: ["log        The last line before this exit:", "             red bad"],
    },
    {
      why: "indentation and empty lines stay",
      previous: ["Error: no", "    at file.js", "", "\tat tabbed", "10%\r20%"],
      left: [
        "log        The last 5 lines before this exit:",
        "             Error: no",
        "                 at file.js",
        "",
        "                 at tabbed",
        "             10% 20%",
      ],
    },
  ])("are harmless lines: $why", ({ previous, left }) => {
    expect(shown({ previous, current: null })).toEqual(left);
  });

  it("shorten what is very long, and keep both of its ends", () => {
    const lines = shown({ previous: [`begin${"x".repeat(100_000)}end`], current: null }).slice(1);
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^ {13}beginx+$/);
    expect(lines.at(-1)).toMatch(/^ {13}x+end$/);
  });

  it("keep to a narrow page, on which deep indentation gives way", () => {
    const lines = shown({ previous: [`${" ".repeat(16)}deep and long enough to break`], current: null }, 24);
    expect(lines.slice(-2)).toEqual(["        deep and long", "        enough to break"]);
  });

  it("name their container where there are several", () => {
    const pods = [pod([app({ previous: ["a"], current: null }, { state: "restarting" }), container({ name: "b" })])];
    expect(RENDERERS.table(explanation("13:40:00", pods), OPTIONS)).toContain("log        app: The last line before");
  });
});
