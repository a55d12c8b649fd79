import type { Intervention, Recording } from "../../lab/recordings/recordings.ts";
import { CONFIDENCE } from "../../src/kubelet/start-distribution.ts";
import { type Figures, figuresBy, figuresOf, shareOf } from "./figures.ts";
import { type Explain, type Judgement, judge } from "./judgement.ts";
import { momentsOf, waitsOf } from "./moments.ts";

export interface Calibration {
  readonly scenarios: ReadonlyMap<string, Figures>;
  readonly nodes: ReadonlyMap<string, Figures>;
  readonly totals: Figures;
  readonly complaints: readonly Complaint[];
  readonly misses: readonly Judgement[];
}

export function calibrate(
  recordings: readonly Recording[],
  interventions: readonly Intervention[],
  explain: Explain,
): Calibration {
  const judgements = recordings
    .flatMap((recording) => waitsOf(recording))
    .flatMap((wait) => momentsOf(wait, interventions))
    .map((moment) => judge(moment, explain));
  const scenarios = figuresBy(judgements, ({ moment }) => moment.wait.container.scenario, figuresOf);
  return {
    scenarios,
    nodes: figuresBy(judgements, ({ moment }) => moment.wait.recording.node, figuresOf),
    totals: figuresOf(judgements),
    complaints: complaintsAbout(scenarios),
    misses: judgements.filter(({ outcome }) => outcome !== "inside"),
  };
}

export interface Complaint {
  readonly scenario: string;
  readonly figures: Figures;
  /** Null for a large scenario. */
  readonly chance: number | null;
}

const MANY_WAITS = 50;
const LEAST_SHARE = 0.9;
/** Hand-set: below this probability, chance does not explain the misses of a small scenario. */
const LEAST_CHANCE = 0.001;

export function complaintsAbout(scenarios: ReadonlyMap<string, Figures>): Complaint[] {
  return [...scenarios].flatMap(([scenario, figures]): Complaint[] => {
    if (figures.waits >= MANY_WAITS) {
      const share = shareOf(figures.inside, figures.moments) ?? 1;
      return share < LEAST_SHARE ? [{ scenario, figures, chance: null }] : [];
    }
    const chance = chanceOfMisses(figures.moments - figures.inside, figures.moments);
    return chance < LEAST_CHANCE ? [{ scenario, figures, chance }] : [];
  });
}

/** The binomial probability of at least `misses` misses, if each of `moments` is inside its window by `CONFIDENCE`. */
function chanceOfMisses(misses: number, moments: number): number {
  let logWays = 0;
  let below = 0;
  for (let missed = 0; missed < misses; missed += 1) {
    below += Math.exp(logWays + missed * Math.log(1 - CONFIDENCE) + (moments - missed) * Math.log(CONFIDENCE));
    logWays += Math.log((moments - missed) / (missed + 1));
  }
  return Math.max(0, 1 - below);
}
