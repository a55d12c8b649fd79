import { describe, expect, it } from "vitest";
import type { PodExplanation } from "../../src/explain/answer/explanation.ts";
import { inGroups } from "../../src/explain/groups.ts";
import { between, container, exit, explanation, pod } from "../support/explanations.ts";

const ALL = { matched: 9, leftOutFine: 0, leftOutFailing: 0, named: [] };

function crashing(name: string, from: string, more: Partial<PodExplanation> = {}, inside = {}): PodExplanation {
  const waits = { state: "backing-off" as const, delayMs: 40_000, nextRestart: between(from, "13:59:00") };
  const app = container({ reported: "Error", lastExit: exit("13:00:00", "13:00:05"), ...waits, ...inside });
  return pod([app], { name, verdict: "crash-looping", ...more });
}

const fine = (name: string, more: Partial<PodExplanation> = {}) => pod([container()], { name, ...more });

function grouped(pods: readonly PodExplanation[], named: readonly string[] = []): string[] {
  const told = inGroups(explanation("13:01:00", pods), { ...ALL, named });
  return (told.groups ?? []).map(({ kind, members }) => `${kind}: ${members.map((index) => told.pods[index]?.name)}`);
}

describe("inGroups()", () => {
  it("groups pods that are alike, the one that restarts next first, and puts the healthy ones last", () => {
    const pods = [
      fine("f-1"),
      crashing("b", "13:03:00"),
      crashing("a", "13:02:00"),
      fine("f-2"),
      crashing("c", "13:04:00"),
    ];
    expect(grouped(pods)).toEqual(["alike: a,b,c", "fine: f-1,f-2"]);
  });

  it("puts the pod first whose log was read", () => {
    const logs = { instance: "last-exit" as const, lines: ["fatal: no database"], isTruncated: false };
    const pods = [crashing("a", "13:02:00"), crashing("b", "13:03:00", {}, { logs }), crashing("c", "13:01:00")];
    expect(grouped(pods)).toEqual(["alike: b,c,a"]);
  });

  it("puts the window that ends first before another one that begins at the same time", () => {
    const due = (by: string) => ({ nextRestart: between("13:02:00", by) });
    const pods = [crashing("b", "13:02:00", {}, due("13:02:07")), crashing("a", "13:02:00", {}, due("13:02:03"))];
    expect(grouped(pods)).toEqual(["alike: a,b"]);
  });

  it.each([
    { other: crashing("b", "13:03:00", { owner: { kind: "ReplicaSet", name: "another" } }), why: "owner" },
    { other: crashing("b", "13:03:00", { namespace: "another" }), why: "namespace" },
    { other: crashing("b", "13:03:00", {}, { name: "proxy" }), why: "container" },
    { other: crashing("b", "13:03:00", { verdict: "pending" }, { isCrashLooping: false }), why: "verdict" },
    { other: crashing("b", "13:03:00", {}, { overdue: { expectedByMs: 0 }, nextRestart: null }), why: "overdue state" },
    {
      other: crashing("b", "13:03:00", {}, { lastExit: exit("13:00:00", "13:00:05", { exitCode: 2 }) }),
      why: "exit code",
    },
    {
      other: crashing("b", "13:03:00", {}, { lastExit: exit("13:00:00", "13:00:05", { cause: "oom" }) }),
      why: "cause",
    },
    { other: crashing("b", "13:03:00", { ending: { reason: "Preempting", message: "" } }), why: "reason of the pod" },
    {
      other: crashing("b", "13:03:00", { gaps: [{ code: "node-not-ready", message: "x" }] }),
      why: "node state (NotReady)",
    },
  ])("keeps pods apart that have another $why", ({ other }) => {
    expect(grouped([crashing("a", "13:02:00"), other])).toEqual(["alike: a", "alike: b"]);
  });

  it.each([
    { other: { delayMs: 80_000 }, why: "one waits for longer" },
    { other: { state: "restarting" as const }, why: "the wait of one is over" },
    { other: { state: "running" as const, nextRestart: null, isReady: true }, why: "one runs right now" },
  ])("groups pods that crash-loop, although their states differ: $why", ({ other }) => {
    const loops = { isCrashLooping: true };
    const pods = [crashing("a", "13:02:00", {}, loops), crashing("b", "13:03:00", {}, { ...loops, ...other })];
    expect(grouped(pods)).toEqual(["alike: a,b"]);
  });

  it("groups pods that crash-loop, although no last exit is known and one runs right now", () => {
    const loops = { isCrashLooping: true, lastExit: null };
    const waits = { ...loops, reported: "CrashLoopBackOff" };
    const runs = { ...loops, state: "running" as const, nextRestart: null, isReady: true, reported: "Running" };
    expect(grouped([crashing("a", "13:02:00", {}, waits), crashing("b", "13:03:00", {}, runs)])).toEqual([
      "alike: a,b",
    ]);
  });

  it("keeps pods without an owner apart", () => {
    const bare = (name: string) => crashing(name, "13:02:00", { owner: null });
    expect(grouped([bare("a"), bare("b")])).toEqual(["alike: a", "alike: b"]);
  });

  it("compares only the failing containers, whatever the history of the healthy ones", () => {
    const two = (name: string, restartCount: number) => {
      const [app] = crashing(name, "13:02:00").containers;
      return pod([container({ name: "proxy", restartCount }), ...(app === undefined ? [] : [app])], {
        name,
        verdict: "crash-looping",
      });
    };
    expect(grouped([two("a", 0), two("b", 4)])).toEqual(["alike: a,b"]);
  });

  it("keeps up to three pods that the user named apart, in the order of the pods, healthy ones, too", () => {
    const pods = [fine("f"), crashing("b", "13:03:00"), crashing("a", "13:02:00")];
    expect(grouped(pods, ["shop/a", "shop/b", "shop/f"])).toEqual(["alike: f", "alike: b", "alike: a"]);
  });

  it("groups four named pods that are alike", () => {
    const names = ["a", "b", "c", "d"];
    const pods = names.map((name) => crashing(name, "13:02:00"));
    expect(
      grouped(
        pods,
        names.map((name) => `shop/${name}`),
      ),
    ).toEqual(["alike: a,b,c,d"]);
  });

  it("does not count a single pod as one of the healthy pods", () => {
    expect(grouped([fine("f")])).toEqual(["alike: f"]);
  });

  it("puts the pod that ended last first if none restarts", () => {
    const failed = (name: string, end: string) => {
      const task = container({ state: "failed", delayMs: null, lastExit: exit("13:00:00", end) });
      return pod([task], { name, verdict: "failed" });
    };
    expect(grouped([failed("a", "13:00:05"), failed("b", "13:00:25")])).toEqual(["alike: b,a"]);
  });
});
