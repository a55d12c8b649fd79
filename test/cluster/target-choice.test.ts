import { describe, expect, it } from "vitest";
import { FINE, MOST_EXPLAINED, PodChoice, severityOf } from "../../src/cluster/pods/target-choice.ts";
import type { ContainerStatus, PodSnapshot } from "../../src/explain/observed/observation.ts";
import { SERVER_CLOCK_MS } from "../support/api-server.ts";
import { aContainer, aPod, aStatus, running, T0_MS, terminated, waiting } from "../support/builders.ts";
import { aFineRawPod, aRawOwnedPod } from "../support/raw-workloads.ts";

const OWNER = { kind: "ReplicaSet", name: "web-1" };
const ORDER = { target: 0, rank: 0, isNamed: false };

function chooseOf(pods: readonly (readonly [object, Partial<typeof ORDER>])[]): PodChoice {
  const choice = new PodChoice();
  for (const [raw, order] of pods) choice.add(raw as Record<string, unknown>, { ...ORDER, ...order }, SERVER_CLOCK_MS);
  return choice;
}

function namesIn(choice: PodChoice): unknown[] {
  return choice.chosen().map(({ raw }) => (raw["metadata"] as { name: string }).name);
}

describe("PodChoice", () => {
  const bad = (name: string) => aRawOwnedPod(OWNER, name);
  const fine = (name: string) => aFineRawPod(OWNER, name);

  it("puts trouble before what is fine, the current revision before older ones, then by name", () => {
    const older = [bad("d"), { rank: 1 }] as const;
    const choice = chooseOf([[fine("a"), {}], older, [bad("c"), {}], [bad("b"), {}], [bad("z"), { target: 1 }]]);
    expect(namesIn(choice)).toEqual(["b", "c", "d", "z", "a"]);
  });

  it("leaves pods that were named where they were named", () => {
    const choice = chooseOf([
      [fine("a"), { isNamed: true }],
      [bad("b"), { target: 1, isNamed: true }],
    ]);
    expect(namesIn(choice)).toEqual(["a", "b"]);
    expect(choice.selection().named).toEqual(["prod/a", "prod/b"]);
  });

  it("counts a pod once that two targets mean", () => {
    const choice = chooseOf([
      [bad("a"), {}],
      [bad("a"), { target: 1 }],
    ]);
    expect(choice.selection()).toMatchObject({ matched: 1 });
  });

  it("explains fifty of any number, trouble first, and counts the others by what they look like", () => {
    const many = Array.from({ length: 3 * MOST_EXPLAINED }, (_, index) => index);
    const choice = chooseOf(many.map((index) => [index % 2 === 0 ? fine(`f-${index}`) : bad(`b-${index}`), {}]));
    expect(choice.chosen()).toHaveLength(MOST_EXPLAINED);
    expect(choice.chosen().some(({ isFine }) => isFine)).toBe(false);
    expect(choice.selection()).toMatchObject({ matched: 150, leftOutFine: 75, leftOutInTrouble: 25 });
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
