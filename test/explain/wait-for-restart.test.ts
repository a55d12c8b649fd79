import { describe, expect, it } from "vitest";
import { aContainer, anEvent, aStatus, S, T0_MS, terminated, waiting } from "../support/builders.ts";
import { kinds, look, states, statusOfRun } from "../support/wait-looks.ts";

describe("waiting for a restart", () => {
  it("ends with the first instance that did not exist at the first observation", () => {
    const looks = [look(6, { statuses: [statusOfRun(1, 0, 5)] }), look(9, { statuses: [statusOfRun(1, 0, 5)] })];
    const after = look(16, { statuses: [statusOfRun(2, 15)] });
    expect(states("restart", [...looks, after])).toEqual([
      { kind: "waiting" },
      { kind: "waiting" },
      { kind: "happened", container: "app", start: 2, atMs: T0_MS + 15 * S },
    ]);
  });

  it("ends with a new instance that has already ended", () => {
    expect(
      kinds("restart", [
        look(6, { statuses: [statusOfRun(1, 0, 5)] }),
        look(30, { statuses: [statusOfRun(2, 15, 20)] }),
      ]),
    ).toEqual(["waiting", "happened"]);
  });

  it("ends with the first start of a container that had not run yet", () => {
    const unborn = { statuses: [aStatus({ state: waiting("ContainerCreating"), containerID: null })] };
    expect(kinds("restart", [look(1, unborn), look(3, { statuses: [statusOfRun(0, 2)] })])).toEqual([
      "waiting",
      "happened",
    ]);
  });

  it("ends with a Started event while a postStart hook keeps the start out of the status", () => {
    const status = statusOfRun(1, 0, 5);
    const down = {
      ...status,
      state: waiting("CrashLoopBackOff"),
      lastState: terminated(T0_MS, T0_MS + 5 * S, { containerID: status.containerID }),
    };
    const pod = { containers: [aContainer({ hasPostStart: true })], statuses: [down] };
    const events = [anEvent({ type: "Normal", reason: "Started", message: "Started", firstAtMs: T0_MS + 15 * S })];
    expect(kinds("restart", [look(6, pod), look(16, pod, { events })])).toEqual(["waiting", "happened"]);
  });

  it("counts only the named container, or any without a name", () => {
    const containers = [aContainer(), aContainer({ name: "side" })];
    const before = look(6, { containers, statuses: [statusOfRun(1, 0, 5), statusOfRun(1, 0, 5, "side")] });
    const after = look(16, { containers, statuses: [statusOfRun(1, 0, 5), statusOfRun(2, 15, null, "side")] });
    expect(kinds("restart", [before, after], "app")).toEqual(["waiting", "waiting"]);
    expect(kinds("restart", [before, after], "side")).toEqual(["waiting", "happened"]);
    expect(kinds("restart", [before, after])).toEqual(["waiting", "happened"]);
  });

  it.each([
    { what: "is being deleted", pod: { deletionAtMs: T0_MS }, because: "it is being deleted" },
    { what: "has failed", pod: { phase: "Failed" }, because: "it has failed for good" },
    { what: "has completed", pod: { phase: "Succeeded" }, because: "it has completed" },
    {
      what: "runs under Never",
      pod: { restartPolicy: "Never" as const },
      because: "no container of it starts again, by its restart policy",
    },
    {
      what: "has ended under OnFailure",
      pod: {
        restartPolicy: "OnFailure" as const,
        statuses: [aStatus({ state: terminated(T0_MS, T0_MS + S, { exitCode: 0 }) })],
      },
      because: "no container of it starts again, by its restart policy",
    },
  ])("is impossible if the pod $what", ({ pod, because }) => {
    expect(states("restart", [look(6, pod)])).toMatchObject([{ kind: "impossible", because }]);
  });

  it.each([
    {
      what: "a container has rules",
      spec: { restartPolicyRules: [{ action: "Restart", operator: "In", exitCodes: [7] }] },
    },
    { what: "a container has a policy of its own", spec: { restartPolicy: "OnFailure" } },
    {
      what: "a container has not started yet",
      spec: {},
      status: { state: waiting("PodInitializing"), containerID: null },
    },
  ] as const)("is possible under Never if $what", ({ spec, ...rest }) => {
    const statuses = [aStatus({ ...("status" in rest && rest.status) })];
    const pod = { restartPolicy: "Never" as const, containers: [aContainer(spec)], statuses };
    expect(kinds("restart", [look(6, pod)])).toEqual(["waiting"]);
  });
});
