import { describe, expect, it } from "vitest";
import type { ContainerExplanation } from "../../src/explain/answer/explanation.ts";
import type { PodObservation, Probe } from "../../src/explain/observed/observation.ts";
import { aContainer, aNode, anEvent, aPod, aStatus, running, T0_MS, terminated } from "../support/builders.ts";
import { explainApp } from "../support/explain-pod.ts";

const S = 1_000;
const at = (seconds: number) => T0_MS + seconds * S;
const PROBE: Probe = { initialDelayMs: 3 * S, periodMs: 3 * S, timeoutMs: S, failureThreshold: 3, gracePeriodMs: null };
const KILLED = anEvent({
  type: "Normal",
  reason: "Killing",
  message: "Container app failed liveness probe, will be restarted",
  firstAtMs: at(909),
});

/**
 * A container whose `livenessProbe` has killed it; the last run ended at 939 s. Its present run began `startedS` after that,
 * as restart `restartCount`, and runs 5 s.
 */
function probed(
  startedS: number,
  restartCount: number,
  ranS = 39,
  more: Partial<PodObservation> & { atMs?: number } = {},
) {
  const lastState = terminated(at(939 - ranS), at(939), { exitCode: 137, containerID: "containerd://a" });
  const state = running(at(939 + startedS));
  const status = aStatus({ state, lastState, restartCount, containerID: "containerd://b" });
  const pod = { containers: [aContainer({ livenessProbe: PROBE })], statuses: [status], gracePeriodMs: 30 * S };
  return explainApp(pod, { atMs: at(944 + startedS), events: [KILLED], ...more });
}

function delays({ ifItExits }: ContainerExplanation) {
  return ifItExits?.map(({ how, delayMs, likely }) => `${likely ? "likely " : ""}${how} ${delayMs / S}`);
}

describe("ifItExits", () => {
  it.each([
    { startedS: 0, restartCount: 3, exits: 20, killed: 0, why: "39 s after the last exit, a delay of 20 s is over" },
    { startedS: 0, restartCount: 4, exits: 40, killed: 40, why: "39 s after it, a delay of 40 s is not" },
    { startedS: 1, restartCount: 4, exits: 40, killed: 0, why: "the next tick of the probe is 42 s after it" },
    {
      startedS: 300,
      restartCount: 12,
      exits: 300,
      killed: 0,
      why: "after a wait of 5m the next kill is more than 5m away",
    },
    { startedS: 0, restartCount: 12, exits: 300, killed: 300, why: "after no wait the whole delay follows" },
  ])("a probe that kills again: $why", ({ startedS, restartCount, exits, killed }) => {
    const app = probed(startedS, restartCount);
    expect(delays(app)).toEqual([`likely killed-by-probe ${killed}`, `exits ${exits}`]);
    expect(app).toMatchObject({ delayMs: killed * S, delayBasis: "inferred" });
  });

  it("counts a kill that is in progress from the kill, and allows for nothing else", () => {
    const killing = anEvent({ ...KILLED, count: 2, lastAtMs: at(949) });
    const app = probed(1, 4, 39, { events: [killing], atMs: at(960) });
    expect(delays(app)).toEqual(["likely killed-by-probe 0"]);
    expect(app).toMatchObject({ state: "running", beingKilled: "liveness-probe" });
    expect(app.forecast).toBe("The kubelet restarts it as soon as it has stopped.");
  });

  it("takes a container that exits by itself to do so again, and names what its probe would lead to", () => {
    const lastState = terminated(at(900), at(939), { containerID: "containerd://a" });
    const status = aStatus({ state: running(at(980)), lastState, restartCount: 4, containerID: "containerd://b" });
    const pod = { containers: [aContainer({ livenessProbe: PROBE })], statuses: [status] };
    const app = explainApp(pod, { atMs: at(985), events: [anEvent({ reason: "BackOff", firstAtMs: at(940) })] });
    expect(delays(app)?.[0]).toBe("likely exits 80");
    expect(app.forecast).toMatch(/^If it exits/);
  });

  it("waits for nothing after a kill where the record of the exit before is gone", () => {
    const state = running(at(980));
    const earlier = [
      { statuses: [aStatus({ state: terminated(at(890), at(929), { exitCode: 137 }), restartCount: 11 })] },
    ];
    const statuses = [aStatus({ state, lastState: null, restartCount: 12, containerID: "containerd://b" })];
    const pod = { containers: [aContainer({ livenessProbe: PROBE })], statuses };
    const app = explainApp(pod, {
      atMs: at(985),
      events: [KILLED],
      earlier: earlier.map((more) => ({ ...aPod(pod), ...more })),
    });
    expect(app.ifItExits?.find(({ how }) => how === "killed-by-probe")).toMatchObject({ delayMs: 0 });
  });

  it("is null where nothing restarts the container, and while it is down", () => {
    const never = explainApp({ restartPolicy: "Never" }, { atMs: at(1) });
    const down = explainApp(
      { statuses: [aStatus({ state: terminated(T0_MS, at(5)), restartCount: 3 })] },
      { atMs: at(6) },
    );
    expect([never.ifItExits, down.ifItExits]).toEqual([null, null]);
  });

  it.each([
    { version: "v1.31.4", why: "one burst for all events, which are held back by now", likely: "killed-by-probe" },
    { version: "v1.32.0", why: "a burst for each type, and no event of the last kill", likely: "exits" },
  ])(
    "tells a kill without an event from an exit by the kubelet's version: $version has $why",
    ({ version, likely }) => {
      const others = anEvent({ name: "web.2", type: "Warning", reason: "Unhealthy", count: 15, firstAtMs: at(10) });
      const started = anEvent({ name: "web.3", type: "Normal", reason: "Started", count: 11, lastAtMs: at(900) });
      const events = [anEvent({ ...KILLED, count: 10, firstAtMs: at(100), lastAtMs: at(500) }), others, started];
      const app = probed(1, 11, 39, { events, node: aNode({ kubeletVersion: version }), kubeletConfig: null });
      expect(app.ifItExits?.find((exit) => exit.likely)?.how).toBe(likely);
    },
  );
});

describe("forecast", () => {
  it.each([
    {
      startedS: 300,
      restartCount: 12,
      says: "If its liveness probe fails again, it restarts immediately; if it exits by itself, the kubelet waits 5m.",
    },
    {
      startedS: 0,
      restartCount: 12,
      says: "If its liveness probe fails again or it exits, the kubelet waits 5m.",
    },
  ])("names the likely way first: $says", ({ startedS, restartCount, says }) => {
    const app = probed(startedS, restartCount);
    expect(app.forecast).toBe(says);
    expect(app.why).toContain(says);
  });
});
