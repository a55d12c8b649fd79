import { describe, expect, it } from "vitest";
import type { NextStep } from "../../src/explain/answer/explanation.ts";
import { container, DOWN, explanation, pod } from "../support/explanations.ts";
import { RENDER_OPTIONS } from "../support/page.ts";
import { RENDERERS } from "../support/renderers.ts";
import { SITUATIONS } from "../support/situations.ts";

const STEPS: readonly NextStep[] = [
  { what: "read the crash", command: "kubectl logs cart -n shop -c app -p", changesCluster: false, note: null },
  {
    what: "skip the wait",
    command: "kubectl delete pod cart -n shop",
    changesCluster: true,
    note: "its ReplicaSet makes a new one; the logs of this one are lost",
  },
];

const LOGS = {
  instance: "last-exit",
  lines: ["Traceback:", "  line `3`", "```", "KeyError"],
  isTruncated: false,
} as const;

function markdown(situation: Parameters<typeof RENDERERS.md>[0]): string {
  return RENDERERS.md(situation, RENDER_OPTIONS);
}

describe("an explanation in Markdown", () => {
  it.each(["shown-as-error", "out-of-memory", "start-failing", "many-pods"])(
    "of %s equals its golden file",
    async (name) => {
      const { pods, ...rest } = SITUATIONS[name] ?? explanation("13:40:00", []);
      const [first, ...others] = pods;
      const [app, ...more] = first?.containers ?? [];
      if (first === undefined || app === undefined) throw new Error(name);
      const told = { ...first, containers: [{ ...app, logs: LOGS }, ...more], nextSteps: STEPS };
      await expect(markdown({ ...rest, pods: [told, ...others] })).toMatchFileSnapshot(`../golden/${name}.md`);
    },
  );

  it("has a fence that is longer than any in the log", () => {
    const lines = ["````", "a `````` b"];
    const text = markdown(explanation("13:40:00", [pod([container({ ...DOWN, logs: { ...LOGS, lines } })])]));
    expect(text).toContain("Last 2 log lines:\n\n```````text\n````\na `````` b\n```````\n");
  });

  it("escapes Markdown in names, and prints no escape sequence", () => {
    const name = "a|b*c_d<e>`f`[g](h)~i&amp;$j$\\k#l!m\u001b[31m";
    const text = markdown(explanation("13:40:00", [pod([container({ ...DOWN, name })])]));
    const escaped = "a\\|b\\*c\\_d\\<e\\>\\`f\\`\\[g\\](h)\\~i\\&amp;\\$j\\$\\\\k\\#l\\!m";
    expect(text).toContain(`| ${escaped} | backing off |`);
    expect(text).not.toContain("\u001b");
  });

  it("says that a run printed nothing if its log has no lines", () => {
    const app = container({ ...DOWN, logs: { ...LOGS, lines: [] } });
    expect(markdown(explanation("13:40:00", [pod([app])]))).toContain("\nLog: nothing before its exit.\n");
  });

  it("explains pods that are alike once", () => {
    const pods = ["a", "b", "c"].map((name) => pod([container(DOWN)], { name }));
    const groups = [
      { kind: "alike" as const, members: [0, 1] },
      { kind: "fine" as const, members: [2] },
    ];
    const text = markdown(explanation("13:40:00", pods, { groups }));
    expect(text).toMatch(
      /^\*\*shop\/cart-6649d49b6c \(2 of 3 pods\): [\s\S]+\nAlso b: same exit\.\n\nBased on .*\n\n1 healthy pod: shop\/c\.\n\nAs of /,
    );
    expect(text).not.toContain("**shop/b");
  });
});
