import { describe, expect, it } from "vitest";
import type { ContainerStatus, PodSnapshot } from "../../../src/explain/observed/observation.ts";
import {
  aContainer,
  aNode,
  aPod,
  aStatus,
  madeUpRecord,
  RESTART_ALL_ON_42,
  running,
  terminated,
  waiting,
} from "../../support/builders.ts";
import { at, explainPod, runsIn, statusOf } from "../../support/explain-pod.ts";
import { rowsOf } from "../../support/text-table.ts";

const TRIGGER = aContainer({ name: "trigger", restartPolicyRules: [RESTART_ALL_ON_42] });
const MADE_UP = madeUpRecord("RestartingAllContainers");
const KUBELET = { node: aNode({ kubeletVersion: "v1.37.1" }) };

function trigger(restartCount: number, upS: number | null, lastState: ContainerStatus["lastState"] = MADE_UP) {
  const state = upS === null ? waiting("RestartingAllContainers") : running(at(upS));
  return aStatus({ name: "trigger", restartCount, containerID: `containerd://t${restartCount}`, state, lastState });
}

function restarting(sinceS: number, status: "True" | "False" = "False"): PodSnapshot["conditions"] {
  return [{ type: "AllContainersRestarting", status, reason: null, message: null, lastTransitionAtMs: at(sinceS) }];
}

describe("restartCount in a pod that restarts all its containers", () => {
  it.each([
    { restartAlls: 0, kubeletVersion: "v1.37.1", delayMs: 160_000, why: "five restarts of its own" },
    {
      restartAlls: 2,
      kubeletVersion: "v1.37.1",
      delayMs: 40_000,
      why: "two of the five restarts did not double the delay",
    },
    { restartAlls: 2, kubeletVersion: "v1.34.4", delayMs: 160_000, why: "that kubelet does not know the rule" },
  ])(
    "with $restartAlls restarts of all containers on $kubeletVersion: $why",
    ({ restartAlls, kubeletVersion, delayMs }) => {
      const statuses = [
        statusOf({ runs: [[296, 300]], restarts: 5 }),
        trigger(restartAlls, 280, restartAlls === 0 ? null : MADE_UP),
      ];
      const seen = { atMs: at(301), node: aNode({ kubeletVersion }) };
      const [app] = explainPod({ containers: [aContainer(), TRIGGER], statuses }, seen).containers;
      expect(app?.delayMs).toBe(delayMs);
    },
  );
});

/**
 * The container runs from second 266 to 270 and from 276 to 300, so its second start comes within its wait. "condition"
 * says since when the condition AllContainersRestarting is False (or True) in the pod.
 */
const WITHIN_A_WAIT = `
  condition  trigger up at  created at  delay  from  rule                        why
  276        -              0           40     301   restart-all-skips-the-wait  a restart of all was over between exit and start
  -          276            0           40     321   restart-all-skips-the-wait  the container that asks for it started together with this one
  276        276            -3600       40     310   restart-all-skips-the-wait  in a pod of an hour the entry may have expired since
  210        210            0           10     310   earlier-reset               the latest restart of all came earlier
  -          300            0           20     310   suspected-restart-all       without the condition a restart of all is likelier than a reset
  True 300   -              0           20     301   suspected-restart-all       another restart of all containers goes on
`;
type Column = "condition" | "trigger up at" | "created at" | "delay" | "from" | "rule" | "why";

function withinAWait(row: Record<"condition" | "trigger up at" | "created at", string>, spec = TRIGGER): PodSnapshot {
  const [, isOn, sinceS] = /^(True )?(\d+)$/.exec(row.condition) ?? [];
  const own = statusOf({ runs: runsIn("266-270 276-300"), restarts: 8 });
  const upS = row["trigger up at"] === "" ? null : Number(row["trigger up at"]);
  const bornAtMs = at(Number(row["created at"]));
  return aPod({
    createdAtMs: bornAtMs,
    startedAtMs: bornAtMs,
    containers: [aContainer(), spec],
    statuses: [own, trigger(5, upS, spec === TRIGGER ? MADE_UP : null)],
    conditions: sinceS === undefined ? [] : restarting(Number(sinceS), isOn === undefined ? "False" : "True"),
  });
}

function concluded(pod: PodSnapshot) {
  const [app] = explainPod(pod, { atMs: at(301), ...KUBELET }).containers;
  const rules = app?.evidence.map(({ rule }) => rule) ?? [];
  const fromMs = app?.nextRestart?.notBeforeMs ?? 0;
  return { delayS: (app?.delayMs ?? 0) / 1_000, fromS: Math.floor((fromMs - at(0)) / 1_000), rules };
}

describe("a start within a wait, in a pod that may restart all its containers", () => {
  it.each(rowsOf<Column>(WITHIN_A_WAIT))("leads to a delay of $delay s, because $why", (row) => {
    const { delayS, fromS, rules } = concluded(withinAWait(row));
    expect({ delayS, fromS }).toEqual({ delayS: Number(row.delay), fromS: Number(row.from) });
    expect(rules).toContain(row.rule);
  });

  const seen = { condition: "276", "trigger up at": "276", "created at": "0" };

  it("is a reset if no rule restarts all containers", () => {
    const { delayS, rules } = concluded(withinAWait(seen, aContainer({ name: "trigger" })));
    expect(delayS).toBe(10);
    expect(rules.join()).not.toContain("restart-all");
  });
});

describe("a pod that restarts all its containers, watched from its creation", () => {
  const instance = (id: number, from: number, to: number, exitCode = 1) =>
    terminated(at(from), at(to), { containerID: `containerd://${id}`, exitCode });
  const version = (own: Partial<ContainerStatus>, other: ContainerStatus, endedS: number) =>
    aPod({ containers: [aContainer(), TRIGGER], statuses: [aStatus(own), other], conditions: restarting(endedS) });
  const up = (id: number, seconds: number) => ({ containerID: `containerd://${id}`, state: running(at(seconds)) });
  const first = { lastState: instance(1, 0, 6), restartCount: 1 };
  const third = { restartCount: 2, ...up(3, 27), lastState: instance(2, 7, 13) };
  const versions = [
    version({ containerID: "containerd://1", state: instance(1, 0, 6) }, trigger(0, 0, null), 0),
    version({ ...first, ...up(2, 7) }, trigger(0, 0, null), 0),
    version({ ...first, containerID: "containerd://2", state: instance(2, 7, 13) }, trigger(0, 0, null), 0),
    version(third, trigger(0, 0, null), 0),
    version(third, { ...trigger(0, 0, null), state: { ...instance(9, 0, 31, 42), containerID: "containerd://t0" } }, 0),
    version({ restartCount: 3, ...up(4, 34), lastState: MADE_UP }, trigger(1, 34), 34),
  ];
  const fourth = { restartCount: 3, containerID: "containerd://4", state: instance(4, 34, 40), lastState: MADE_UP };
  const now = version(fourth, trigger(1, 34), 34);
  const [app, other] = explainPod(now, { atMs: at(41), earlier: versions, ...KUBELET }).containers;

  it("doubles the delay only for exits of its own", () => {
    const ends = app?.history.map(({ start, finishedAtMs }) => [start, finishedAtMs]);
    expect(ends?.flat()).toEqual([0, at(6), 1, at(13), 2, null, 3, at(40)]);
    expect(app?.delayMs).toBe(20_000);
    expect(app?.evidence.map(({ rule }) => rule)).toContain("restart-all-skips-the-wait");
  });

  it("has the restart of all containers as the last exit of the container that asked for it", () => {
    expect(other?.lastExit?.cause).toBe("restart-all");
  });
});
