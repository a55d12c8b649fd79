import { describe, expect, it } from "vitest";
import type { ContainerSpec, PodObservation, PodSnapshot } from "../../../src/explain/observed/observation.ts";
import {
  aContainer,
  aNode,
  anEvent,
  aStatus,
  RESTART_ALL_ON_42,
  running,
  terminated,
  waiting,
} from "../../support/builders.ts";
import { at, explainApp, explainPod, outcomeOf, runsIn, statusOf } from "../../support/explain-pod.ts";
import { condition } from "../../support/owners.ts";
import { rowsOf } from "../../support/text-table.ts";

interface Pod {
  readonly pod?: Partial<PodSnapshot>;
  readonly spec?: Partial<ContainerSpec>;
  readonly exitCode?: number;
  readonly seen?: Partial<PodObservation>;
}

const SETUP = aContainer({ name: "setup", type: "init" });
const UNSTARTED = aStatus({ state: waiting("PodInitializing"), containerID: null });
const AWAY = condition("Ready", "Unknown");
const STARTED = anEvent({ type: "Normal", reason: "Started", message: "Started", firstAtMs: at(1_020) });

const PODS: Readonly<Record<string, Pod>> = {
  Never: { pod: { restartPolicy: "Never" } },
  "Never, exit 0": { pod: { restartPolicy: "Never" }, exitCode: 0 },
  "OnFailure, exit 0": { pod: { restartPolicy: "OnFailure" }, exitCode: 0 },
  "exit 0": { exitCode: 0 },
  "rule of all, exit 42": { spec: { restartPolicyRules: [RESTART_ALL_ON_42] }, exitCode: 42 },
  deleted: { pod: { deletionAtMs: at(40) } },
  "phase Failed": { pod: { phase: "Failed" } },
  "node not ready": { seen: { node: aNode({ conditions: [AWAY] }) } },
  "hook, Started event": { spec: { hasPostStart: true }, seen: { events: [STARTED] } },
  "not scheduled": { pod: { nodeName: null, phase: "Pending", statuses: [] }, seen: { node: null } },
  "init container runs": {
    pod: {
      containers: [SETUP, aContainer()],
      statuses: [aStatus({ name: "setup", state: running(at(0)) }), UNSTARTED],
    },
  },
  "init container done": {
    pod: {
      containers: [SETUP, aContainer()],
      statuses: [aStatus({ name: "setup", state: terminated(at(0), at(4), { exitCode: 0 }) }), UNSTARTED],
    },
  },
  "no config": { pod: { statuses: [aStatus({ state: waiting("CreateContainerConfigError"), containerID: null })] } },
  "no finishedAt": {
    pod: {
      statuses: [aStatus({ state: waiting("CrashLoopBackOff", "back-off 40s restarting failed container=app") })],
    },
  },
  ephemeral: { spec: { type: "ephemeral" }, pod: { statuses: [] } },
};

/**
 * Numbers are in seconds: `runs`, `at`, `window` and `reset` after the pod's creation. `delay` is the delay of the wait or,
 * while the container runs, of the wait after its next exit.
 */
const STATES = `
  runs        restarts  delay named  pod                   at    state        delay  window     reset  why
  0-          0         -            -                     60    running      0      -          -      it has never exited
  0-5         0         -            -                     6     restarting   0      6-11       -      the first exit finds no back-off
  gap 13      2         -            -                     1002  backing-off  20     1020-1033  -      its wait of 20 s is not over
  gap 13      2         -            -                     1021  restarting   20     1021-1033  -      its wait is over, and a sync is due
  80-87 100-  2         -            -                     105   running      20     -          700    while it runs, the delay of its next exit and the reset are known
  80-87 100-  2         -            -                     701   running      0      -          -      it has run for longer than 10 minutes
  0-560       5         2m40s        -                     562   backing-off  160    620-652    600    the entry is 600 s old before the wait is over
  gap 13      2         -            exit 0                1002  backing-off  20     1020-1033  -      a success is restarted like a failure
  gap 13      2         -            Never                 1002  failed       -      -          -      nothing restarts it
  gap 13      2         -            Never, exit 0         1002  completed    -      -          -      it has succeeded, and nothing restarts it
  gap 13      2         -            OnFailure, exit 0     1002  completed    -      -          -      only failures restart it
  gap 13      2         -            rule of all, exit 42  1001  restarting   0      1001-1006  -      a rule restarts all containers, without back-off
  gap 13      2         -            deleted               1002  failed       -      -          -      nothing restarts in a pod that is being deleted
  gap 13      2         -            phase Failed          1002  failed       -      -          -      nothing restarts in a pod that has failed
  gap 13      2         -            node not ready        1002  backing-off  20     -          -      nothing is predicted while the node is not ready
  995-1000    2         20s          hook, Started event   1021  running      40     -          1620   a postStart hook keeps the start out of the status
  0-          0         -            not scheduled         6     starting     0      -          -      no kubelet has the pod
  0-          0         -            init container runs   6     blocked      -      -          -      it waits for the containers before it
  0-          0         -            init container done   6     starting     0      -          -      the containers before it are done
  0-          0         -            no config             6     starting     0      6-22       -      a step of its start fails
  0-          0         -            no finishedAt         10    backing-off  40     -          -      its message names the delay, and nothing dates the exit
  0-          0         -            ephemeral             6     starting     -      -          -      an ephemeral container waits for no other, and never restarts
`;
type Column = "runs" | "restarts" | "delay named" | "pod" | "at" | "state" | "delay" | "window" | "reset" | "why";

function predicted(row: Record<Column, string>) {
  const { pod, spec, exitCode = 1, seen } = PODS[row.pod] ?? {};
  const named = row["delay named"] === "" ? {} : { delay: row["delay named"] };
  const runs = { runs: runsIn(row.runs), restarts: Number(row.restarts), exit: { exitCode }, ...named };
  const shown = { containers: [aContainer(spec)], statuses: [statusOf(runs)], ...pod };
  const { state, delayS, windowS, resetS } = outcomeOf(explainApp(shown, { atMs: at(Number(row.at)), ...seen }));
  return { state, delay: `${delayS ?? ""}`, window: windowS?.join("-") ?? "", reset: `${resetS ?? ""}` };
}

describe("what is predicted of a container", () => {
  it.each(rowsOf<Column>(STATES))("is $state at second $at after the runs $runs, because $why", (row) => {
    const { state, delay, window, reset } = row;
    expect(predicted(row)).toEqual({ state, delay, window, reset });
  });

  it("has the gap of a node that is not ready before other gaps", () => {
    const missing = [{ what: "node-config", why: "unreachable" }] as const;
    const { gaps } = explainPod({}, { atMs: at(6), node: aNode({ conditions: [AWAY] }), missing });
    expect(gaps.map(({ code }) => code)).toEqual(["node-not-ready", "node-config-unreachable"]);
  });

  it("has the gap of a node that does not exist before other gaps, and no window", () => {
    const missing = (["node", "node-config"] as const).map((what) => ({ what, why: "not-found" }) as const);
    const statuses = [statusOf({ runs: runsIn("gap 13"), restarts: 2 })];
    const { gaps, containers } = explainPod({ statuses }, { atMs: at(1_000), node: null, missing });
    expect(gaps.map(({ code }) => code)).toEqual(["node-not-found", "node-config-not-found"]);
    expect(containers).toMatchObject([{ nextRestart: null, overdue: null }]);
  });

  it("has the gap asked-before-seen if --at is before the newest state", () => {
    const statuses = [statusOf({ runs: runsIn("gap 13"), restarts: 2 })];
    const codes = (second: number) => explainPod({ statuses }, { atMs: at(second) }).gaps.map(({ code }) => code);
    expect(codes(940)).toContain("asked-before-seen");
    expect(codes(1_000)).not.toContain("asked-before-seen");
  });
});
