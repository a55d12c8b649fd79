import { describe, expect, it } from "vitest";
import { FINE, MOST_EXPLAINED, PodChoice, severityOf } from "../../src/cluster/pods/target-choice.ts";
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
    const choice = chooseOf([
      [fine("a"), {}],
      [bad("d"), { rank: 1 }],
      [bad("c"), {}],
      [bad("b"), {}],
      [bad("z"), { target: 1 }],
    ]);
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

  it.each([
    { pod: {}, severity: FINE, why: "it runs and never restarted" },
    {
      pod: { statuses: [aStatus({ restartCount: 4, state: running(NOW_MS - 60_000) })] },
      severity: 0,
      why: "it restarted lately",
    },
    {
      pod: { statuses: [aStatus({ restartCount: 4, state: running(NOW_MS - 600_000) })] },
      severity: FINE,
      why: "it has run since",
    },
    {
      pod: { statuses: [aStatus({ restartCount: 2, state: waiting("CrashLoopBackOff") })] },
      severity: 0,
      why: "back-off",
    },
    {
      pod: { statuses: [aStatus({ restartCount: 2, state: exit0 })] },
      severity: 0,
      why: "exit code 0 restarts under Always",
    },
    { pod: { statuses: [aStatus({ state: terminated(T0_MS, NOW_MS) })] }, severity: 1, why: "its first exit" },
    { pod: { statuses: [aStatus({ state: waiting("ImagePullBackOff") })] }, severity: 1, why: "it cannot start" },
    {
      pod: { statuses: [aStatus({ state: exit0 })], restartPolicy: "OnFailure" as const },
      severity: FINE,
      why: "done, others run on",
    },
    {
      pod: { statuses: [aStatus({ state: exit0 })], containers: [aContainer({ type: "init" })] },
      severity: FINE,
      why: "an init container that is done",
    },
    {
      pod: {
        statuses: [aStatus({ state: terminated(T0_MS, NOW_MS) })],
        containers: [aContainer({ type: "ephemeral" })],
      },
      severity: FINE,
      why: "a debugger that has ended",
    },
    { pod: { phase: "Failed" }, severity: 2, why: "it has failed" },
    { pod: { phase: "Succeeded", statuses: [aStatus({ state: exit0 })] }, severity: FINE, why: "it is done" },
    {
      pod: { phase: "Pending", statuses: [aStatus({ state: waiting("ContainerCreating") })] },
      severity: 3,
      why: "it is not up yet",
    },
    { pod: { deletionAtMs: NOW_MS }, severity: 3, why: "it is being deleted" },
  ])("is $severity: $why", ({ pod, severity }) => {
    expect(severityOf(aPod(pod), NOW_MS)).toBe(severity);
  });
});
