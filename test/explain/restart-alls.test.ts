import { describe, expect, it } from "vitest";
import { explain } from "../../src/explain/explain.ts";
import { traceOf } from "../../src/explain/trace/replay-trace.ts";
import {
  aContainer,
  aNode,
  aPod,
  aStatus,
  observationOf,
  running,
  T0_MS,
  terminated,
  waiting,
} from "../support/builders.ts";

const EXIT_MS = T0_MS + 300_000;
const TRIGGER = aContainer({
  name: "trigger",
  restartPolicyRules: [{ action: "RestartAllContainers", operator: "In", exitCodes: [42] }],
});
const MADE_UP = terminated(null, null, { reason: "RestartingAllContainers", exitCode: 137, containerID: null });

/** A container that crashes by itself for the fifth time, beside one that has restarted all of them `restartAlls` times. */
function delayBeside(restartAlls: number, kubeletVersion: string): number | null {
  const other = aStatus({ restartCount: 5, state: terminated(EXIT_MS - 4_000, EXIT_MS) });
  const trigger = aStatus({
    name: "trigger",
    restartCount: restartAlls,
    state: running(EXIT_MS - 20_000),
    lastState: restartAlls === 0 ? null : MADE_UP,
  });
  const pod = aPod({ containers: [aContainer(), TRIGGER], statuses: [other, trigger] });
  const observation = observationOf(pod, { atMs: EXIT_MS + 1_000, node: aNode({ kubeletVersion }) });
  return explain(observation, {}).pods[0]?.containers[0]?.delayMs ?? null;
}

describe("restartCount in a pod that restarts all its containers", () => {
  it.each([
    { restartAlls: 0, kubeletVersion: "v1.37.1", delayMs: 160_000, why: "five restarts of its own" },
    { restartAlls: 2, kubeletVersion: "v1.37.1", delayMs: 40_000, why: "two of the five took no step" },
    { restartAlls: 2, kubeletVersion: "v1.34.4", delayMs: 160_000, why: "that kubelet does not know the rule" },
  ])("with $restartAlls of those on $kubeletVersion: $why", ({ restartAlls, kubeletVersion, delayMs }) => {
    expect(delayBeside(restartAlls, kubeletVersion)).toBe(delayMs);
  });
});

const CRASH_MS = EXIT_MS - 30_000;
const RESTART_ALL_MS = EXIT_MS - 24_000;

interface Case {
  /** Since when the pod's condition says that no restart of all is going on; null without that condition. */
  readonly endedAtMs: number | null;
  readonly status?: "True" | "False";
  readonly rule?: boolean;
  /** Null while it waits. */
  readonly triggerStartedAtMs?: number | null;
  readonly bornAtMs?: number;
}

/**
 * A container that restarted three times by itself and four times with all others, crashes at CRASH_MS, starts again 6 s
 * later, within its wait of 40 s, and crashes at EXIT_MS.
 */
function afterShortGap({ endedAtMs, status = "False", rule = true, bornAtMs = T0_MS, ...more }: Case) {
  const { triggerStartedAtMs = RESTART_ALL_MS } = more;
  const crashed = terminated(CRASH_MS - 4_000, CRASH_MS, { containerID: "containerd://4" });
  const state = terminated(RESTART_ALL_MS, EXIT_MS, { containerID: "containerd://5" });
  const own = aStatus({ restartCount: 8, containerID: "containerd://5", state, lastState: crashed });
  const trigger = aStatus({
    name: "trigger",
    restartCount: 5,
    state: triggerStartedAtMs === null ? waiting("RestartingAllContainers") : running(triggerStartedAtMs),
    lastState: rule ? MADE_UP : null,
  });
  const conditions = [{ type: "AllContainersRestarting", status, reason: null, message: null }];
  const pod = aPod({
    createdAtMs: bornAtMs,
    startedAtMs: bornAtMs,
    containers: [aContainer(), rule ? TRIGGER : aContainer({ name: "trigger" })],
    statuses: [own, trigger],
    conditions: endedAtMs === null ? [] : conditions.map((known) => ({ ...known, lastTransitionAtMs: endedAtMs })),
  });
  return observationOf(pod, { atMs: EXIT_MS + 1_000, node: aNode({ kubeletVersion: "v1.37.1" }) });
}

function waitAfterShortGap(seen: Case) {
  const [app] = explain(afterShortGap(seen), {}).pods[0]?.containers ?? [];
  return { delayMs: app?.delayMs, rules: app?.evidence.map(({ rule }) => rule), window: app?.nextRestart };
}

describe("a start within a wait, in a pod that may restart all its containers", () => {
  it.each([
    [
      "the pod's condition ends between the exit and the start",
      { endedAtMs: RESTART_ALL_MS, triggerStartedAtMs: null },
    ],
    ["the container that asks for it starts together with this one", { endedAtMs: null }],
  ])("leaves the delay as it is where %s", (_, seen) => {
    const { delayMs, rules } = waitAfterShortGap(seen);
    expect(delayMs).toBe(40_000);
    expect(rules).toContain("restart-all-skips-the-wait");
  });

  it.each([
    ["the latest restart of all came earlier", { endedAtMs: CRASH_MS - 60_000, triggerStartedAtMs: CRASH_MS - 60_000 }],
    ["no rule asks for it", { endedAtMs: RESTART_ALL_MS, rule: false }],
  ])("is a reset if %s", (_, seen) => {
    const { delayMs, rules } = waitAfterShortGap(seen);
    expect(delayMs).toBe(10_000);
    expect(rules).not.toContain("suspected-restart-all");
  });

  it.each([
    ["the condition is not there", { endedAtMs: null, triggerStartedAtMs: EXIT_MS }],
    ["another one goes on", { endedAtMs: EXIT_MS, status: "True" as const, triggerStartedAtMs: null }],
  ])("is likelier one of all than a reset where %s, and says that it may be either", (_, seen) => {
    const { delayMs, rules } = waitAfterShortGap(seen);
    expect(delayMs).toBeGreaterThan(10_000);
    expect(rules).toEqual(expect.arrayContaining(["suspected-restart-all"]));
  });

  it("is less sure of the delay once the pod is old enough for the entry to have gone", () => {
    const young = waitAfterShortGap({ endedAtMs: RESTART_ALL_MS });
    const old = waitAfterShortGap({ endedAtMs: RESTART_ALL_MS, bornAtMs: T0_MS - 3_600_000 });
    expect(old.rules).toContain("likeliest-of-several");
    expect(old.window?.notBeforeMs).toBeLessThan(young.window?.notBeforeMs ?? 0);
  });

  it("is traced as free, and as leaving the entry alone", () => {
    const observation = afterShortGap({ endedAtMs: RESTART_ALL_MS });
    const [observed] = observation.pods;
    const exits = observed && traceOf(observed, {}, observation).containers[0]?.exits;
    expect(exits?.[0]).toMatchObject({ wait: "free", because: "restart-all-skips-the-wait", entry: "kept" });
  });
});

describe("a pod that restarts all its containers, watched from its creation", () => {
  const at = (seconds: number) => T0_MS + seconds * 1000;
  const instance = (id: number, from: number, to: number, exitCode = 1) =>
    terminated(at(from), at(to), { containerID: `containerd://${id}`, exitCode });
  const version = (own: object, trigger: object, endedAtMs: number) => {
    const conditions = [{ type: "AllContainersRestarting", status: "False" as const, reason: null, message: null }];
    return aPod({
      containers: [aContainer(), TRIGGER],
      statuses: [aStatus(own), aStatus({ name: "trigger", ...trigger })],
      conditions: conditions.map((known) => ({ ...known, lastTransitionAtMs: endedAtMs })),
    });
  };
  const up = (id: number, seconds: number) => ({ containerID: `containerd://${id}`, state: running(at(seconds)) });
  const versions = [
    version({ containerID: "containerd://1", state: instance(1, 0, 6) }, up(9, 0), at(0)),
    version({ restartCount: 1, ...up(2, 7), lastState: instance(1, 0, 6) }, up(9, 0), at(0)),
    version(
      { restartCount: 1, containerID: "containerd://2", state: instance(2, 7, 13), lastState: instance(1, 0, 6) },
      up(9, 0),
      at(0),
    ),
    version({ restartCount: 2, ...up(3, 27), lastState: instance(2, 7, 13) }, up(9, 0), at(0)),
    version(
      { restartCount: 2, ...up(3, 27), lastState: instance(2, 7, 13) },
      { containerID: "containerd://9", state: instance(9, 0, 31, 42) },
      at(0),
    ),
    version(
      { restartCount: 3, ...up(4, 34), lastState: MADE_UP },
      { restartCount: 1, ...up(10, 34), lastState: MADE_UP },
      at(34),
    ),
  ];
  const now = version(
    { restartCount: 3, containerID: "containerd://4", state: instance(4, 34, 40), lastState: MADE_UP },
    { restartCount: 1, ...up(10, 34), lastState: MADE_UP },
    at(34),
  );
  const options = { atMs: at(41), earlier: versions, node: aNode({ kubeletVersion: "v1.37.1" }) };
  const [app, trigger] = explain(observationOf(now, options), {}).pods[0]?.containers ?? [];

  it("counts the steps of the curve by its own exits alone", () => {
    expect(app?.history.map(({ start, finishedAtMs }) => [start, finishedAtMs])).toEqual([
      [0, at(6)],
      [1, at(13)],
      [2, null],
      [3, at(40)],
    ]);
    expect(app?.delayMs).toBe(20_000);
    expect(app?.evidence.map(({ rule }) => rule)).toContain("restart-all-skips-the-wait");
  });

  it("names the restart of all as the last exit, like somebody who looks only once", () => {
    expect(trigger?.lastExit?.cause).toBe("restart-all");
  });
});
