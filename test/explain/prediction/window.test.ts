import { describe, expect, it } from "vitest";
import type { ContainerSpec, EventSnapshot, PodObservation } from "../../../src/explain/observed/observation.ts";
import { startOfEither } from "../../../src/explain/prediction/start-window.ts";
import { StartDistribution } from "../../../src/kubelet/start-distribution.ts";
import {
  aContainer,
  aNode,
  anEvent,
  aStatus,
  madeUpRecord,
  RESTART_ALL_ON_42,
  running,
  S,
  waiting,
} from "../../support/builders.ts";
import { at, explainApp, outcomeOf, runsIn, statusOf } from "../../support/explain-pod.ts";
import { rowsOf } from "../../support/text-table.ts";

const V1_34 = aNode({ kubeletVersion: "v1.34.4" });

function normal(reason: string, atS: number, more: Partial<EventSnapshot> = {}): EventSnapshot {
  return anEvent({ type: "Normal", reason, message: reason, firstAtMs: at(atS), ...more });
}

const TRIGGER = aContainer({ name: "trigger", restartPolicyRules: [RESTART_ALL_ON_42] });
const CYCLE = aStatus({
  name: "trigger",
  restartCount: 4,
  state: running(at(1_000)),
  lastState: madeUpRecord("RestartingAllContainers"),
});

const PULL_FAILED = anEvent({ reason: "Failed", message: 'Failed to pull image "web:1": not found', count: 3 });
const NO_CONFIG = anEvent({ reason: "Failed", message: "Error: no config", count: 3 });
const waitsFor = (reason: string) => aStatus({ state: waiting(reason), containerID: null });

const SEEN: Readonly<Record<string, Partial<PodObservation> & { more?: object }>> = {
  "v1.34": { node: V1_34 },
  "no node": { node: null, kubeletConfig: null },
  "synced at 1012": { events: [anEvent({ firstAtMs: at(900), lastAtMs: at(1_012), count: 3 })] },
  "trigger of all": { more: { containers: [aContainer(), TRIGGER], others: [CYCLE] } },
  "failed pull 3": { events: [PULL_FAILED], more: { status: waitsFor("ImagePullBackOff") } },
  "failed step": { events: [NO_CONFIG], more: { status: waitsFor("CreateContainerConfigError") } },
};

/** `runs`, `at` and `window` are in seconds after the pod's creation. */
const WINDOWS = `
  runs               restarts  delay  also seen       at        window             why
  gap 13             2         -      -               1002      1020-1033          v1.37 syncs at the end of the wait, late by half of what was left
  gap 13             2         -      v1.34           1002      1020-1033          v1.34 syncs every 10 to 15 s
  gap 13             2         -      no node         1002      1020-1033          an unknown version may be either
  gap 13             2         -      v1.34           1023      1023-1033          a start that has not come yet must come in the rest of the window
  50-55 80-85        4         -      -               86        95-147             a shorter delay is possible, too
  gap 13             2         -      synced at 1012  1013      1020-1027          a BackOff event dates a sync
  gap 170            6         -      -               1002      1300-1326          a wait of 5m takes several syncs
  0-560              5         2m40s  -               562       620-652            the kubelet drops the entry at 600 and restarts at the next sync
  gap 170            6         -      trigger of all  1002      1221-1279          another container restarts all before that
  2873-2900          13        -      -               2901      3200-3226          restartCount shows that the delay is 5m
  86373-86400        13        -      -               86401     86401-86713        of a pod of a day any delay from none to 5m is possible
  10022395-10022400  257       -      -               10022401  10022401-10022707  of a pod of months the delay is open, too
  0-                 0         -      failed pull 3   5         40-55              the third failed pull waits 40 s
  0-                 0         -      failed step     5         10-17              a failed step is tried again every 10 to 15 s
`;
type Column = "runs" | "restarts" | "delay" | "also seen" | "at" | "window" | "why";

interface More {
  readonly containers?: readonly ContainerSpec[];
  readonly others?: readonly ReturnType<typeof aStatus>[];
  readonly status?: ReturnType<typeof aStatus>;
}

function windowOf({ "also seen": also, ...row }: Record<Column, string>) {
  const { more = {}, ...seen } = SEEN[also] ?? {};
  const { others = [], status, ...pod } = more as More;
  const named = row.delay === "" ? {} : { delay: row.delay };
  const own = status ?? statusOf({ runs: runsIn(row.runs), restarts: Number(row.restarts), ...named });
  const app = explainApp({ statuses: [own, ...others], ...pod }, { atMs: at(Number(row.at)), ...seen });
  return outcomeOf(app).windowS?.join("-");
}

describe("the window of the next start", () => {
  it.each(rowsOf<Column>(WINDOWS))(
    "is $window at second $at after the runs $runs and $restarts restarts: $why",
    (row) => {
      expect(windowOf(row)).toBe(row.window);
    },
  );
});

describe("the window after a stop of the node", () => {
  it.each([
    { exit: { exitCode: 255, reason: "Unknown" }, why: "all pods of the node start together", window: [1_001, 1_049] },
    { exit: { exitCode: 255 }, why: "the program ended by itself, and restarts immediately", window: [1_001, 1_006] },
  ])("is $window: $why", ({ exit, window }) => {
    const statuses = [statusOf({ runs: [[400, 1_000]], restarts: 0, exit })];
    expect(outcomeOf(explainApp({ statuses }, { atMs: at(1_001) })).windowS).toEqual(window);
  });
});

const READY_S = 620;

function crashed(tookS: number, noticedS: number, spec: Partial<ContainerSpec> = {}) {
  const conditions = [
    { type: "ContainersReady", status: "False", reason: null, message: null, lastTransitionAtMs: at(600 + noticedS) },
  ] as const;
  const statuses = [
    statusOf({
      runs: [
        [535, 583 - tookS],
        [595, 600],
      ],
      restarts: 2,
    }),
  ];
  return { pod: { containers: [aContainer(spec)], statuses, conditions }, events: [normal("Created", 595 - tookS)] };
}

function saidAt(afterS: number, { pod, events }: ReturnType<typeof crashed>, more: readonly EventSnapshot[] = []) {
  const app = explainApp(pod, { atMs: at(READY_S + afterS), node: V1_34, events: [...events, ...more] });
  const latestS = ((app.nextRestart?.likelyByMs ?? 0) - at(READY_S)) / S;
  return { ...app, latestS, slow: app.evidence.find(({ rule }) => rule === "slow-starts")?.text };
}

describe("a node that starts containers late", () => {
  it.each([
    { tookS: 0, noticedS: 1, leastS: 5, mostS: 18, slow: undefined, why: "starts and exits on time" },
    {
      tookS: 15,
      noticedS: 1,
      leastS: 25,
      mostS: 70,
      slow: /late \(by \d+s-\d+s\)$/,
      why: "the last start took 15s",
    },
    { tookS: 1, noticedS: 12, leastS: 25, mostS: 70, slow: /late \(by/, why: "the exit took 12s to be noticed" },
    { tookS: 0, noticedS: 300, leastS: 5, mostS: 18, slow: undefined, why: "a delay of minutes does not count" },
  ])("$why: up to $mostS s after the wait", ({ tookS, noticedS, leastS, mostS, slow }) => {
    const said = saidAt(-7, crashed(tookS, noticedS));
    expect(said.latestS).toBeGreaterThanOrEqual(leastS);
    expect(said.latestS).toBeLessThanOrEqual(mostS);
    expect(said.slow).toEqual(slow === undefined ? undefined : expect.stringMatching(slow));
  });

  it("is overdue later than another node", () => {
    expect(saidAt(30, crashed(0, 1)).overdue).not.toBeNull();
    expect(saidAt(30, crashed(15, 12)).overdue).toBeNull();
  });

  it("counts from the Created event once the start has begun", () => {
    const begun = [normal("Created", READY_S + 2)];
    expect(saidAt(3, crashed(0, 1), begun).latestS).toBeLessThanOrEqual(7);
    expect(saidAt(30, crashed(0, 1), begun).overdue?.expectedByMs).toBeLessThan(at(READY_S + 20));
  });
});

describe("a start that pulls its image", () => {
  const pulled = (took: string) =>
    normal("Pulled", 594, { message: `Successfully pulled image "a" in ${took}`, name: took });
  const latestS = (spec: Partial<ContainerSpec>, events: readonly EventSnapshot[] = [], afterS = -7) =>
    saidAt(afterS, crashed(0, 1, spec), events).latestS;
  const ALWAYS = { imagePullPolicy: "Always" };

  it("takes longer under imagePullPolicy Always, by the pulls of earlier restarts", () => {
    expect(latestS({ image: "a:latest" })).toBeLessThanOrEqual(20);
    expect(latestS(ALWAYS)).toBeGreaterThan(20);
    expect(latestS(ALWAYS, ["80ms", "90ms", "70ms"].map(pulled))).toBeLessThan(latestS(ALWAYS));
    expect(latestS(ALWAYS, [pulled("41s"), normal("Started", 595)])).toBe(latestS(ALWAYS));
    expect(latestS(ALWAYS, [pulled("25s (41s including waiting)")])).toBeGreaterThan(latestS(ALWAYS) + 20);
  });

  it("takes no longer than other starts once the image is pulled", () => {
    const pulling = normal("Pulling", READY_S + 1);
    expect(latestS({}, [pulling], 3)).toBeGreaterThan(12);
    expect(latestS({}, [pulling, normal("Created", READY_S + 2)], 3)).toBeLessThanOrEqual(7);
  });
});

describe("startOfEither()", () => {
  const starts = StartDistribution.evenly(at(10), at(20));
  const next = (likelyByS: number) => ({
    nextRestart: { notBeforeMs: at(10), likelyByMs: at(likelyByS) },
    overdue: null,
  });

  it.each([
    { newest: { ...next(20), starts }, older: next(30), why: "the newest kubelet's" },
    { newest: next(30), older: { ...next(20), starts }, why: "the older kubelet's" },
  ])("has no distribution for a window of both if only $why is known", ({ newest, older }) => {
    expect(startOfEither(newest, older, at(0))).toEqual(next(30));
  });
});
