import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { NextStep } from "../../src/explain/answer/explanation.ts";
import { podCommands } from "../../src/explain/next-steps/pod-commands.ts";
import { pageOf } from "../../src/render/page/page.ts";
import { nextBlock } from "../../src/render/pod/next-steps.ts";
import { container, explanation, pod } from "../support/explanations.ts";

const SPECIAL = ["$(touch x)", "`id`", "a;b&c|d", "x\\y", "*?[a]", "~root", "#no", "!1", "{a,b}", "<>"];
const ODD = [...SPECIAL, "it's", 'a "b" c', "ü 🚨", ""];

function callsOf(script: string): string[][] {
  const kubectl = `kubectl() { for word; do printf '%s\\n' "$word"; done; echo; }`;
  const { stdout, stderr, status } = spawnSync("sh", ["-c", `${kubectl}\n${script}`], { encoding: "utf8" });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  return stdout
    .split("\n\n")
    .slice(0, -1)
    .map((call) => call.split("\n"));
}

describe("a command that is pasted into sh", () => {
  it.each(ODD)("gives the program the word %j unchanged", (odd) => {
    const flags = [`--context=${odd}`];
    const { command } = podCommands({ namespace: "shop", name: `web${odd}` }, flags).followStart("", `c${odd}`, "5m");
    const who = [`web${odd}`, "-n", "shop", "-c", `c${odd}`];
    expect(callsOf(command)).toEqual([
      ["backoff", "wait", ...who, "--for=restart", "--timeout=5m", ...flags],
      ["logs", "-f", ...who, ...flags],
    ]);
  });

  it.each([52, 60, 80, 120, 200])("is the same from a page of %d columns, with its comments", (columns) => {
    const commands = podCommands({ namespace: "shop", name: "cart-6649d49b6c-x2x7p" }, ["--context=my team's prod"]);
    const note = "a note that is long enough to need a line of its own, or two of them";
    const steps: NextStep[] = [
      commands.logs("read the crash", "app", ["-p"], note),
      commands.followStart("catch the restart", "app", "5m"),
      commands.raw(
        "read the old log",
        `/api/v1/nodes/node-a/proxy/logs/pods/shop_cart_${"7c8b7f0e-".repeat(9)}/app/2.log`,
        note,
      ),
      commands.change("skip the wait", "its ReplicaSet makes a new one", ["delete", "pod", "cart-6649d49b6c-x2x7p"]),
    ];
    const shown = pod([container()], { nextSteps: steps });
    const page = pageOf(explanation("13:40:00", [shown]), { columns, color: false });
    const [title, ...lines] = nextBlock(shown, page);
    expect(title).toBe("Next");
    const pasted = lines.map((line) =>
      line.replace(/^ +(read the crash|read the old log|catch the restart|skip the wait) */, ""),
    );
    expect(callsOf(pasted.join("\n"))).toEqual(steps.flatMap(({ command }) => callsOf(command)));
  });
});
