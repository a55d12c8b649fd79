import { describe, expect, it } from "vitest";
import { observationAt, podOf } from "../../lab/recordings/recorded-moment.ts";
import { figuresOf } from "../../scripts/calibration/figures.ts";
import { judge } from "../../scripts/calibration/judgement.ts";
import { momentsOf, waitsOf } from "../../scripts/calibration/moments.ts";
import { type WithheldName, without } from "../../scripts/calibration/withheld.ts";
import { observedRuns } from "../../src/explain/history/runs.ts";
import { CONFIDENCE } from "../../src/kubelet/start-distribution.ts";
import { explained, type Recorded } from "./recorded.ts";

export function describePredictions({ recordings, known, calibration, others }: Recorded): void {
  const overloaded = others.get("overloaded");
  if (overloaded === undefined) throw new Error("There are no recordings of an overloaded node.");

  describe("predictions against what real kubelets then did", () => {
    const { totals, complaints } = calibration;

    it("exist for each of more than 11,000 moments", () => {
      expect(totals.answered).toBe(totals.moments);
      expect(totals.moments).toBeGreaterThan(11_000);
    });

    it("name the delay in force at 99.7 % or more of the moments at which it is known", () => {
      expect(totals.delayRight / totals.delayKnown).toBeGreaterThanOrEqual(0.997);
    });

    it("contain the restart at 98 % of the moments or more, and begin too late at 0.5 % or less", () => {
      expect(totals.inside / totals.moments).toBeGreaterThanOrEqual(0.98);
      expect(totals.early / totals.moments).toBeLessThanOrEqual(0.005);
    });

    it("have a median length of 24 s or less", () => {
      expect(totals.medianWindowMs).toBeLessThanOrEqual(24_000);
    });

    it("contain the restart often enough in each scenario", () => {
      expect(complaints).toEqual([]);
    });
  });

  describe("predictions on an overloaded node", () => {
    const { totals, complaints } = overloaded.calibration;

    it("contain the restart at 93 % of the moments or more", () => {
      expect(totals.inside / totals.moments).toBeGreaterThanOrEqual(0.93);
      expect(complaints).toEqual([]);
    });

    it("call a restart overdue too early at 0.5 % of the moments or less", () => {
      expect(totals.overdue / totals.moments).toBeLessThanOrEqual(0.005);
    });
  });

  describe("predictions without the right to read everything", () => {
    const moments = recordings
      .flatMap((recording) => waitsOf(recording))
      .flatMap((wait) => momentsOf(wait, known))
      .filter((_, index) => index % 50 === 0);

    it.each<{ withheld: readonly WithheldName[] }>([
      { withheld: ["config"] },
      { withheld: ["node"] },
      { withheld: ["events"] },
      { withheld: ["events", "node"] },
    ])("contain the restart as often as they claim without $withheld", ({ withheld }) => {
      const judged = moments.map((moment) => judge(moment, (seen) => explained(without(withheld, seen))));
      const { inside, moments: all } = figuresOf(judged);
      expect(inside / all).toBeGreaterThanOrEqual(CONFIDENCE);
    });
  });

  describe("the history of pods that were watched from their creation", () => {
    const watched = recordings.filter(({ pod }) => pod !== "deleted-and-back");

    it.each([0.1, 0.3, 0.6, 0.95])(
      "counts every run, and contains the time of its start, at %f of the recording",
      (share) => {
        const wrong = watched.flatMap((recording) => {
          const snapshots = recording.lines.filter(({ kind }) => kind === "Pod").map(podOf);
          const [fromMs = 0, toMs = 0] = [recording.lines[0]?.atMs, recording.lines.at(-1)?.atMs];
          const observation = observationAt(recording, fromMs + (toMs - fromMs) * share);
          const containers = observation === null ? [] : (explained(observation).pods[0]?.containers ?? []);
          return containers.flatMap(({ name, history }) => {
            const truth = new Map(observedRuns(name, snapshots).map((run) => [run.start, run.startedAtMs]));
            return history
              .filter(
                (run, index) => run.start !== index || isOutside(truth.get(run.start) ?? null, run.startedBetweenMs),
              )
              .map((run) => `${recording.node}/${recording.pod} ${name} ${run.start}`);
          });
        });
        expect(wrong).toEqual([]);
      },
    );
  });
}

/** Hand-set tolerance of 1.5 s, because both sides are timestamps in whole seconds. */
function isOutside(startedAtMs: number | null, between: readonly [number, number] | null): boolean {
  if (startedAtMs === null || between === null) return false;
  return startedAtMs < between[0] - 1_500 || startedAtMs > between[1] + 1_500;
}
