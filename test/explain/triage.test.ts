import { describe, expect, it } from "vitest";
import type { ContainerStatus, PodSnapshot } from "../../src/explain/observed/observation.ts";
import { explainWithOwners } from "../../src/explain/owners/owner-explanation.ts";
import {
  byUrgency,
  FINE,
  isFine,
  isPodDown,
  mainContainer,
  severityOf,
  troubleInStatus,
  troubleOf,
} from "../../src/explain/triage.ts";
import { aContainer, aPod, aStatus, observationOf, running, T0_MS, terminated, waiting } from "../support/builders.ts";
import { atClock, container, DOWN, exit, pod } from "../support/explanations.ts";

describe("troubleOf()", () => {
  const CONFIG = "CreateContainerConfigError";
  const ended = terminated(T0_MS, T0_MS + 5_000);
  const NOW_MS = T0_MS + 60_000;

  it.each([
    { state: running(T0_MS), is: null, why: "it runs" },
    { state: running(T0_MS), ready: false, is: "not-ready", why: "its readiness probe fails" },
    {
      state: running(T0_MS),
      ready: false,
      type: "init" as const,
      is: null,
      why: "an init container becomes Ready only at its end",
    },
    {
      state: running(NOW_MS - 5_000),
      lastState: ended,
      restartCount: 3,
      is: "looping",
      why: "it has restarted lately",
    },
    { state: waiting("CrashLoopBackOff"), lastState: ended, restartCount: 3, is: "awaiting-restart", why: "it waits" },
    { state: ended, is: "awaiting-restart", why: "it has exited" },
    { state: ended, restartPolicy: "Never" as const, is: "failed", why: "nothing restarts it" },
    { state: waiting(CONFIG), is: "start-failing", why: "its configuration is missing" },
    { state: waiting("ContainerCreating"), is: null, why: "it has not started yet" },
  ])("is $is, from the status alone, too: $why", ({ is, why: _, type, restartPolicy, ...status }) => {
    const spec = aContainer({ ...(type !== undefined && { type }) });
    const policy = restartPolicy === undefined ? {} : { restartPolicy };
    const one = aStatus(status);
    const of = aPod({ containers: [spec], statuses: [one], ...policy });
    const [app] = explainWithOwners(observationOf(of, { atMs: NOW_MS }), {}).pods[0]?.containers ?? [];
    expect(troubleInStatus(one, of, NOW_MS)).toBe(is);
    expect(app && troubleOf(app)).toBe(is);
  });

  it("is null for a debug container that has ended", () => {
    expect(troubleOf(container({ type: "ephemeral", state: "failed" }))).toBeNull();
  });
});

describe("mainContainer()", () => {
  it("is the looping container, which the next steps are about, too", () => {
    const once = aStatus({ name: "once", state: terminated(T0_MS + 50_000, T0_MS + 58_000) });
    const loops = aStatus({
      name: "loops",
      restartCount: 4,
      state: running(T0_MS + 59_000),
      lastState: terminated(T0_MS + 30_000, T0_MS + 35_000),
    });
    const containers = [aContainer({ name: "once" }), aContainer({ name: "loops" })];
    const observation = observationOf(aPod({ containers, statuses: [once, loops] }), { atMs: T0_MS + 60_000 });
    const [explanation] = explainWithOwners(observation, {}).pods;
    expect(explanation?.verdict).toBe("crash-looping");
    expect(explanation && mainContainer(explanation)?.name).toBe("loops");
    expect(explanation?.nextSteps?.[0]?.command).toContain("-c loops -p");
  });

  it("is not a debug container that has ended", () => {
    const debug = container({ name: "debug", type: "ephemeral", state: "failed" });
    expect(mainContainer(pod([debug, container()]))?.name).toBe("app");
  });
});

describe("isFine()", () => {
  const reset = { atMs: atClock("13:10:00"), how: "if-it-keeps-running" as const };

  it.each([
    { of: pod([container()]), is: true, why: "all containers run" },
    { of: pod([container({ reset })]), is: false, why: "a back-off is left" },
    { of: pod([container(), container({ state: "completed" })]), is: true, why: "an init container is done" },
    { of: pod([container({ state: "backing-off" })]), is: false, why: "a container is down after one exit" },
    {
      of: pod([container({ state: "failed", type: "ephemeral" }), container()]),
      is: true,
      why: "a debugger has ended",
    },
    { of: pod([container({ state: "completed" })], { verdict: "completed" }), is: true, why: "the pod has completed" },
    { of: pod([container({ isReady: false })]), is: false, why: "its readiness probe fails" },
    { of: pod([container()], { verdict: "pending" }), is: false, why: "the pod is pending" },
  ])("is $is: $why", ({ of, is }) => {
    expect(isFine(of)).toBe(is);
  });
});

describe("isPodDown()", () => {
  const NOW_MS = atClock("13:40:00");
  const deleted = (secondsAgo: number, finalizers: readonly string[] = []) => {
    const deletion = { dueAtMs: NOW_MS - secondsAgo * 1_000, finalizers };
    return pod([container({ state: "failed" })], { verdict: "terminating", deletion });
  };

  it.each([
    { of: deleted(-10), is: false, why: "the pod's grace period is not over" },
    { of: deleted(29), is: false, why: "the kubelet may still remove the pod" },
    { of: deleted(30), is: true, why: "the pod should be gone by now" },
    { of: deleted(30, ["example.com/hold"]), is: true, why: "a finalizer keeps the pod" },
  ])("is $is for a pod that is being deleted: $why", ({ of, is }) => {
    expect(isPodDown(of, NOW_MS)).toBe(is);
  });
});

describe("byUrgency()", () => {
  it("puts failing containers first and otherwise keeps the pod's order", () => {
    const order = byUrgency([
      container({ name: "fine" }),
      container({ name: "done", state: "completed" }),
      container({ name: "entry", reset: { atMs: 0, how: "if-it-keeps-running" } }),
      container({ name: "also fine" }),
      container({ name: "down", ...DOWN }),
      container({
        name: "all restarted",
        isCrashLooping: true,
        lastExit: exit(null, "13:39:55", { cause: "restart-all" }),
      }),
    ]);
    expect(order.map(({ name }) => name)).toEqual(["down", "entry", "all restarted", "fine", "also fine", "done"]);
  });
});

describe("severityOf()", () => {
  const NOW_MS = T0_MS + 1_000_000;
  const exit0 = terminated(T0_MS, T0_MS + 1_000, { exitCode: 0, reason: "Completed" });

  const exit1 = terminated(T0_MS, NOW_MS);
  const lately = running(NOW_MS - 60_000);
  const since = running(NOW_MS - 600_000);
  const init = { containers: [aContainer({ type: "init" })] };
  const ephemeral = { containers: [aContainer({ type: "ephemeral" })] };

  it.each<[ContainerStatus["state"], restartCount: number, Partial<PodSnapshot>, severity: number, why: string]>([
    [running(T0_MS), 0, {}, FINE, "it runs and never restarted"],
    [lately, 4, {}, 0, "it restarted lately"],
    [since, 4, {}, FINE, "it has run since"],
    [since, 0, { statuses: [aStatus({ state: since, ready: false })] }, 3, "its readiness probe fails"],
    [waiting("CrashLoopBackOff"), 2, {}, 0, "back-off"],
    [exit0, 2, {}, 0, "exit code 0 restarts under Always"],
    [exit1, 0, {}, 1, "its first exit"],
    [waiting("ImagePullBackOff"), 0, {}, 1, "it cannot start"],
    [exit0, 0, { restartPolicy: "OnFailure" }, FINE, "done, others run on"],
    [exit0, 0, init, FINE, "an init container that is done"],
    [exit1, 0, ephemeral, FINE, "a debugger that has ended"],
    [running(T0_MS), 0, { phase: "Failed" }, 2, "it has failed"],
    [exit0, 0, { phase: "Succeeded" }, FINE, "it is done"],
    [waiting("ContainerCreating"), 0, { phase: "Pending" }, 3, "it is not up yet"],
    [running(T0_MS), 0, { deletionAtMs: NOW_MS }, 3, "it is being deleted"],
  ])("of a pod with %j, %i restarts and %j is %i: %s", (state, restartCount, pod, severity) => {
    expect(severityOf(aPod({ statuses: [aStatus({ state, restartCount })], ...pod }), NOW_MS)).toBe(severity);
  });
});
