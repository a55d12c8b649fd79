import { describe, expect, it } from "vitest";
import { textInUtc } from "../../src/explain/answer/prose.ts";
import { explain } from "../../src/explain/explain.ts";
import { historyOf } from "../../src/explain/history/container-history.ts";
import type {
  ContainerSpec,
  ContainerStatus,
  EventSnapshot,
  PodSnapshot,
} from "../../src/explain/observed/observation.ts";
import { crashLoopPolicy } from "../../src/kubelet/crash-loop-policy.ts";
import {
  aContainer,
  anEvent,
  aPod,
  aProbe,
  aStatus,
  madeUpRecord,
  observationOf,
  running,
  T0_MS,
  terminated,
  waiting,
} from "../support/builders.ts";

const KNOWN = { version: null, featureGates: {}, maxContainerRestartPeriodMs: null, syncFrequencyMs: null };
const POLICY = crashLoopPolicy(KNOWN);
const EXIT_MS = T0_MS + 300_000;
const ENDED = terminated(T0_MS, EXIT_MS, { exitCode: 143, containerID: "containerd://1" });
const AGAIN = { state: running(EXIT_MS + 1_000), restartCount: 1, containerID: "containerd://2", lastState: ENDED };
const DOWN = { state: ENDED, containerID: "containerd://1" };
const PULLING = { state: waiting("ErrImagePull"), containerID: "containerd://1", lastState: ENDED };

interface Seen {
  readonly status: Partial<ContainerStatus>;
  readonly pod?: Partial<PodSnapshot>;
  readonly spec?: Partial<ContainerSpec>;
  readonly events?: readonly EventSnapshot[];
}

function explained({ status, pod = {}, spec = {}, events = [] }: Seen) {
  const containers = [aContainer({ livenessProbe: aProbe(), ...spec })];
  const snapshot = aPod({ restartPolicy: "Never", containers, statuses: [aStatus(status)], ...pod });
  const [app] = explain(observationOf(snapshot, { atMs: EXIT_MS + 2_000, events }), {}).pods[0]?.containers ?? [];
  if (app === undefined) throw new Error("There is a container.");
  return app;
}

function runsOf(pod: PodSnapshot, seen: Parameters<typeof observationOf>[1]) {
  const [observed] = observationOf(pod, seen).pods;
  return observed === undefined ? [] : historyOf(pod.containers[0] ?? aContainer(), observed, POLICY).runs;
}

function killing(message: string): EventSnapshot {
  const atMs = EXIT_MS - 3_000;
  return anEvent({ type: "Normal", reason: "Killing", message, firstAtMs: atMs, lastAtMs: atMs, count: 1 });
}

const ON_EXIT = { action: "Restart", operator: "In", exitCodes: [143] } as const;
const LIVENESS = killing("Container app failed liveness probe, will be restarted");
const CHANGED = killing("Container app definition changed, will be restarted");
const OLDER = { ...LIVENESS, firstAtMs: EXIT_MS - 20_000, lastAtMs: EXIT_MS - 20_000 };

const CAUSES: readonly (Seen & { readonly cause: string; readonly why: string })[] = [
  { why: "it was started again under restartPolicy Never", status: AGAIN, cause: "spec-change inferred" },
  {
    why: "it was started again under restartPolicy Never, and has no probe",
    status: AGAIN,
    spec: { livenessProbe: null },
    cause: "spec-change inferred",
  },
  { why: "it was not started again", status: DOWN, cause: "liveness-probe inferred" },
  {
    why: "the pod's policy restarts it",
    status: AGAIN,
    pod: { restartPolicy: "OnFailure" },
    cause: "liveness-probe inferred",
  },
  {
    why: "its own policy restarts it",
    status: AGAIN,
    spec: { restartPolicy: "Always" },
    cause: "liveness-probe inferred",
  },
  {
    why: "a rule restarts it",
    status: AGAIN,
    spec: { restartPolicyRules: [ON_EXIT] },
    cause: "liveness-probe inferred",
  },
  {
    why: "its new image cannot be pulled",
    status: { ...PULLING, image: "docker.io/library/redis:7" },
    spec: { image: "redis:7.0.99", livenessProbe: null },
    cause: "spec-change inferred",
  },
  {
    why: "an image without a tag is the latest one",
    status: { ...PULLING, image: "docker.io/library/redis:latest" },
    spec: { image: "redis" },
    cause: "liveness-probe inferred",
  },
  {
    why: "the runtime reports no name of the image",
    status: { ...PULLING, image: "sha256:42ee60" },
    spec: { image: "redis" },
    cause: "liveness-probe inferred",
  },
  { why: "an event names the probe", status: DOWN, events: [LIVENESS], cause: "liveness-probe observed" },
  { why: "an event names the changed definition", status: DOWN, events: [CHANGED], cause: "spec-change observed" },
  { why: "the newest of two events counts", status: DOWN, events: [OLDER, CHANGED], cause: "spec-change observed" },
  {
    why: "the newest of two events counts, in any order",
    status: DOWN,
    events: [CHANGED, OLDER],
    cause: "spec-change observed",
  },
];

describe("the cause of a kill", () => {
  it.each(CAUSES)("is $cause: $why", ({ cause, why: _, ...seen }) => {
    const { lastExit, evidence } = explained(seen);
    expect(`${lastExit?.cause} ${lastExit?.causeBasis}`).toBe(cause);
    const isSuspected = cause.endsWith("inferred");
    const suspicion = cause.startsWith("spec-change") ? "suspected-spec-change" : "suspected-probe-kill";
    expect(evidence.map(({ rule }) => rule)).toContain(isSuspected ? suspicion : "killing-event");
  });

  it.each([
    { type: "sidecar", restartPolicy: "Always", cause: "spec-change" },
    { type: "init", restartPolicy: null, cause: "signal" },
  ] as const)("is $cause for a container of type $type whose new image cannot be pulled", ({ cause, ...spec }) => {
    const status = { ...PULLING, image: "docker.io/library/redis:7" };
    const named = { ...spec, image: "redis:7.0.99", livenessProbe: null };
    expect(explained({ status, spec: named }).lastExit?.cause).toBe(cause);
  });

  it.each([
    { generation: 1, either: false },
    { generation: null, either: false },
    { generation: 2, either: true },
    { generation: 2, deletionAtMs: T0_MS, either: false },
    { generation: 3, deletionAtMs: T0_MS, either: true },
  ])(
    "may be a spec change only if the generation shows one besides a deletion at $deletionAtMs: $either for $generation",
    ({ either, ...pod }) => {
      const { evidence } = explained({ status: DOWN, pod });
      const kill = evidence.find(({ rule }) => rule === "suspected-probe-kill");
      expect(textInUtc(kill?.text ?? "").includes("or a spec change")).toBe(either);
    },
  );
});

describe("a kill after which the container was not started again by the same sync", () => {
  const events = [LIVENESS];
  const completed = { ...DOWN, state: { ...ENDED, exitCode: 0, reason: "Completed" } };

  it("is explained by its exit code: OnFailure does not restart a success", () => {
    const { state, nextRestart } = explained({ status: completed, pod: { restartPolicy: "OnFailure" }, events });
    expect(state).toBe("completed");
    expect(nextRestart).toBeNull();
  });

  it("is explained by its exit code: under Never only a rule restarts the container", () => {
    const spec = { restartPolicy: "Never", restartPolicyRules: [ON_EXIT] } as const;
    expect(explained({ status: DOWN, spec, events }).state).toBe("restarting");
    expect(explained({ status: DOWN, events }).state).toBe("failed");
  });
});

describe("an exit with 143 whose kill no event shows", () => {
  const OLD_KILL = { ...LIVENESS, firstAtMs: EXIT_MS - 200_000, lastAtMs: EXIT_MS - 200_000 };

  it.each([
    { laterMin: 30, events: [], cause: "signal", why: "the event of a kill would be left, too" },
    { laterMin: 120, events: [], cause: "liveness-probe", why: "the event of a kill has expired" },
    { laterMin: 30, events: [OLD_KILL], cause: "signal", why: "the event of an earlier kill is left" },
    { laterMin: 120, events: [OLD_KILL], cause: "signal", why: "the event of an earlier kill is left" },
  ])(
    "has the cause $cause if the events show only a start $laterMin min later: $why",
    ({ laterMin, events, cause }) => {
      const laterMs = EXIT_MS + laterMin * 60_000;
      const between = terminated(EXIT_MS + 1_000, laterMs - 1_000, { containerID: "containerd://2" });
      const status = aStatus({
        state: running(laterMs),
        restartCount: 2,
        containerID: "containerd://3",
        lastState: between,
      });
      const started = anEvent({ type: "Normal", reason: "Started", message: "Container started", lastAtMs: laterMs });
      const pod = aPod({ containers: [aContainer({ livenessProbe: aProbe() })], statuses: [status] });
      const earlier = [aPod({ statuses: [aStatus({ state: ENDED, containerID: "containerd://1" })] })];
      const runs = runsOf(pod, { atMs: laterMs + 1_000, earlier, events: [started, ...events] });
      expect(runs[0]?.cause).toMatchObject({ cause, basis: "inferred" });
    },
  );
});

describe("the delay after a kill by the kubelet", () => {
  const ruled = { restartPolicy: "Never", restartPolicyRules: [ON_EXIT] } as const;

  it.each([
    { why: "the same sync restarts the container", spec: {}, event: LIVENESS, killedBySync: 1 },
    { why: "a later sync restarts it by a rule", spec: ruled, event: LIVENESS, killedBySync: 0 },
    { why: "the same sync restarts it after a change of its spec", spec: ruled, event: CHANGED, killedBySync: 1 },
  ])("counts from the exit before with the probability $killedBySync: $why", ({ spec, event, killedBySync }) => {
    const container = aContainer({ livenessProbe: aProbe(), ...spec });
    const pod = aPod({ containers: [container], statuses: [aStatus(AGAIN)] });
    const runs = runsOf(pod, { atMs: EXIT_MS + 2_000, events: [event] });
    expect(runs[0]?.cause.killedBySync).toBe(killedBySync);
  });
});

describe("a postStart hook that failed", () => {
  it("is the cause of the last exit, and not of the run before", () => {
    const state = { kind: "waiting", reason: "PostStartHookError", message: "" } as const;
    const newest = terminated(EXIT_MS + 30_000, EXIT_MS + 40_000, { containerID: "containerd://2" });
    const pod = aPod({ statuses: [aStatus({ state, restartCount: 1, lastState: newest })] });
    const earlier = [aPod({ statuses: [aStatus({ state: ENDED, containerID: "containerd://1" })] })];
    const runs = runsOf(pod, { atMs: EXIT_MS + 50_000, earlier });
    expect(runs.map(({ cause }) => cause.cause)).toEqual(["signal", "post-start-hook"]);
  });
});

describe("the cause that an exit code shows", () => {
  it.each([
    { exit: { exitCode: 255, reason: "Unknown" }, cause: "unknown", causeBasis: "inferred" },
    { exit: { exitCode: 255 }, cause: "exited", causeBasis: "inferred" },
    { exit: { exitCode: 1 }, cause: "exited", causeBasis: "observed" },
    { exit: { exitCode: -1073741510 }, cause: "signal", causeBasis: "inferred" },
    { exit: { exitCode: -1073741819 }, cause: "exited", causeBasis: "observed" },
  ])("$exit: $cause, $causeBasis", ({ exit, ...told }) => {
    const state = terminated(T0_MS, EXIT_MS, exit);
    const { lastExit } = explained({ status: { state }, spec: { livenessProbe: null } });
    expect(lastExit).toMatchObject(told);
  });

  it("is explained with the exit before it if the kubelet has made up the last one (ContainerStatusUnknown)", () => {
    const state = madeUpRecord("ContainerStatusUnknown");
    const lastState = terminated(T0_MS, EXIT_MS, { containerID: "containerd://z" });
    const { lastExit } = explained({ status: { state, lastState, restartCount: 1 }, spec: { livenessProbe: null } });
    expect(textInUtc(lastExit?.meaning ?? "")).toMatch(
      / The last exit on record has code 1 \(Error\) at 2026-11-21T12:05:00Z\.$/,
    );
  });
});
