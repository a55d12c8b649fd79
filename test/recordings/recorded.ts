import {
  type Intervention,
  interventions,
  loadRecordingFolder,
  RECORDINGS,
  type Recording,
} from "../../lab/recordings/recordings.ts";
import { type Calibration, calibrate } from "../../scripts/calibration/calibration.ts";
import type { Explain } from "../../scripts/calibration/judgement.ts";
import { explain } from "../../src/explain/explain.ts";
import { repositoryFile } from "../support/command.ts";

export interface Recorded {
  readonly recordings: readonly Recording[];
  readonly known: readonly Intervention[];
  readonly calibration: Calibration;
  readonly others: ReadonlyMap<OtherFolder, Pick<Recorded, "recordings" | "calibration">>;
}

const OTHER_FOLDERS = ["overloaded", "pulls"] as const;
type OtherFolder = (typeof OTHER_FOLDERS)[number];

export const explained: Explain = (observation) => explain(observation, {});

export function loadRecorded(): Recorded {
  const [recordings, known] = [loadRecordingFolder(RECORDINGS), interventions(RECORDINGS)];
  const others = OTHER_FOLDERS.map((name) => {
    const own = loadRecordingFolder(repositoryFile(`test/fixtures/${name}`));
    return [name, { recordings: own, calibration: calibrate(own, [], explained) }] as const;
  });
  return { recordings, known, calibration: calibrate(recordings, known, explained), others: new Map(others) };
}

export function recordingNamed({ recordings }: Recorded, path: string): Recording {
  const found = recordings.find(({ node, pod }) => `${node}/${pod}` === path);
  if (found === undefined) throw new Error(`There is no recording ${path}`);
  return found;
}
