import { describe, expect, it } from "vitest";
import type {
  ContainerExplanation,
  PodExplanation,
  PolicyExplanation,
  Since,
} from "../../src/explain/answer/explanation.ts";
import { prose } from "../../src/explain/answer/prose.ts";
import { stated } from "../../src/explain/words/evidence.ts";
import { formatWindow } from "../../src/render/page/durations.ts";
import { gapTexts } from "../../src/render/pod/gap-texts.ts";
import { totals } from "../../src/render/pod/groups.ts";
import { groundsOf, mainNotes, type Note, podNotes } from "../../src/render/pod/notes.ts";
import { atClock, between, container, DOWN, exit, inferred, pod, policy, runs } from "../support/explanations.ts";
import { PAGE } from "../support/page.ts";

const LOOP = { verdict: "crash-looping" } as const;

const TEXT = (notes: readonly Note[]): string[] => notes.map(({ label, text }) => `${label}: ${PAGE.times.text(text)}`);

describe("podNotes()", () => {
  const told = (more: Partial<PodExplanation>): string[] => TEXT(podNotes(pod([container(DOWN)], more)));

  it.each([
    { basis: "configz" as const, says: "(node-a's kubelet configuration, v1.37.1)" },
    { basis: "flag" as const, says: "(given by flags, v1.37.1)" },
    { basis: "version" as const, says: "(kubelet v1.37.1 defaults)" },
  ])("name the source of the delays: $basis", ({ basis, says }) => {
    expect(told({ policy: policy({ basis }) })).toContain(`back-off: 10s, doubling to 5m; resets after 10m ${says}`);
  });

  it("name no version that is unknown, and no growth of a constant delay", () => {
    const flat = policy({ basis: "assumed", kubeletVersion: null, initialMs: 1_000, maxMs: 1_000 });
    expect(told({ policy: flat })).toContain("back-off: 1s; resets after 10m (assumed kubelet defaults)");
  });

  it("order the evidence from observed to assumed", () => {
    const evidence = (["assumed", "observed", "inferred"] as const).map((basis) => ({
      basis,
      rule: "any",
      text: `is ${basis}`,
    }));
    const lines = TEXT(podNotes(pod([container({ ...DOWN, evidence })]))).filter((line) => / is /.test(line));
    expect(lines).toEqual(["observed: is observed", "inferred: is inferred", "assumed: is assumed"]);
  });

  const ABSENT = ["events", "node", "node-events", "node-config"];

  it.each([
    {
      lacks: ABSENT,
      says: "Only the pod was given: kubelet defaults are assumed, and kills and kubelet restarts may go unnoticed.",
    },
    {
      lacks: ["node", "node-events", "node-config"],
      says: "The input has neither the node nor the node's events nor the kubelet's configuration: kubelet defaults are assumed, and kubelet restarts may go unnoticed.",
    },
    {
      lacks: ["events", "node-events"],
      says: "The input has neither the pod's events nor the node's events: kills and kubelet restarts may go unnoticed.",
    },
    { lacks: ["node-config"], says: "node-config" },
  ])("have one gap for everything that the input lacks, and one gap for invalid fields: $lacks", ({ lacks, says }) => {
    const absent = lacks.map((what) => ({ code: `${what}-not-in-input`, message: what }));
    const gaps = [...absent, { code: "invalid-fields", message: "Ignored invalid fields of pod web: x." }];
    expect(told({ gaps }).filter((line) => line.startsWith("gap"))).toEqual([
      `gap: ${says}`,
      "gap: Ignored invalid fields of pod web: x.",
    ]);
  });
});

describe("the gap of an input without the kubelet's configuration", () => {
  const lacking = (...kinds: string[]) => kinds.map((what) => ({ code: `${what}-not-in-input`, message: what }));
  const text = (of: PolicyExplanation, ...kinds: string[]) => gapTexts(lacking(...kinds), of);

  it.each([
    {
      of: policy({ basis: "version", isInferred: true, maxMs: 60_000 }),
      says: "a back-off of 10s, doubling to 1m is assumed, which fits the pod's waits, and ",
    },
    {
      of: policy({ basis: "assumed", isKubeadm: true }),
      says: "kubeadm's configuration of the cluster is assumed, and ",
    },
    { of: policy({ basis: "version" }), says: "kubelet defaults are assumed, and " },
    { of: policy({ basis: "flag" }), says: "" },
  ])("says what the answer assumes: $says", ({ of, says }) => {
    expect(text(of, "node-events", "node-config")).toEqual([
      `The input has neither the node's events nor the kubelet's configuration: ${says}kubelet restarts may go unnoticed.`,
    ]);
  });

  it("assumes only the version if the input has the configuration, but not the node", () => {
    expect(text(policy(), "events", "node", "node-events")).toEqual([
      "The input has neither the pod's events nor the node nor the node's events: the kubelet's version is assumed, and kills and kubelet restarts may go unnoticed.",
    ]);
  });
});

const SINCE: Since = {
  kind: "earlier",
  revision: 3,
  name: "cart-6649d49b6c",
  comparedRevision: 2,
  atMs: null,
  settings: [],
  isContainerNamed: false,
  isTelling: false,
  hasCrashed: true,
  isOtherImage: false,
  healthy: [],
};

describe("mainNotes()", () => {
  const noted = (more: Partial<ContainerExplanation>, about: Partial<PodExplanation> = {}): string[] =>
    TEXT(mainNotes(pod([container({ ...DOWN, why: "", ...more })], { verdict: "crash-looping", ...about }), PAGE));

  it("show the program's own times in the reader's zone, and leave the times in log lines alone", () => {
    const crash = prose`It ended at ${{ atMs: atClock("13:39:55") }}. Last line: 2026-11-21T13:39:54Z bye`;
    expect(noted({ lastExit: exit("13:39:50", "13:39:55", { meaning: "m", crash }) })).toEqual([
      "Crash: It ended at 14:39:55 GMT+1. Last line: 2026-11-21T13:39:54Z bye",
    ]);
  });

  it.each<{ why: string; it: Partial<ContainerExplanation>; about?: Partial<PodExplanation>; says: string[] }>([
    {
      why: "an exit that is no crash",
      it: { lastExit: exit(null, "13:39:00", { exitCode: 0, meaning: "m" }) },
      says: ["Exit: m"],
    },
    {
      why: "the message of a failed start is part of its meaning",
      it: { lastExit: exit(null, "13:39:00", { cause: "start-error", message: "exec: no", meaning: "m" }) },
      says: ["Crash: m"],
    },
    { why: "the pod stays down", it: { state: "failed", lastExit: null, why: "w" }, says: ["Why: w"] },
    {
      why: "since when the pod fails, and what its Job does, but no stuck rollout",
      it: { lastExit: null },
      about: { since: SINCE, ownerEvidence: [stated("rollout-stuck", "r"), stated("job-backoff-limit", "j")] },
      says: ["Since: before revision 3: pods of revision 2 crash too", "Owner: j"],
    },
    {
      why: "the first gap, and how many more, without that of the node, which the answer names",
      it: { lastExit: null },
      about: {
        gaps: ["node-not-ready", "events-forbidden", "clock-skew"].map((code) => ({ code, message: `${code}.` })),
      },
      says: ["Gap: events-forbidden. 1 more: -o wide."],
    },
    {
      why: "no gap of a node that does not exist, which the answer names",
      it: { lastExit: null },
      about: {
        gaps: ["node-not-found", "node-config-not-found", "clock-skew"].map((code) => ({ code, message: `${code}.` })),
      },
      says: ["Gap: clock-skew."],
    },
    {
      why: "what the kubelet does after each way to end, if it differs",
      it: {
        state: "running",
        lastExit: null,
        ways: { afterKill: "it restarts immediately.", afterExit: "the kubelet waits 5m." },
      },
      says: ["Probe kill: It restarts immediately.", "Own exit: The kubelet waits 5m."],
    },
    {
      why: "a pod that has completed waits for nothing",
      it: { lastExit: null, waitSentence: "w" },
      about: { verdict: "completed" },
      says: [],
    },
  ])("say only what matters most: $why", ({ it: main, about, says }) => {
    expect(noted(main, about)).toEqual(says);
  });
});

describe("the note on the node", () => {
  const pressure = [{ kind: "pressure", sinceMs: atClock("13:40:00"), what: "has MemoryPressure" }] as const;
  const noteOf = (about: Partial<PodExplanation>) => {
    const failing = container({ ...DOWN, failingSince: { atMs: atClock("13:30:00"), basis: "observed" } });
    const notes = mainNotes(pod([failing], { node: "node-a", nodeFacts: pressure, ...about }), PAGE);
    return notes.filter(({ label }) => label === "Node").map(({ text }) => PAGE.times.text(text));
  };

  it("says what came after the failures began, but not of a pod that was evicted or deleted", () => {
    expect(noteOf({ verdict: "crash-looping" })[0]).toMatch(/, after the failures began\)$/);
    expect(noteOf({ verdict: "failed", ending: { reason: "Evicted", message: "low on memory" } })[0]).not.toContain(
      "after",
    );
    expect(noteOf({ verdict: "terminating" })[0]).not.toContain("after");
  });
});

describe("groundsOf()", () => {
  it("counts the runs that the history leaves out as inferred", () => {
    const [run] = runs(1, ["13:38:30", "13:38:35"]);
    const history = run === undefined ? [] : [{ ...run, start: 1_569 }];
    expect(groundsOf(pod([container({ ...DOWN, history })]))).toContain("Based on 1 observed and 1569 inferred runs");
  });

  it("says nothing about a pod that can't start, because it has no back-off", () => {
    const stuck = container({ state: "starting", reported: "CreateContainerConfigError" });
    expect(groundsOf(pod([stuck], { verdict: "start-failing" }))).toBe("");
  });

  const history = inferred(2, runs(1, ["13:38:00", "13:38:05"], ["13:38:10", "13:38:15"], ["13:38:30", "13:38:35"]));

  it.each([
    { history, policy: policy(), says: "1 observed and 2 inferred runs; kubelet config read" },
    {
      history: runs(1, ["13:38:30", "13:38:35"]),
      policy: policy({ basis: "flag" }),
      says: "1 observed run; kubelet settings given by flags",
    },
    { history: [], policy: policy({ basis: "version" }), says: "the pod's status; kubelet defaults assumed" },
    {
      history: [],
      policy: policy({ basis: "assumed", kubeletVersion: null }),
      says: "the pod's status; kubelet defaults assumed",
    },
    {
      history: [],
      policy: policy({ basis: "assumed", isInferred: true }),
      says: "the pod's status; back-off inferred from its waits",
    },
  ])("says: $says", ({ says, history: known, policy: inForce }) => {
    expect(groundsOf(pod([container({ ...DOWN, history: known })], { policy: inForce }))).toBe(`Based on ${says}.`);
  });
});

describe("totals()", () => {
  it("count the verdicts, the worst first, and name the first container to restart", () => {
    const soon = container({ ...DOWN, name: "b", nextRestart: between("13:40:10", "13:40:20") });
    const late = container({ ...DOWN, nextRestart: between("13:41:10", "13:41:20") });
    const pods = [pod([container()]), pod([late, soon], { ...LOOP, name: "cart" }), pod([])];
    expect(totals(pods, (start) => formatWindow(start, PAGE.nowMs))).toBe(
      "3 pods: 1 crash-looping, 2 running. First to restart: b of shop/cart, in 10s-20s.",
    );
  });

  it("name no container to restart if there is none", () => {
    expect(totals([pod([])], () => "in 1s")).toBe("1 pod: 1 running.");
  });
});
