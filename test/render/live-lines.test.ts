import { describe, expect, it } from "vitest";
import type { ContainerExplanation, Explanation, Run } from "../../src/explain/answer/explanation.ts";
import { type Prose, prose } from "../../src/explain/answer/prose.ts";
import { NO_PREDICTIONS, type Outcome } from "../../src/explain/follow/watch-predictions.ts";
import type { LiveFrame } from "../../src/render/watch/live.ts";
import { newsLines } from "../../src/render/watch/live-lines.ts";
import { overdueLines, timeoutLines, waitLine } from "../../src/render/watch/live-wait.ts";
import { shownAsError } from "../support/crash-situations.ts";
import { atClock, between } from "../support/explanations.ts";

const LOOK = { columns: 80, color: false };

function frame(changes: Partial<ContainerExplanation> = {}, more: Partial<LiveFrame> = {}, laterMs = 0): LiveFrame {
  const explanation = shownAsError();
  const pods = explanation.pods.map((pod) => ({
    ...pod,
    containers: pod.containers.map((container) => ({ ...container, ...changes })),
  }));
  const later: Explanation = { ...explanation, atMs: explanation.atMs + laterMs, pods };
  return {
    explanation: later,
    nowMs: later.atMs,
    predictions: NO_PREDICTIONS,
    connectionLoss: null,
    end: null,
    ...more,
  };
}

function run(start: number, startedAtMs: number | null): Run {
  const unknown = { finishedAtMs: null, exitCode: null, waitedMs: null, startedBetweenMs: null };
  return { start, startedAtMs, ...unknown, basis: startedAtMs === null ? "inferred" : "observed" };
}

const history = (...more: Run[]): readonly Run[] => [
  ...(shownAsError().pods[0]?.containers[0]?.history ?? []),
  ...more,
];

const OUTCOME: Outcome = {
  container: "app",
  start: 6,
  window: between("13:42:28", "13:42:58"),
  madeAtMs: atClock("13:39:49"),
  startedAtMs: atClock("13:42:30"),
  offMs: 0,
};

describe("newsLines()", () => {
  it("returns the whole state at first, on one line", () => {
    const lines = newsLines(null, frame(), LOOK);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^14:40:10 GMT\+1 {2}shop\/\S+: app is in CrashLoopBackOff \(kubectl shows "Error"\)\. Restarts in /,
    );
  });

  it("returns nothing while time passes and windows get shorter", () => {
    const narrower = frame({ nextRestart: between("13:42:30", "13:42:50") }, {}, 20_000);
    expect(newsLines(frame(), narrower, LOOK)).toEqual([]);
  });

  it("prints once that a restart is overdue", () => {
    const late = { state: "restarting", nextRestart: null } as const;
    const overdue = { expectedByMs: atClock("13:42:59") };
    const whatToCheck = "check the kubelet on node node-a";
    const waiting = frame({ state: "restarting" }, {}, 140_000);
    const [line, ...others] = newsLines(waiting, frame({ ...late, overdue, whatToCheck }, {}, 175_000), LOOK);
    expect(others).toEqual([]);
    expect(line).toMatch(
      /^14:43:05 GMT\+1 {2}shop.+ restart is overdue .+Overdue by 6s: .+ by 14:42:59 GMT\+1; check the /,
    );
    const later = frame({ ...late, overdue, whatToCheck: "check it" }, {}, 190_000);
    expect(newsLines(frame({ ...late, overdue, whatToCheck }, {}, 175_000), later, LOOK)).toEqual([]);
  });

  it("returns nothing for an unchanged state with an escape sequence in its reason", () => {
    const reported = "Crash  \u001b[31mLoop";
    expect(newsLines(frame({ reported }), frame({ reported }, {}, 20_000), LOOK)).toEqual([]);
  });

  it("prints a start with its prediction, and the state after it, on one line", () => {
    const up = {
      state: "running",
      history: history(run(6, atClock("13:42:30"))),
      restartCount: 6,
      nextRestart: null,
    } as const;
    const predictions = { ...NO_PREDICTIONS, recent: [OUTCOME] };
    const [line, ...others] = newsLines(frame(), frame(up, { predictions }, 140_000), LOOK);
    expect(others).toEqual([]);
    expect(line).toMatch(
      /^14:42:30 GMT\+1 {2}app started \(restart 6\) at 14:42:30 GMT\+1, inside the window 14:42:28-14:42:58 GMT\+1\. shop\/\S+: app /,
    );
  });

  it.each([
    { offMs: -40_000, says: "40s before the window" },
    { offMs: 3_000, says: "3s after the window" },
    { offMs: 75_000, says: "1m15s after the window" },
  ])("says by how much a prediction was missed: $says", ({ offMs, says }) => {
    const up = { state: "running", history: history(run(6, atClock("13:42:30"))) } as const;
    const predictions = { ...NO_PREDICTIONS, recent: [{ ...OUTCOME, offMs }] };
    expect(newsLines(frame(), frame(up, { predictions }), LOOK)[0]).toContain(
      `GMT+1, ${says} 14:42:28-14:42:58 GMT+1. `,
    );
  });

  it.each([
    {
      why: "one by one, if the history has each",
      known: [6],
      last: 7,
      says: "app restarted while disconnected (restart 6).",
    },
    {
      why: "as a number, if the history lacks them",
      known: [],
      last: 11,
      says: "app restarted 5 times while disconnected (6 to 10).",
    },
  ])("prints the starts that came while the connection was lost $why", ({ known, last, says }) => {
    const more = [...known.map((start) => run(start, null)), run(last, atClock("13:50:00"))];
    const up = { state: "running", history: history(...more), restartCount: last } as const;
    expect(newsLines(frame(), frame(up), LOOK).map((line) => line.slice(16))).toEqual([
      says,
      expect.stringContaining(`app started (restart ${last}) at 14:50:00 GMT+1. `),
    ]);
  });

  it("prints news of the pod's owners, without the pod's state", () => {
    const evidence = (rule: string, text: Prose) => ({ basis: "observed" as const, rule, text });
    const waits = evidence("rollout-waits", "the rollout of Deployment cart waits: one of 3 replicas updated");
    const stuck = evidence(
      "rollout-stuck",
      prose`the rollout of Deployment cart is stuck since ${{ atMs: atClock("13:41:00") }}`,
    );
    const owned = (...ownerEvidence: (typeof waits)[]): LiveFrame => {
      const { explanation, ...rest } = frame();
      return {
        ...rest,
        explanation: { ...explanation, pods: explanation.pods.map((pod) => ({ ...pod, ownerEvidence })) },
      };
    };
    expect(newsLines(null, owned(waits), LOOK)[1]).toMatch(/ {2}The rollout of Deployment cart waits: one of 3 /);
    expect(newsLines(owned(waits), owned(stuck), LOOK)).toEqual([
      "14:40:10 GMT+1  The rollout of Deployment cart is stuck since 14:41:00 GMT+1.",
    ]);
    expect(newsLines(owned(stuck), owned(stuck), LOOK)).toEqual([]);
  });

  it("prints once that the watch has ended", () => {
    const ended = frame({}, { end: "deleted" });
    expect(newsLines(frame(), ended, LOOK)).toEqual([
      expect.stringMatching(/^14:40:10 GMT\+1 {2}shop\/\S+ has been deleted\.$/),
    ]);
    expect(newsLines(ended, ended, LOOK)).toEqual([]);
  });
});

describe("overdueLines()", () => {
  const overdue = { expectedByMs: atClock("13:42:59") };
  const [pod] = frame({ overdue, whatToCheck: "check the kubelet on node node-a" }).explanation.pods;

  it("say what should have started, and what to check", () => {
    const lines = pod && overdueLines(pod, undefined, atClock("13:44:00"));
    expect(lines).toEqual([
      "Still waiting: app should have restarted by 14:42:59 GMT+1; check the kubelet on node node-a.",
    ]);
  });

  it("are empty for another container", () => {
    expect(pod && overdueLines(pod, "other", atClock("13:44:00"))).toEqual([]);
  });
});

describe("waitLine() and timeoutLines()", () => {
  const nowMs = atClock("13:05:00");
  const happened = { kind: "happened", container: "app", start: 7, atMs: atClock("13:04:51"), replaced: null } as const;
  const [shown] = shownAsError().pods;
  if (shown === undefined) throw new Error("no pod");
  const pod = { ...shown, name: "web-0" };
  const healthy = { ...pod, containers: pod.containers.map((one) => ({ ...one, restartCount: 0, lastExit: null })) };

  it.each([
    { goal: "restart", state: happened, says: "pod/web-0 restarted: container app, restart 7, at 14:04:51 GMT+1" },
    {
      goal: "restart",
      state: { ...happened, replaced: "web-9" },
      says: "pod/web-0 replaces web-9: container app started at 14:04:51 GMT+1",
    },
    { goal: "reset", state: happened, says: "pod/web-0 reset its back-off: container app at 14:04:51 GMT+1" },
    { goal: "reset", state: { ...happened, container: null }, says: "pod/web-0 has no back-off" },
    { goal: "recovered", state: { ...happened, container: null }, says: "pod/web-0 recovered at 14:04:51 GMT+1" },
    { goal: "recovered", state: happened, says: "pod/web-0 recovered: container app at 14:04:51 GMT+1" },
    {
      goal: "recovered",
      state: { ...happened, wasBefore: true },
      says: "pod/web-0 had already recovered: container app",
    },
  ] as const)("waitLine() for $goal: $says", ({ goal, state, says }) => {
    expect(waitLine(goal, pod, state, nowMs)).toBe(says);
  });

  it("says of a pod that never failed that it is up, not that it recovered", () => {
    const line = waitLine("recovered", healthy, { ...happened, container: null, wasBefore: true }, nowMs);
    expect(line).toBe("pod/web-0 is up and has never failed");
  });

  it("prints how long it waited, if it did, and the pod's state", () => {
    const last = { ...frame(), heardAtMs: atClock("13:40:10") };
    expect(timeoutLines("restart", shown, 90_000, last)).toEqual([
      `Timed out after 1m30s: pod/${shown.name} has not restarted.`,
      expect.stringMatching(`^${shown.namespace}/${shown.name}: app is in CrashLoopBackOff.* Restarts in `),
    ]);
    expect(timeoutLines("recovered", shown, 0, last)[0]).toBe(`pod/${shown.name} has not recovered.`);
  });

  it("claims nothing about the time after the last news of the pod", () => {
    const silent = { ...frame(), heardAtMs: atClock("13:39:50") };
    const words = "Timed out after 30s: disconnected since 14:39:50 GMT+1. Until then, pod/web-0 had not restarted.";
    expect(timeoutLines("restart", pod, 30_000, silent)).toEqual([words]);
    const connectionLoss = { sinceMs: atClock("13:39:50"), because: "connect ECONNREFUSED" };
    expect(
      timeoutLines("restart", pod, 30_000, { ...frame(), heardAtMs: atClock("13:40:10"), connectionLoss }),
    ).toEqual([words]);
  });
});
