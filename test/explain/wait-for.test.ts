import { describe, expect, it } from "vitest";
import { aContainer, anEvent, aProbe, aStatus, S, T0_MS, terminated } from "../support/builders.ts";
import { kinds, look, states, statusOfRun } from "../support/wait-looks.ts";

const READY = [{ type: "Ready", status: "True", reason: null, message: null, lastTransitionAtMs: T0_MS }] as const;

const KILLED = "Container app failed liveness probe, will be restarted";

describe("waiting for a reset", () => {
  it("ends immediately without a back-off", () => {
    expect(states("reset", [look(60)])).toEqual([
      { kind: "happened", container: null, start: null, atMs: T0_MS + 60 * S },
    ]);
  });

  it("ends when a container has run for ten minutes, at that moment", () => {
    const pod = { statuses: [{ ...statusOfRun(2, 0), lastState: terminated(T0_MS - 30 * S, T0_MS - 20 * S) }] };
    const [early, late] = states("reset", [look(10, pod), look(605, pod)]);
    expect(early).toEqual({ kind: "waiting" });
    expect(late).toMatchObject({ kind: "happened", container: "app" });
    expect(Math.abs((late as { atMs: number }).atMs - T0_MS - 600 * S)).toBeLessThanOrEqual(5 * S);
  });

  it("ends when the kubelet drops the back-off during a wait", () => {
    const ended = {
      statuses: [{ ...statusOfRun(9, 0, 400), lastState: terminated(T0_MS - 310 * S, T0_MS - 300 * S) }],
    };
    const before = look(410, ended);
    expect(before.explained.containers[0]?.reset?.how).toBe("during-the-wait");
    expect(before.explained.containers[0]?.why).toContain("The back-off resets 3m20s after this exit");
    expect(look(601, ended).explained.containers[0]?.why).toContain(
      "The back-off has reset 3m20s after this exit (10m after the last start), which ended the 5m wait; it restarts",
    );
    expect(kinds("reset", [before, look(590, ended), look(610, ended)])).toEqual(["waiting", "waiting", "happened"]);
  });

  it("goes on if a start before the reset shows only after it, because that start renewed the back-off", () => {
    const lastState = terminated(T0_MS - 30 * S, T0_MS - 20 * S);
    const up = { statuses: [{ ...statusOfRun(4, 0), lastState }] };
    const down = { statuses: [{ ...statusOfRun(4, 0, 500), lastState }] };
    const ended = terminated(T0_MS, T0_MS + 500 * S, { containerID: "containerd://app-4" });
    const upAgain = { statuses: [{ ...statusOfRun(5, 595), lastState: ended }] };
    const looks = [look(490, up), look(505, down), look(601, down), look(603, upAgain)];
    expect(looks.map(({ explained }) => explained.containers[0]?.state)).toEqual([
      "running",
      "backing-off",
      "restarting",
      "running",
    ]);
    expect(kinds("reset", looks)).toEqual(["waiting", "waiting", "waiting", "waiting"]);
  });

  it("ends when a container has run past its reset, also if only its exit shows that", () => {
    const lastState = terminated(T0_MS - 30 * S, T0_MS - 20 * S);
    const up = { statuses: [{ ...statusOfRun(2, 0), lastState }] };
    const down = { statuses: [{ ...statusOfRun(2, 0, 603), lastState }] };
    expect(states("reset", [look(590, up), look(604, down)])).toEqual([
      { kind: "waiting" },
      { kind: "happened", container: "app", start: null, atMs: T0_MS + 600 * S },
    ]);
  });

  it("goes on after a kill by a probe that is followed by an immediate restart", () => {
    const containers = [aContainer({ livenessProbe: aProbe() })];
    const events = [anEvent({ type: "Normal", reason: "Killing", message: KILLED, firstAtMs: T0_MS + 300 * S })];
    const lastState = terminated(T0_MS - 330 * S, T0_MS - 20 * S, { containerID: "containerd://app-1" });
    const statuses = [{ ...statusOfRun(2, 0, 302), lastState }];
    const killed = look(303, { containers, statuses }, { events });
    expect(killed.explained.containers[0]).toMatchObject({ state: "restarting", delayMs: 0, reset: null });
    expect(kinds("reset", [killed])).toEqual(["waiting"]);
  });

  it("ends when the delays have started over between two observations", () => {
    const before = { statuses: [{ ...statusOfRun(5, 100, 105), lastState: terminated(T0_MS, T0_MS + 15 * S) }] };
    const nodeEvents = [
      anEvent({ type: "Normal", reason: "Starting", message: "Starting kubelet.", firstAtMs: T0_MS + 110 * S }),
    ];
    const after = {
      statuses: [
        {
          ...statusOfRun(6, 112),
          lastState: terminated(T0_MS + 100 * S, T0_MS + 105 * S, { containerID: "containerd://app-5" }),
        },
      ],
    };
    const looks = [look(106, before), look(115, after, { nodeEvents })];
    expect(looks.map(({ explained }) => explained.containers[0]?.delayMs)).toEqual([160 * S, 10 * S]);
    expect(kinds("reset", looks)).toEqual(["waiting", "happened"]);
  });

  it("waits for all containers, or for the named one", () => {
    const containers = [aContainer(), aContainer({ name: "side" })];
    const statuses = [
      statusOfRun(0, 0),
      { ...statusOfRun(2, 0, null, "side"), lastState: terminated(T0_MS - 30 * S, T0_MS - 20 * S) },
    ];
    expect(kinds("reset", [look(10, { containers, statuses })])).toEqual(["waiting"]);
    expect(kinds("reset", [look(10, { containers, statuses })], "app")).toEqual(["happened"]);
  });

  it.each([
    { why: "has ended", statuses: [aStatus({ state: terminated(T0_MS, T0_MS + S) })] },
    { why: "runs", statuses: [aStatus()] },
  ])("is impossible if no container restarts and one $why", ({ statuses }) => {
    const seen = look(6, { restartPolicy: "Never", statuses });
    expect(states("reset", [seen])).toEqual([
      { kind: "impossible", because: "no container of it starts again, so there is no back-off" },
    ]);
    expect(states("reset", [seen], "app")).toEqual([
      { kind: "impossible", because: "its container app never starts again, so there is no back-off" },
    ]);
  });

  it("does not wait for a running container that never restarts", () => {
    const containers = [aContainer(), aContainer({ name: "side", restartPolicy: "Never" })];
    const looped = { ...statusOfRun(2, 0), lastState: terminated(T0_MS - 30 * S, T0_MS - 20 * S) };
    const pod = { containers, statuses: [looped, statusOfRun(0, 0, null, "side")] };
    expect(kinds("reset", [look(10, pod), look(605, pod)])).toEqual(["waiting", "happened"]);
  });
});

describe("waiting for recovery", () => {
  const looped = { statuses: [{ ...statusOfRun(2, 0), lastState: terminated(T0_MS - 30 * S, T0_MS - 20 * S) }] };

  it("ends when every container runs past its reset and the pod is Ready", () => {
    expect(kinds("recovered", [look(10, { ...looped, conditions: READY }), look(605, looped)])).toEqual([
      "waiting",
      "waiting",
    ]);
    expect(states("recovered", [look(605, { ...looped, conditions: READY })])).toEqual([
      { kind: "happened", container: null, start: null, atMs: T0_MS + 605 * S, wasBefore: true },
    ]);
  });

  it("ends for a running container that never restarts, so that it has no back-off", () => {
    const pod = { restartPolicy: "Never", conditions: READY } as const;
    expect(look(5, pod).explained.containers[0]).toMatchObject({ state: "running", delayMs: null });
    expect(kinds("recovered", [look(5, pod)])).toEqual(["happened"]);
  });

  it("ends immediately for a pod that has never crashed", () => {
    expect(kinds("recovered", [look(5, { conditions: READY })])).toEqual(["happened"]);
  });

  it("ignores init containers that have completed", () => {
    const containers = [aContainer({ name: "setup", type: "init" }), aContainer()];
    const statuses = [aStatus({ name: "setup", state: terminated(T0_MS, T0_MS + S, { exitCode: 0 }) }), aStatus()];
    expect(kinds("recovered", [look(5, { containers, statuses, conditions: READY })])).toEqual(["happened"]);
  });

  it("is impossible if a container has ended for good", () => {
    const statuses = [aStatus({ state: terminated(T0_MS, T0_MS + S) })];
    expect(states("recovered", [look(6, { restartPolicy: "Never", statuses })])).toEqual([
      { kind: "impossible", because: "its container app has ended for good" },
    ]);
  });
});
