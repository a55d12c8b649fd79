import { describe, expect, it } from "vitest";
import type { PodExplanation } from "../../src/explain/answer/explanation.ts";
import { byUrgency } from "../../src/render/page/trouble.ts";
import { notes } from "../../src/render/pod/notes.ts";
import { totals } from "../../src/render/pod/table.ts";
import { between, container, DOWN, exit, pod, policy } from "../support/explanations.ts";
import { PAGE } from "../support/page.ts";

const LOOP = { verdict: "crash-looping" } as const;

describe("notes()", () => {
  const told = (more: Partial<PodExplanation>): string[] => notes(pod([container(DOWN)], more), PAGE);

  it.each([
    { basis: "configz" as const, says: "(from the configuration of kubelet v1.37.1)" },
    { basis: "flag" as const, says: "(as given on the command line, kubelet v1.37.1)" },
    { basis: "version" as const, says: "(the defaults of kubelet v1.37.1)" },
  ])("name the source of the delays: $basis", ({ basis, says }) => {
    expect(told({ policy: policy({ basis }) })).toContain(`delays     10s, doubling up to 5m; reset after 10m ${says}`);
  });

  it("do not invent a version, nor a growth", () => {
    const flat = policy({ basis: "assumed", kubeletVersion: null, initialMs: 1_000, maxMs: 1_000 });
    expect(told({ policy: flat })).toContain("delays     1s; reset after 10m (assumed: the defaults of the kubelet)");
  });

  it("order what the answer rests on from seen to assumed", () => {
    const evidence = (["assumed", "seen", "inferred"] as const).map((basis) => ({
      basis,
      rule: "any",
      text: `is ${basis}`,
    }));
    const lines = notes(pod([container({ ...DOWN, evidence })]), PAGE).filter((line) => / is /.test(line));
    expect(lines).toEqual(["seen       is seen", "inferred   is inferred", "assumed    is assumed"]);
  });

  it("show times of sentences in the reader's zone, but leave messages of programs alone", () => {
    const message = "2026-11-21T13:39:54Z fatal";
    const why = "It waits since 2026-11-21T13:39:55Z.";
    const lines = notes(pod([container({ ...DOWN, why, lastExit: exit("13:39:50", "13:39:55", { message }) })]), PAGE);
    expect(lines[0]).toContain(`"${message}"`);
    expect(lines[1]).toBe("why        It waits since 14:39:55 GMT+1.");
  });

  it("cut a very long message in its middle", () => {
    const message = `first ${"x".repeat(4000)} last`;
    const [line] = notes(pod([container({ ...DOWN, lastExit: exit("13:39:50", "13:39:55", { message }) })]), PAGE);
    expect(line).toMatch(/It left the message "first x+…x+ last"\.$/);
    expect(line?.length).toBeLessThan(400);
  });
});

describe("byUrgency()", () => {
  it("puts containers in trouble first and otherwise keeps the pod's order", () => {
    const order = byUrgency([
      container({ name: "fine" }),
      container({ name: "done", state: "completed" }),
      container({ name: "entry", reset: { atMs: 0, how: "if-it-keeps-running" } }),
      container({ name: "also fine" }),
      container({ name: "down", ...DOWN }),
      container({ name: "all restarted", lastExit: exit(null, "13:39:55", { cause: "restart-all" }) }),
    ]);
    expect(order.map(({ name }) => name)).toEqual(["down", "entry", "all restarted", "fine", "also fine", "done"]);
  });
});

describe("totals()", () => {
  it("count verdicts, the worst first, and name the first start", () => {
    const soon = container({ ...DOWN, name: "b", nextRestart: between("13:40:10", "13:40:20") });
    const late = container({ ...DOWN, nextRestart: between("13:41:10", "13:41:20") });
    const pods = [pod([container()]), pod([late, soon], { ...LOOP, name: "cart" }), pod([])];
    expect(totals(pods, PAGE)).toBe(
      "3 pods: 1 crash-looping, 2 running. First to start: b of shop/cart, in 10s to 20s.",
    );
  });

  it("say nothing of a start if there is none", () => {
    expect(totals([pod([])], PAGE)).toBe("1 pods: 1 running.");
  });
});
