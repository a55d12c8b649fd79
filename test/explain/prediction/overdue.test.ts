import { describe, expect, it } from "vitest";
import { textInUtc } from "../../../src/explain/answer/prose.ts";
import type { PodObservation, PodSnapshot } from "../../../src/explain/observed/observation.ts";
import { aContainer, aNode, anEvent, aProbe, aStatus, running, S, waiting } from "../../support/builders.ts";
import { at, explainApp, explainPod, statusOf } from "../../support/explain-pod.ts";
import { condition } from "../../support/owners.ts";
import { rowsOf } from "../../support/text-table.ts";

const OLD = { node: aNode({ kubeletVersion: "v1.34.4" }) };
const READY_S = 1_160;
const RUN = { runs: [[995, 1_000]], restarts: 5 } as const;
const LOOPING = { statuses: [statusOf({ ...RUN, delay: "2m40s" })] };
const SLOW_RESYNC = { maxContainerRestartPeriodMs: null, featureGates: {}, syncFrequencyMs: 600 * S };

const failing = (reason: string) => ({
  phase: "Pending",
  statuses: [aStatus({ state: waiting(reason, "no config"), containerID: null })],
});
const failed = (count: number, message = "Error: no config") => anEvent({ reason: "Failed", message, count });
const pullFailed = (count: number) => [
  failed(count, 'Failed to pull image "registry.example/web:1": not found'),
  anEvent({ name: "web.2", reason: "Pulling", type: "Normal", message: "Pulling image", count }),
];

interface Waited {
  readonly pod: Partial<PodSnapshot>;
  readonly seen?: Partial<PodObservation>;
  /** When the wait ended or the last attempt failed, in seconds after the pod's creation. */
  readonly fromS: number;
}

const WAITED: Readonly<Record<string, Waited>> = {
  "a restart": { pod: LOOPING, fromS: READY_S },
  "a restart on v1.34": { pod: LOOPING, fromS: READY_S, seen: OLD },
  "a restart, node not read": { pod: LOOPING, fromS: READY_S, seen: { node: null } },
  "a restart that pulls": {
    pod: { ...LOOPING, containers: [aContainer({ imagePullPolicy: "Always" })] },
    fromS: READY_S,
  },
  "a restart with a hook": { pod: { ...LOOPING, containers: [aContainer({ hasPostStart: true })] }, fromS: READY_S },
  "a restart, BackOff later": {
    pod: LOOPING,
    fromS: READY_S,
    seen: { events: [anEvent({ firstAtMs: at(0), lastAtMs: at(READY_S + 1_300), count: 9 })] },
  },
  "the fourth restart, not named": { pod: { statuses: [statusOf({ ...RUN, restarts: 4 })] }, fromS: 1_080 },
  "a restart, resync of 10m": {
    pod: { statuses: [statusOf({ ...RUN, restarts: 9, delay: "5m0s" })] },
    fromS: 1_300,
    seen: { kubeletConfig: SLOW_RESYNC },
  },
  "attempt 3": { pod: failing("CreateContainerConfigError"), fromS: 0, seen: { events: [failed(3)] } },
  "attempt 60": { pod: failing("CreateContainerConfigError"), fromS: 0, seen: { events: [failed(60)] } },
  "an attempt without events": { pod: failing("CreateContainerConfigError"), fromS: 0 },
  "pull 3": { pod: failing("ImagePullBackOff"), fromS: 0, seen: { events: pullFailed(3) } },
  "pull 40": { pod: failing("ImagePullBackOff"), fromS: 0, seen: { events: pullFailed(40) } },
};

/** "after" is in seconds after the end of the wait, or after the last failed attempt. */
const LATE = `
  waits for                      after   overdue  why
  a restart                      -1      no       the wait is not over
  a restart                      20      no       the last sync of v1.37 comes up to 30 s late
  a restart                      36      yes      the restart would show in the API by then
  a restart                      691200  yes      8 days are too late for any restart
  a restart on v1.34             12      no       v1.34 syncs every 10 to 15 s
  a restart on v1.34             25      no       a node that starts containers late takes some more
  a restart on v1.34             36      yes      36 s are too late on v1.34
  a restart, node not read       20      no       if the version is unknown, the one that takes longer counts
  a restart, node not read       40      yes      no version takes so long
  a restart that pulls           70      no       a pull at each start takes time
  a restart that pulls           150     yes      no pull at a restart takes so long
  a restart with a hook          50      no       a postStart hook and its kill hide the start
  a restart with a hook          70      yes      the hook and the grace period are over
  a restart, BackOff later       1300    yes      a BackOff event after the wait is of another wait
  the fourth restart, not named  20      no       a longer delay may be in force
  the fourth restart, not named  320     yes      no delay is so long
  a restart, resync of 10m       140     no       the kubelet may sync half of what was left too late
  a restart, resync of 10m       160     yes      the sync would have come by then
  attempt 3                      14      no       the kubelet tries again every 10 to 15 s
  attempt 3                      25      yes      each attempt sends an event
  attempt 60                     300     no       after many attempts the kubelet sends one event in 5 minutes
  attempt 60                     330     yes      the one event in 5 minutes has not come
  an attempt without events      86400   no       nothing dates the last one
  pull 3                         50      no       the third pull waits 40 s
  pull 3                         100     no       the third pull may take a while to fail
  pull 3                         130     yes      the third pull should have failed by then
  pull 40                        360     no       after many pulls the kubelet sends one event in 5 minutes
  pull 40                        400     yes      even the one event in 5 minutes is missing
`;

describe("an overdue start", () => {
  it.each(rowsOf<"waits for" | "after" | "overdue" | "why">(LATE))(
    "is reported $after s after the wait: $overdue, because $why",
    (row) => {
      const { pod, fromS, seen } = WAITED[row["waits for"]] as Waited;
      const { overdue, nextRestart, imagePull } = explainApp(pod, { atMs: at(fromS + Number(row.after)), ...seen });
      expect(overdue === null ? "no" : "yes").toBe(row.overdue);
      expect(nextRestart !== null).toBe(overdue === null);
      if (imagePull !== null) expect(imagePull.nextPull).toEqual(nextRestart);
      const isInWait = overdue !== null && overdue.expectedByMs < at(fromS);
      expect(isInWait).toBe(false);
    },
  );

  it("has a window until it is overdue, and none after that", () => {
    const { overdue } = explainApp(LOOPING, { atMs: at(READY_S + 3_600) });
    const overdueAtMs = (overdue?.expectedByMs ?? 0) + 2 * S;
    for (let atMs = at(READY_S); atMs < overdueAtMs; atMs += 500) {
      const { nextRestart } = explainApp(LOOPING, { atMs });
      expect(nextRestart?.likelyByMs).toBeLessThanOrEqual(overdueAtMs + 120 * S);
      expect(nextRestart?.likelyByMs).toBeGreaterThanOrEqual(atMs);
    }
    expect(explainApp(LOOPING, { atMs: overdueAtMs })).toMatchObject({ nextRestart: null, overdue });
  });

  it("is absent on a node that is not ready, where nothing is predicted", () => {
    const ready = condition("Ready", "Unknown");
    const app = explainApp(LOOPING, { atMs: at(READY_S + 600), node: aNode({ conditions: [ready] }) });
    expect(app).toMatchObject({ nextRestart: null, overdue: null });
  });

  it("allows for the sync that a sibling in back-off plans, on v1.37", () => {
    const app = statusOf({ runs: [[-5, 0]], restarts: 5, delay: "2m40s" });
    const other = aStatus({ ...failing("CreateContainerConfigError").statuses[0], name: "other" });
    const pod = { containers: [aContainer(), aContainer({ name: "other" })], statuses: [app, other] };
    const events = [{ ...failed(3), container: "other" }];
    const [early, late] = [80, 100].map((second) => explainPod(pod, { atMs: at(second), events }).containers[1]);
    expect(early?.overdue).toBeNull();
    expect(late?.overdue).not.toBeNull();
  });
});

describe("what to check if a restart is overdue", () => {
  const atMs = at(READY_S + 300);
  const NODE = "check the kubelet and the container runtime on node node-a";
  const LATER = { events: [anEvent({ firstAtMs: at(0), lastAtMs: atMs - S, count: 9 })] };
  const UNTIL = "its events go on until 2026-11-21T12:24:19Z";
  const OLD_FILE = "this record is older than the rest of the input, or the kubelet does not work: fetch the pod again";

  it.each<{ why: string; live: boolean; seen?: Partial<PodObservation>; check: string }>([
    { why: "the node is ready", live: true, check: NODE },
    { why: "the node was not read", live: true, seen: { node: null }, check: `${NODE}, and whether it is Ready` },
    {
      why: "the pod's events show that the kubelet works",
      live: true,
      seen: LATER,
      check: `${UNTIL}, but its status is older: ${NODE}`,
    },
    { why: "a file may be old", live: false, check: `${OLD_FILE}; if nothing has changed, ${NODE}` },
    {
      why: "the pod's events are newer than its status",
      live: false,
      seen: LATER,
      check: `${UNTIL}, so its status is old: fetch the pod again`,
    },
  ])("names the parts that may be at fault, live $live: $why", ({ live, seen, check }) => {
    const { containers } = explainPod(LOOPING, {
      atMs,
      atBasis: live ? "server-clock" : "newest-input",
      ...seen,
    });
    expect(textInUtc(containers[0]?.whatToCheck ?? "")).toBe(check);
    expect(textInUtc(containers[0]?.why ?? "")).toMatch(
      /^The 2m40s wait is over; it restarts at the kubelet's next sync\. 99 of 100 such restarts have come by \S+\.$/,
    );
  });
});

describe("the instant by which an overdue restart was expected", () => {
  const AHEAD = [60, 60, 60].map((leadS, index) => {
    const createdAtMs = at(index * 20);
    return anEvent({ name: `web.${index}`, createdAtMs, firstAtMs: createdAtMs + leadS * S });
  });

  it.each<{ why: string; seen: Partial<PodObservation> }>([
    { why: "the node's clock is ahead", seen: { events: AHEAD } },
    { why: "the kubelet's version is not known", seen: { node: null } },
    { why: "the clock is right and the version is known", seen: {} },
  ])("is the same in `overdue` and in the sentence: $why", ({ seen }) => {
    const { overdue, why } = explainApp(LOOPING, { atMs: at(READY_S + 600), ...seen });
    const expectedBy = new Date(overdue?.expectedByMs ?? 0).toISOString().replace(".000Z", "Z");
    expect(textInUtc(why)).toContain(`99 of 100 such restarts have come by ${expectedBy}.`);
  });

  it("allows a kill its grace period, by the clock of a node that is ahead", () => {
    const unhealthy = anEvent({
      reason: "Killing",
      type: "Normal",
      message: "Container app failed liveness probe, will be restarted",
      firstAtMs: at(1_060),
      lastAtMs: at(1_060),
      createdAtMs: at(1_000),
    });
    const { plan } = explainPod(
      { containers: [aContainer({ livenessProbe: aProbe() })], statuses: [statusOf({ runs: [[1_010]], restarts: 3 })] },
      { atMs: at(1_010), events: [...AHEAD, unhealthy] },
    );
    expect(plan).toEqual(["app: wait for it to stop, because its liveness probe failed (up to 20s left)."]);
  });
});

describe("an app container behind a sidecar, on v1.34", () => {
  const proxy = aContainer({ name: "proxy", type: "sidecar", restartPolicy: "Always" });
  const down = statusOf({ runs: [[1_100, 1_105]], restarts: 5, delay: "2m40s" }, { name: "proxy" });
  const up = { ...down, state: running(at(READY_S + 60)), started: true };
  const containersAt = (status: typeof down, afterS: number) => {
    const pod = { containers: [proxy, aContainer()], statuses: [status, ...LOOPING.statuses] };
    return explainPod(pod, { atMs: at(READY_S + afterS), ...OLD }).containers;
  };

  it("waits for the sidecar, and is not overdue before it", () => {
    const [sidecar, app] = containersAt(down, 60);
    expect(app?.overdue).toBeNull();
    expect(app?.nextRestart?.likelyByMs).toBeGreaterThanOrEqual(sidecar?.nextRestart?.likelyByMs ?? Number.NaN);
  });

  it("is overdue together with the sidecar", () => {
    const [sidecar, app] = containersAt(down, 600);
    expect(sidecar?.overdue).not.toBeNull();
    expect(app?.overdue).toEqual(sidecar?.overdue);
  });

  it("starts within 3 s after the sidecar", () => {
    const expectedByMs = at(READY_S + 63);
    expect(containersAt(up, 62)[1]).toMatchObject({ overdue: null, nextRestart: { likelyByMs: expectedByMs } });
    expect(containersAt(up, 66)[1]).toMatchObject({ overdue: { expectedByMs }, nextRestart: null });
  });
});
