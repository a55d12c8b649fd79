import { loadRecordingFolder, RECORDINGS } from "../../lab/recordings/recordings.ts";
import { withSecrets } from "../../lab/secrets/with-secrets.ts";
import { listExamples } from "../../src/cluster/files/examples.ts";
import {
  objectsAt,
  objectsOfExample,
  observedIn,
  type ReportOutcome,
  reported,
} from "../../test/support/report-cases.ts";
import { OWNED_CASES } from "../../test/support/report-owners.ts";
import { markdownTable } from "../markdown-table.ts";
import type { Effort, Section } from "./section.ts";

/** Long after the recordings, so that only the report can tell the time. */
const LATER_MS = Date.UTC(2030, 0);
const OWNED_AT_MS = Date.UTC(2026, 10, 21, 12, 15);

export async function reportsSection({ isExtended }: Effort): Promise<Section> {
  const rows = [
    ["moments of the recordings", ...counted(await ofRecordings(isExtended ? 20 : 200))],
    ["bundled examples", ...counted(await ofExamples())],
    ["pods with their owners", ...counted(await ofOwners())],
  ];
  return {
    title: "Reports of wrong predictions",
    lines: [
      "`explain --report FILE` writes a redacted copy of what an explanation rests on. Each of these was reported and the report",
      "explained: *identical* are those whose explanations are the same but for what rests on a command. Before that, words",
      "that nothing else has were put wherever a secret can be: environment, commands, volumes, annotations, labels, and the",
      "configuration; *leaks* counts the reports in which one of them occurs.",
      "",
      ...markdownTable(["what", "reported", "identical", "leaks"], rows),
    ],
  };
}

function counted(outcomes: readonly ReportOutcome[]): string[] {
  const identical = outcomes.filter(({ expected, actual }) => JSON.stringify(expected) === JSON.stringify(actual));
  const leaking = outcomes.filter(({ leaks }) => leaks.length > 0);
  return [outcomes, identical, leaking].map(({ length }) => String(length));
}

async function ofRecordings(every: number): Promise<ReportOutcome[]> {
  const outcomes: ReportOutcome[] = [];
  for (const recording of loadRecordingFolder(RECORDINGS)) {
    for (const { atMs } of recording.lines.filter((_, index) => index % every === every / 2)) {
      const objects = objectsAt(recording, atMs);
      if (objects !== null) outcomes.push(await reported(await observedIn(withSecrets(objects), atMs)));
    }
  }
  return outcomes;
}

function ofExamples(): Promise<ReportOutcome[]> {
  const observed = listExamples().map(({ name }) => observedIn(withSecrets(objectsOfExample(name)), null, LATER_MS));
  return Promise.all(observed.map(async (observation) => reported(await observation)));
}

function ofOwners(): Promise<ReportOutcome[]> {
  const observed = Object.values(OWNED_CASES).map(({ objects }) => observedIn(withSecrets(objects), OWNED_AT_MS));
  return Promise.all(observed.map(async (observation) => reported(await observation)));
}
