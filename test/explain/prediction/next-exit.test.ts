import { describe, expect, it } from "vitest";
import type { ContainerExplanation } from "../../../src/explain/answer/explanation.ts";
import type { EventSnapshot, PodObservation } from "../../../src/explain/observed/observation.ts";
import { aContainer, aNode, anEvent, aPod, aProbe, aStatus, S, terminated } from "../../support/builders.ts";
import { at, explainApp, runsIn, statusOf } from "../../support/explain-pod.ts";
import { rowsOf } from "../../support/text-table.ts";

const PROBE = aProbe({ initialDelayMs: 3 * S, periodMs: 3 * S });
const PROBED = { containers: [aContainer({ livenessProbe: PROBE })], gracePeriodMs: 30 * S };

function killing(count: number, fromS: number, toS = fromS): EventSnapshot {
  const message = "Container app failed liveness probe, will be restarted";
  const times = { count, firstAtMs: at(fromS), lastAtMs: at(toS) };
  return anEvent({ type: "Normal", reason: "Killing", message, ...times });
}

function probed(runs: string, restarts: number, seen: Partial<PodObservation> & { readonly atMs?: number } = {}) {
  const shown = runsIn(runs);
  const statuses = [statusOf({ runs: shown, restarts, exit: { exitCode: 137 } })];
  const atMs = at((shown.at(-1)?.[0] ?? 0) + 5);
  return explainApp({ ...PROBED, statuses }, { atMs, events: [killing(1, 909)], ...seen });
}

function exitsOf({ ifItExits }: ContainerExplanation): string | undefined {
  return ifItExits?.map(({ probe, delayMs }) => `${probe ?? "exits"} ${delayMs / S}`).join(", ");
}

/** "killed again" and "by itself" are delays in seconds: after a kill by the probe, and after another exit. */
const KILLS = `
  runs           restarts  killed again  by itself  why
  900-939 939-   3         0             20         39 s after the last exit, a delay of 20 s is over
  900-939 939-   4         40            40         39 s after the last exit, a delay of 40 s is not over
  900-939 940-   4         0             40         the next tick of the probe is 42 s after it
  900-939 1239-  12        0             300        after a wait of 5m the next kill is more than 5m away
  900-939 939-   12        300           300        the last restart had no wait, so the whole delay follows
  41-80 80-      2         0             10         a first kill left no entry: the curve is one exit behind
`;

describe("the wait after the next exit", () => {
  it.each(rowsOf<"runs" | "restarts" | "killed again" | "by itself" | "why">(KILLS))(
    "is known for a kill by the probe and for an exit by itself: $why ($runs, $restarts restarts)",
    ({ runs, restarts, ...row }) => {
      const events = runs.startsWith("41") ? [killing(2, 10, 50)] : [killing(1, 909)];
      const app = probed(runs, Number(restarts), { events });
      expect(exitsOf(app)).toBe(`liveness-probe ${row["killed again"]}, exits ${row["by itself"]}`);
      expect(app).toMatchObject({ delayMs: Number(row["killed again"]) * S, delayBasis: "inferred" });
    },
  );

  it("counts from a kill that is in progress, and expects no other exit", () => {
    const app = probed("900-939 940-", 4, { events: [killing(2, 909, 950)], atMs: at(960) });
    expect(exitsOf(app)).toBe("liveness-probe 0");
    expect(app).toMatchObject({ state: "running", beingKilled: "liveness-probe" });
    expect(app.forecast).toBe("The kubelet restarts it as soon as it has stopped.");
  });

  it("is one of two delays if a second decides between them", () => {
    const app = probed("900-939 940-", 4, { events: [killing(2, 909, 949)], atMs: at(960) });
    expect(app).toMatchObject({ delayMs: 0, otherDelaysMs: [40 * S] });
    expect(app.forecast).toBe("When it has stopped, it restarts immediately or after a wait of 40s.");
  });

  it("is the wait after another exit by itself, with the wait after a probe kill as the alternative", () => {
    const statuses = [statusOf({ runs: runsIn("900-939 980-"), restarts: 4 })];
    const events = [anEvent({ reason: "BackOff", firstAtMs: at(940) })];
    const app = explainApp({ ...PROBED, statuses }, { atMs: at(985), events });
    expect(exitsOf(app)).toMatch(/^exits 80, liveness-probe/);
    expect(app.forecast).toMatch(/^If it exits/);
  });

  it("is 0 after a kill if the record of the previous exit is gone", () => {
    const state = terminated(at(890), at(929), { exitCode: 137 });
    const earlier = [aPod({ ...PROBED, statuses: [aStatus({ state, restartCount: 11 })] })];
    const app = probed("980-", 12, { earlier });
    expect(app.ifItExits?.find(({ probe }) => probe !== null)).toMatchObject({ delayMs: 0 });
  });

  it("is found for a probe with a period of 68 years", () => {
    const containers = [aContainer({ livenessProbe: { ...PROBE, periodMs: (2 ** 31 - 1) * S } })];
    const statuses = [statusOf({ runs: runsIn("900-939 980-"), restarts: 4 })];
    const app = explainApp({ containers, statuses }, { atMs: at(985) });
    expect(exitsOf(app)).toBe("exits 80, liveness-probe 0");
  });

  it("is null if nothing restarts the container, and while it is down", () => {
    const never = explainApp({ restartPolicy: "Never" }, { atMs: at(1) });
    const down = explainApp({ statuses: [statusOf({ runs: [[0, 5]], restarts: 3 })] }, { atMs: at(6) });
    expect([never.ifItExits, down.ifItExits]).toEqual([null, null]);
  });

  it.each([
    {
      version: "v1.31.4",
      likely: "liveness-probe",
      why: "one burst for all events, so the event of the last kill may be missing",
    },
    { version: "v1.32.0", likely: "exits", why: "a burst for each type of event, so the last exit was no kill" },
  ])("is likely $likely after an exit without a Killing event: $version has $why", ({ version, likely }) => {
    const others = anEvent({ name: "web.2", type: "Warning", reason: "Unhealthy", count: 15, firstAtMs: at(10) });
    const started = anEvent({ name: "web.3", type: "Normal", reason: "Started", count: 11, lastAtMs: at(900) });
    const events = [killing(10, 100, 500), others, started];
    const app = probed("900-939 940-", 11, { events, node: aNode({ kubeletVersion: version }), kubeletConfig: null });
    expect(app.ifItExits?.[0]?.probe ?? "exits").toBe(likely);
  });
});

describe("forecast", () => {
  it.each([
    {
      runs: "900-939 1239-",
      says: "If its liveness probe fails again, it restarts immediately; if it exits by itself, the kubelet waits 5m.",
    },
    { runs: "900-939 939-", says: "If its liveness probe fails again or it exits, the kubelet waits 5m." },
  ])("names the likely exit first: $says", ({ runs, says }) => {
    const app = probed(runs, 12);
    expect(app.forecast).toBe(says);
    expect(app.why).toContain(says);
  });
});
