import { describe, expect, it } from "vitest";
import { observationAt } from "../../lab/recordings/recorded-moment.ts";
import { interventions, RECORDINGS, recordingOf } from "../../lab/recordings/recordings.ts";
import { momentsOf, type Wait, waitsOf } from "../../scripts/calibration/moments.ts";
import { explain } from "../../src/explain/explain.ts";
import { simulate } from "../../src/simulate/simulate.ts";
import { exits, planOf, policyOf } from "./plans.ts";

/** `kubelet.MaxCrashLoopBackOff` and `maxBackOffTolerance` (kubernetes v1.37.1, test/e2e/common/node/pods.go). */
const CAP_MS = 300_000;
const TOLERANCE = 1.3;
const SLEEP_MS = 2 * CAP_MS;
/** The containers of these tests of Kubernetes sleep for 5 seconds. */
const RUN_SECONDS = 5;
const SEEDS = Array.from({ length: 50 }, (_, seed) => seed);

/** Like `getRestartDelay` (kubernetes v1.37.1, test/e2e/common/node/pods.go), subtracts timestamps in whole seconds. */
const measured = (fromMs: number, toMs: number): number =>
  (Math.floor(toMs / 1_000) - Math.floor(fromMs / 1_000)) * 1_000;

describe("Kubernetes' own tests of the back-off (NodeConformance)", () => {
  it.each(["v1.31.4", "v1.34.4", "v1.37.1"])("should cap back-off at MaxContainerBackOff: %s", (version) => {
    for (const seed of SEEDS) {
      const plan = planOf(policyOf(version), exits(RUN_SECONDS), seed);
      const { starts } = simulate(plan, { forMs: 6 * SLEEP_MS });
      // Kubernetes' test sleeps, measures four restarts, and checks the third and the fourth.
      const [, , third = 0, fourth = 0] = starts
        .filter(({ finishedMs }) => finishedMs >= SLEEP_MS)
        .flatMap(({ finishedMs, nextStartedMs }) =>
          nextStartedMs === null ? [] : measured(finishedMs, nextStartedMs),
        );
      for (const delayMs of [third, fourth]) {
        expect(delayMs).toBeGreaterThanOrEqual(CAP_MS);
        expect(delayMs).toBeLessThanOrEqual(CAP_MS * TOLERANCE);
      }
    }
  });

  const NODES = ["node-a", "node-d", "node-e", "node-f", "node-g", "node-h", "node-i", "node-l"];
  it.each(NODES)("should have their auto-restart back-off timer reset on image update: as recorded on %s", (node) => {
    const recording = recordingOf(`${node}/image-changed`);
    const known = interventions(RECORDINGS).filter((each) => each.node === node && each.pod === "image-changed");
    const changedAtMs = known[0]?.atMs ?? Number.NaN;
    const waits = waitsOf(recording);
    const lengthOf = ({ exitSeenAtMs, nextStartedAtMs }: Wait): number => measured(exitSeenAtMs, nextStartedAtMs);
    const [before = [], after = []] = [
      waits.filter(({ nextStartedAtMs }) => nextStartedAtMs < changedAtMs),
      waits.filter(({ exitSeenAtMs }) => exitSeenAtMs > changedAtMs),
    ];
    const [delay1 = 0, delay2 = 0] = before.slice(-2).map(lengthOf);
    const [first] = after;
    if (first === undefined) throw new Error("no restart after the change");
    expect(lengthOf(first)).toBeLessThanOrEqual(2 * Math.min(delay1, delay2));
    const [moment] = momentsOf(first, []);
    const observation = observationAt(recording, moment?.atMs ?? Number.NaN);
    if (observation === null) throw new Error("no pod at that moment");
    const said = explain(observation, {}).pods[0]?.containers[0];
    expect(said?.delayMs).toBe(10_000);
    expect(said?.nextRestart?.likelyByMs).toBeGreaterThanOrEqual(first.nextStartedAtMs);
  });
});
