import type { Intervention, Recording } from "../recordings.ts";
import { type Figures, figuresBy, figuresOf } from "./figures.ts";
import { type Explain, type Judgement, judge } from "./judgement.ts";
import { momentsOf, waitsOf } from "./moments.ts";
import { type Complaint, complaintsAbout } from "./verdict.ts";

export interface Calibration {
  readonly scenarios: ReadonlyMap<string, Figures>;
  readonly nodes: ReadonlyMap<string, Figures>;
  readonly totals: Figures;
  readonly complaints: readonly Complaint[];
  /** Moments with the start outside their window, or without a window. */
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
