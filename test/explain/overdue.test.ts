import { describe, expect, it } from "vitest";
import { explain } from "../../src/explain/explain.ts";
import type { ContainerSpec, EventSnapshot, PodObservation } from "../../src/explain/observed/observation.ts";
import {
  aContainer,
  aNode,
  anEvent,
  aPod,
  aStatus,
  observationOf,
  running,
  T0_MS,
  terminated,
  waiting,
} from "../support/builders.ts";
import { explainApp, explainPod } from "../support/explain-pod.ts";

const S = 1_000;
const OLD = aNode({ kubeletVersion: "v1.34.4" });
/** The wait of 2m40s that the message names began here, and ends 160 s later. */
const EXIT_MS = T0_MS + 1_000 * S;
const READY_MS = EXIT_MS + 160 * S;
const MESSAGE = "back-off 2m40s restarting failed container=app pod=web_default(uid)";

function looping(spec: Partial<ContainerSpec> = {}) {
  const lastState = terminated(EXIT_MS - 5 * S, EXIT_MS, { containerID: "containerd://b" });
  const state = waiting("CrashLoopBackOff", MESSAGE);
  return {
    containers: [aContainer(spec)],
    statuses: [aStatus({ state, lastState, restartCount: 5, containerID: "containerd://b" })],
  };
}

function backOff(lastAtMs: number, more: Partial<EventSnapshot> = {}): EventSnapshot {
  return anEvent({ firstAtMs: T0_MS, lastAtMs, count: 9, ...more });
}

describe("explain(): an overdue restart", () => {
  it.each<{ why: string; afterS: number; node?: PodObservation["node"]; spec?: Partial<ContainerSpec>; late: boolean }>(
    [
      { why: "the wait is not over", afterS: -1, late: false },
      { why: "the last sync of v1.37 comes up to 30 s late", afterS: 20, late: false },
      { why: "and after that it shows in the API within 2 s", afterS: 36, late: true },
      { why: "v1.34 syncs every 10 to 15 s", afterS: 12, node: OLD, late: false },
      { why: "and a node that starts containers late some more", afterS: 25, node: OLD, late: false },
      { why: "but 36 s are too many", afterS: 36, node: OLD, late: true },
      { why: "of an open version the one that takes longer counts", afterS: 20, node: null, late: false },
      { why: "and neither takes so long", afterS: 40, node: null, late: true },
      { why: "a pull at each start takes time", afterS: 70, spec: { imagePullPolicy: "Always" }, late: false },
      { why: "but not for ever", afterS: 150, spec: { imagePullPolicy: "Always" }, late: true },
      { why: "a postStart hook and its kill hide the start", afterS: 50, spec: { hasPostStart: true }, late: false },
      { why: "for the grace period", afterS: 70, spec: { hasPostStart: true }, late: true },
      { why: "8 days are too many for anything", afterS: 8 * 86_400, late: true },
    ],
  )("$afterS s after the wait: $late, because $why", ({ afterS, node = aNode(), spec, late }) => {
    const app = explainApp(looping(spec), { atMs: READY_MS + afterS * S, node });
    expect(app.overdue !== null).toBe(late);
    expect(app.nextRestart === null).toBe(late);
    expect(app.overdue?.expectedByMs ?? READY_MS).toBeGreaterThanOrEqual(READY_MS);
  });

  it("has a window near the moment at which it is overdue, and none beyond", () => {
    const overdue = explainApp(looping(), { atMs: READY_MS + 3_600 * S }).overdue;
    const overdueAtMs = (overdue?.expectedByMs ?? 0) + 2 * S;
    for (let atMs = READY_MS; atMs < overdueAtMs; atMs += 500) {
      const { nextRestart } = explainApp(looping(), { atMs });
      expect(nextRestart?.likelyByMs).toBeLessThanOrEqual(overdueAtMs + 120 * S);
      expect(nextRestart?.likelyByMs).toBeGreaterThanOrEqual(atMs);
    }
    expect(explainApp(looping(), { atMs: overdueAtMs })).toMatchObject({ nextRestart: null, overdue });
  });

  it("is none while a longer delay may be in force", () => {
    const last = terminated(EXIT_MS - 5 * S, EXIT_MS, { containerID: "containerd://b" });
    const statuses = [aStatus({ state: last, restartCount: 4, containerID: "containerd://b" })];
    const atMs = EXIT_MS + 100 * S;
    expect(explainApp({ statuses }, { atMs }).overdue).toBeNull();
    expect(explainApp({ statuses }, { atMs: EXIT_MS + 400 * S }).overdue).not.toBeNull();
  });

  it("is none while a sync may come that the node plans rarely", () => {
    const kubeletConfig = { maxContainerRestartPeriodMs: null, featureGates: {}, syncFrequencyMs: 600 * S };
    const at = (afterS: number) => explainApp(atMaximum, { atMs: EXIT_MS + (300 + afterS) * S, kubeletConfig });
    const lastState = terminated(EXIT_MS - 5 * S, EXIT_MS, { containerID: "containerd://b" });
    const state = waiting("CrashLoopBackOff", MESSAGE.replace("2m40s", "5m0s"));
    const atMaximum = { statuses: [aStatus({ state, lastState, restartCount: 9, containerID: "containerd://b" })] };
    expect(at(140).overdue).toBeNull();
    expect(at(160).overdue).not.toBeNull();
  });

  it("is none on a node that is not ready: there nothing can be predicted", () => {
    const ready = { type: "Ready", status: "Unknown", reason: null, message: null, lastTransitionAtMs: null } as const;
    const app = explainApp(looping(), { atMs: READY_MS + 600 * S, node: aNode({ conditions: [ready] }) });
    expect(app).toMatchObject({ nextRestart: null, overdue: null });
  });

  it("does not take a BackOff event after the wait for one of its syncs", () => {
    const atMs = READY_MS + 1_300 * S;
    const app = explainApp(looping(), { atMs, events: [backOff(atMs)] });
    expect(app.overdue?.expectedByMs).toBeLessThan(READY_MS + 40 * S);
  });
});

describe("explain(): what to check where a restart is overdue", () => {
  const atMs = READY_MS + 300 * S;
  const NODE = "check the kubelet and the container runtime on node node-a";

  it.each<{ why: string; live: boolean; seen?: Partial<PodObservation>; check: string }>([
    { why: "the node is ready", live: true, check: NODE },
    { why: "the node was not read", live: true, seen: { node: null }, check: `${NODE}, and whether it is Ready` },
    {
      why: "the kubelet is there",
      live: true,
      seen: { events: [backOff(atMs - S)] },
      check: `its events go on until 2026-11-21T12:24:19Z, but its status is older: ${NODE}`,
    },
    {
      why: "a file may be old",
      live: false,
      check: `this record is older than the rest of the input, or the kubelet does not work: fetch the pod again; if nothing has changed, ${NODE}`,
    },
    {
      why: "and its events may say so",
      live: false,
      seen: { events: [backOff(atMs - S)] },
      check: "its events go on until 2026-11-21T12:24:19Z, so its status is old: fetch the pod again",
    },
  ])("live $live, $why", ({ live, seen, check }) => {
    const observation = observationOf(aPod(looping()), { atMs, ...seen });
    const [pod] = explain({ ...observation, atBasis: live ? "server-clock" : "newest-input" }, {}).pods;
    expect(pod?.containers[0]?.overdue?.check).toBe(check);
    expect(pod?.summary).toMatch(/^app is crash-looping; its restart is overdue by \d+[sm]: .+\.$/);
    expect(pod?.summary).toContain(check);
    expect(pod?.containers[0]?.why).toMatch(
      "The 2m40s wait is over; it restarts at the kubelet's next sync. 99 of 100 such restarts have come by 2026-11-21T12:19:49Z.",
    );
  });
});

describe("explain(): an app container behind a sidecar, on v1.34", () => {
  const proxy = aContainer({ name: "proxy", type: "sidecar", restartPolicy: "Always" });
  const down = aStatus({
    name: "proxy",
    restartCount: 5,
    state: waiting("CrashLoopBackOff", MESSAGE.replace("app", "proxy")),
    lastState: terminated(READY_MS - 60 * S, READY_MS - 55 * S, { containerID: "containerd://p" }),
  });
  const podWith = (status: typeof down) => {
    const { containers, statuses } = looping();
    return { containers: [proxy, ...containers], statuses: [status, ...statuses] };
  };

  it("waits for it, and is not late by itself", () => {
    const { containers } = explainPod(podWith(down), { atMs: READY_MS + 60 * S, node: OLD });
    const [sidecar, app] = containers;
    expect(app?.overdue).toBeNull();
    expect(app?.nextRestart?.likelyByMs).toBeGreaterThanOrEqual(sidecar?.nextRestart?.likelyByMs ?? Number.NaN);
  });

  it("is overdue with it", () => {
    const { containers } = explainPod(podWith(down), { atMs: READY_MS + 600 * S, node: OLD });
    expect(containers.map(({ overdue }) => overdue)).toEqual([containers[0]?.overdue, containers[0]?.overdue]);
    expect(containers[0]?.overdue).not.toBeNull();
  });

  it("starts soon after it", () => {
    const upAtMs = READY_MS + 60 * S;
    const up = { ...down, state: running(upAtMs), started: true };
    const at = (afterS: number) => explainPod(podWith(up), { atMs: upAtMs + afterS * S, node: OLD }).containers[1];
    expect(at(2)).toMatchObject({ overdue: null, nextRestart: { likelyByMs: upAtMs + 3 * S } });
    expect(at(6)).toMatchObject({ overdue: { expectedByMs: upAtMs + 3 * S }, nextRestart: null });
  });
});
