import { describe, expect, it } from "vitest";
import { MOST_EXPLAINED, PodChoice } from "../../src/cluster/pods/target-choice.ts";
import { aRawPod, SERVER_CLOCK_MS } from "../support/raw-objects.ts";
import { aFineRawPod, aRawOwnedPod } from "../support/raw-workloads.ts";

const OWNER = { kind: "ReplicaSet", name: "web-1" };

function chooseOf(pods: readonly (readonly [object, Parameters<PodChoice["add"]>[1]])[]): PodChoice {
  const choice = new PodChoice(() => SERVER_CLOCK_MS);
  for (const [raw, order] of pods) choice.add(raw as Record<string, unknown>, order);
  return choice;
}

function namesIn(choice: PodChoice): unknown[] {
  return choice.chosen().map(({ raw }) => (raw["metadata"] as { name: string }).name);
}

describe("PodChoice", () => {
  const bad = (name: string) => aRawOwnedPod(OWNER, name);
  const fine = (name: string) => aFineRawPod(OWNER, name);

  it("puts failing pods before fine ones, the current revision before older ones, then sorts by name", () => {
    const older = [bad("d"), { rank: 1 }] as const;
    const choice = chooseOf([[fine("a"), {}], older, [bad("c"), {}], [bad("b"), {}], [bad("z"), { target: 1 }]]);
    expect(namesIn(choice)).toEqual(["b", "c", "d", "z", "a"]);
  });

  it("puts the pod first whose container exited first, because it usually restarts first", () => {
    const ended = (name: string, finishedAt: string, restartCount: number): object => {
      const times = { startedAt: "2026-11-21T12:05:00Z", finishedAt };
      const app = { restartCount, lastState: { terminated: { exitCode: 1, ...times, containerID: "containerd://b" } } };
      return aRawPod({ metadata: { name, uid: name }, app });
    };
    const [late, early] = [ended("a", "2026-11-21T12:09:30Z", 6), ended("b", "2026-11-21T12:08:30Z", 5)];
    expect(
      namesIn(
        chooseOf([
          [late, {}],
          [early, {}],
        ]),
      ),
    ).toEqual(["b", "a"]);
  });

  it("keeps pods that the user named in the user's order", () => {
    const choice = chooseOf([
      [fine("a"), { isNamed: true }],
      [bad("b"), { target: 1, isNamed: true }],
    ]);
    expect(namesIn(choice)).toEqual(["a", "b"]);
    expect(choice.selection().named).toEqual(["prod/a", "prod/b"]);
  });

  it.each([
    { others: 1, why: "also after its workload", named: ["prod/a"], leftOutFine: 0, leftOutFailing: 0 },
    {
      others: 2 * MOST_EXPLAINED,
      why: "but keeps the first pods of many",
      named: [],
      leftOutFine: 1,
      leftOutFailing: 50,
    },
  ])("knows a pod that the user named, $why", ({ others, why: _, ...selection }) => {
    const many = Array.from({ length: others }, (_, index) => [bad(`b-${index}`), {}] as const);
    const choice = chooseOf([[fine("a"), {}], ...many, [fine("a"), { target: 1, isNamed: true }]]);
    expect(choice.selection()).toEqual({ matched: others + 1, ...selection });
  });

  it("counts a pod of two targets once", () => {
    const choice = chooseOf([
      [bad("a"), {}],
      [bad("a"), { target: 1 }],
    ]);
    expect(choice.selection()).toMatchObject({ matched: 1 });
  });

  it("chooses fifty of many pods, failing ones first, and counts the others as fine or failing", () => {
    const many = Array.from({ length: 3 * MOST_EXPLAINED }, (_, index) => index);
    const choice = chooseOf(many.map((index) => [index % 2 === 0 ? fine(`f-${index}`) : bad(`b-${index}`), {}]));
    expect(choice.chosen()).toHaveLength(MOST_EXPLAINED);
    expect(choice.chosen().some(({ isFine }) => isFine)).toBe(false);
    expect(choice.selection()).toMatchObject({ matched: 150, leftOutFine: 75, leftOutFailing: 25 });
  });
});
