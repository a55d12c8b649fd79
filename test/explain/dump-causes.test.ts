import { describe, expect, it } from "vitest";
import type { ContainerSpec, PodObservation, PodSnapshot } from "../../src/explain/observed/observation.ts";
import { aContainer, anEvent, aPod, aStatus, running, T0_MS, terminated, waiting } from "../support/builders.ts";
import { explainApp } from "../support/explain-pod.ts";

const PROBE = { initialDelayMs: 0, periodMs: 10_000, timeoutMs: 1_000, failureThreshold: 3, gracePeriodMs: null };

/** A container of a pod that is `ageS` old, whose last run began `startedS` after the pod and ran `ranS`. */
interface Dump {
  readonly ageS: number;
  readonly ranS: number;
  readonly restarts: number;
  readonly exitCode: number;
  readonly spec: Partial<ContainerSpec>;
  readonly delay?: string;
  readonly failures?: number;
  readonly isUpAgain?: boolean;
  readonly pod?: Partial<PodSnapshot>;
  readonly more?: Partial<PodObservation>;
}

const S = 1_000;

function dumped({ ageS, ranS, restarts, exitCode, spec, delay, failures = 0, isUpAgain, pod, more }: Dump) {
  const endMs = T0_MS + ageS * S;
  const record = terminated(endMs - ranS * S, endMs, { exitCode, containerID: "containerd://1" });
  const message = `back-off ${delay} restarting failed container=app pod=web_default(u)`;
  const status = isUpAgain
    ? { state: running(endMs + S), lastState: record, containerID: "containerd://2", restartCount: restarts }
    : delay === undefined
      ? { state: record, restartCount: restarts, containerID: "containerd://1" }
      : {
          state: waiting("CrashLoopBackOff", message),
          lastState: record,
          restartCount: restarts,
          containerID: "containerd://1",
        };
  const unhealthy = { reason: "Unhealthy", message: "Liveness probe failed: HTTP probe failed with statuscode: 500" };
  const times = { firstAtMs: T0_MS, lastAtMs: endMs - 1_000 * S, count: failures };
  return explainApp(
    { containers: [aContainer(spec)], statuses: [aStatus(status)], ...pod },
    { atMs: endMs + S, events: failures === 0 ? [] : [anEvent({ ...unhealthy, ...times })], ...more },
  );
}

const EVERY_10S = { ...PROBE, initialDelayMs: 10 * S };
const EVERY_MINUTE = { ...EVERY_10S, periodMs: 60 * S, failureThreshold: 12 };
const STARTUP = { ...PROBE, initialDelayMs: 1 * S, periodMs: 3 * S };
const DELETED = { deletionAtMs: T0_MS + 3_629 * S, deletionRequestedAtMs: T0_MS + 3_599 * S };

/** Pods of other workloads on the node that ended when the container did, some seconds apart. */
function neighbours(count: number, owner = (index: number) => `set-${index}`): PodSnapshot[] {
  return Array.from({ length: count }, (_, index) => {
    const endMs = T0_MS + 3_600 * S + (index - 1) * 2 * S;
    const lastState = terminated(T0_MS, endMs, { exitCode: 255 });
    const statuses = [aStatus({ state: running(endMs + 100 * S), lastState, restartCount: 1 })];
    return aPod({ name: `other-${index}`, owner: { kind: "ReplicaSet", name: owner(index) }, statuses });
  });
}

const HOUR = { ageS: 3_600, ranS: 1_800, restarts: 1, exitCode: 255, spec: {}, isUpAgain: true };

describe("the cause of an exit in a dump", () => {
  it.each<[string, Dump, string]>([
    [
      "failures of the probe, as many as all restarts need",
      {
        ageS: 297_900,
        ranS: 39,
        restarts: 1569,
        exitCode: 2,
        spec: { livenessProbe: EVERY_10S },
        delay: "5m0s",
        failures: 4688,
      },
      "liveness-probe inferred",
    ],
    [
      "more restarts than its own exits leave time for",
      { ageS: 1_620, ranS: 34, restarts: 13, exitCode: 0, spec: { livenessProbe: PROBE } },
      "liveness-probe inferred",
    ],
    [
      "a run as long as the startup probe allows",
      {
        ageS: 17,
        ranS: 11,
        restarts: 1,
        exitCode: 0,
        spec: { livenessProbe: PROBE, startupProbe: STARTUP },
        isUpAgain: true,
        pod: {},
      },
      "startup-probe inferred",
    ],
    [
      "a delay one step behind restartCount",
      {
        ageS: 335,
        ranS: 25,
        restarts: 6,
        exitCode: 0,
        spec: { livenessProbe: { ...EVERY_10S, initialDelayMs: S } },
        delay: "2m40s",
      },
      "liveness-probe inferred",
    ],
    [
      "SIGKILL after as long as the probe allows",
      {
        ageS: 309_600,
        ranS: 720,
        restarts: 430,
        exitCode: 137,
        spec: { livenessProbe: EVERY_MINUTE },
        failures: 5165,
        isUpAgain: true,
      },
      "liveness-probe inferred",
    ],
    [
      "a delay that restartCount names",
      {
        ageS: 335,
        ranS: 25,
        restarts: 5,
        exitCode: 1,
        spec: { livenessProbe: { ...EVERY_10S, initialDelayMs: S } },
        delay: "2m40s",
      },
      "exited inferred",
    ],
    [
      "a probe that cannot have failed yet",
      { ageS: 60, ranS: 5, restarts: 2, exitCode: 1, spec: { livenessProbe: EVERY_10S } },
      "exited observed",
    ],
    ["no probe", { ageS: 60, ranS: 39, restarts: 2, exitCode: 2, spec: {} }, "exited observed"],
    [
      "no probe, and a code by which a signal shows",
      { ageS: 60, ranS: 39, restarts: 2, exitCode: 137, spec: {} },
      "signal inferred",
    ],
    [
      "the pod's deletion before it",
      { ageS: 3_600, ranS: 600, restarts: 2, exitCode: 2, spec: {}, pod: DELETED },
      "signal inferred",
    ],
    [
      "the pod's deletion after it",
      { ageS: 3_590, ranS: 600, restarts: 2, exitCode: 2, spec: {}, pod: DELETED },
      "exited observed",
    ],
    [
      "the ends of other workloads' pods on its node",
      { ...HOUR, more: { neighbours: neighbours(4) } },
      "unknown inferred",
    ],
    [
      "the ends of its replicas only",
      {
        ...HOUR,
        pod: { owner: { kind: "ReplicaSet", name: "one" } },
        more: { neighbours: neighbours(4, () => "one") },
      },
      "exited inferred",
    ],
    ["the kubelet taking the pod again", { ...HOUR, pod: { startedAtMs: T0_MS + 3_601 * S } }, "unknown inferred"],
  ])("by %s", (_, dump, cause) => {
    const { lastExit } = dumped(dump);
    expect(`${lastExit?.cause} ${lastExit?.causeBasis}`).toBe(cause);
  });

  it("is worded as far as the status shows where a kill is possible", () => {
    const spec = { livenessProbe: EVERY_10S };
    const { lastExit } = dumped({ ageS: 9_000, ranS: 900, restarts: 1, exitCode: 2, spec });
    expect(lastExit?.meaning).toBe(
      "Exit code 2: as far as the status shows, the program stopped with an error.",
    );
  });

  it("names the deletion, and the node", () => {
    expect(dumped({ ...HOUR, isUpAgain: false, pod: DELETED }).lastExit?.meaning).toContain("the pod is being deleted");
    expect(dumped({ ...HOUR, more: { neighbours: neighbours(4) } }).lastExit?.meaning).toContain("its node");
  });

  it("decides what the next exit leads to: after a first kill there is no back-off", () => {
    const probes = { livenessProbe: PROBE, startupProbe: STARTUP };
    const first = { ageS: 17, ranS: 11, restarts: 1, exitCode: 0, isUpAgain: true };
    expect(dumped({ ...first, spec: probes }).delayMs).toBe(0);
    expect(dumped({ ...first, spec: {} }).delayMs).toBe(10 * S);
  });
});
