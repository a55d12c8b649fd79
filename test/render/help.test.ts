import { describe, expect, it } from "vitest";
import { renderCommandHelp, renderProgramHelp } from "../../src/render/help.ts";

const COMMAND = {
  summary: "Do it.",
  description: "It is done at once, and whoever has asked for it is told so in one line.",
  examples: ["# Do it\n  kubectl backoff it", "# Do it twice\n  kubectl backoff it\n  kubectl backoff it"],
  groups: [
    {
      title: "Options:",
      entries: [
        { head: "-n, --namespace=NAME", text: "Where to do it, with so many words that a line does not hold them." },
        { head: "--watch", text: "Go on." },
      ],
    },
  ],
  usage: ["kubectl backoff it [flags]"],
};

describe("renderCommandHelp()", () => {
  it("has kubectl's form: the text of a flag below it, the usage last", () => {
    expect(renderCommandHelp(COMMAND, 60)).toBe(`Do it.

 It is done at once, and whoever has asked for it is told so
 in one line.

Examples:
  # Do it
  kubectl backoff it

  # Do it twice
  kubectl backoff it
  kubectl backoff it

Options:
    -n, --namespace=NAME:
        Where to do it, with so many words that a line does
        not hold them.

    --watch:
        Go on.

Usage:
  kubectl backoff it [flags]
`);
  });

  it("leaves out empty sections", () => {
    const bare = { ...COMMAND, description: "", examples: [], groups: [] };
    expect(renderCommandHelp(bare, 80)).toBe("Do it.\n\nUsage:\n  kubectl backoff it [flags]\n");
  });

  it.each([
    { columns: 10, most: 40, why: "narrower help is hard to read" },
    { columns: 72, most: 72, why: "the width of the terminal" },
    { columns: 300, most: 100, why: "longer lines are hard to read" },
  ])("wraps at $most columns on a terminal of $columns: $why", ({ columns, most }) => {
    const description = "word ".repeat(100).trim();
    const lines = renderCommandHelp({ ...COMMAND, description }, columns).split("\n");
    const longest = Math.max(...lines.map((line) => line.length));
    expect(longest).toBeGreaterThan(most - 5);
    expect(longest).toBeLessThanOrEqual(most);
  });
});

describe("renderProgramHelp()", () => {
  it("lists the commands, with their summaries in a column", () => {
    const help = {
      summary: "Does it.",
      examples: ["# Do it\n  kubectl backoff it"],
      commands: [
        ["it", "Do it, and then tell everybody who has asked for it."],
        ["strategies", "Compare."],
      ] as const,
      usage: ["kubectl backoff COMMAND [flags]"],
      hint: "Ask for more.",
    };
    expect(renderProgramHelp(help, 50)).toBe(`Does it.

Examples:
  # Do it
  kubectl backoff it

Available Commands:
  it          Do it, and then tell everybody who
              has asked for it.
  strategies  Compare.

Usage:
  kubectl backoff COMMAND [flags]

Ask for more.
`);
  });
});
