import { momentAt } from "../../lab/recordings/recorded-moment.ts";
import type { Recording } from "../../lab/recordings/recordings.ts";
import { readTextFile } from "../../lab/recordings/text-file.ts";
import { leaksIn, type Place } from "../../lab/secrets/canary.ts";
import type { Explanation } from "../../src/explain/answer/explanation.ts";
import { textInUtc } from "../../src/explain/answer/prose.ts";
import type { Observation } from "../../src/explain/observed/observation.ts";
import { explainWithOwners } from "../../src/explain/owners/owner-explanation.ts";
import { reportOf } from "../../src/report/report.ts";
import { observeInput } from "./input.ts";

export interface ReportOutcome {
  readonly expected: Explanation;
  readonly actual: Explanation;
  readonly leaks: readonly Place[];
}

/** Returns null if the recording shows no pod at `atMs`. */
export function objectsAt(recording: Recording, atMs: number): object[] | null {
  const moment = momentAt(recording, atMs);
  if (moment === null) return null;
  const lines = [moment.pod, ...moment.events, ...moment.nodeEvents].map(({ object }) => object);
  return [...lines, recording.nodeRaw, recording.configzRaw].filter((raw) => raw !== null) as object[];
}

export function objectsOfExample(name: string): object[] {
  const file = new URL(`../../examples/${name}.json.gz`, import.meta.url);
  return JSON.parse(readTextFile(file)).items;
}

export async function observedIn(
  objects: readonly object[],
  atMs: number | null,
  localNowMs = 0,
): Promise<Observation> {
  return (await observeInput(objects, { atMs, localNowMs })).observation;
}

/**
 * Explains the first pod of an observation, and its report. The local clock is 100 days later for the report, because
 * the explanation must not depend on that clock.
 */
export async function reported(observation: Observation): Promise<ReportOutcome> {
  const [observed] = observation.pods;
  if (observed === undefined) throw new Error("no pod was observed");
  const origin = { program: "0.0.0", model: "v1.29 to v1.37", flags: [] };
  const text = reportOf(observed, observation, origin);
  const { observation: again } = await observeInput(text, { localNowMs: observation.atMs + 100 * 86_400_000 });
  const original = { ...observation, pods: [observed] };
  return {
    expected: comparable(explainWithOwners(original, {})),
    actual: comparable(explainWithOwners(again, {})),
    leaks: leaksIn(text),
  };
}

/** Leaves out what a report does not contain. */
function comparable(explanation: Explanation): Explanation {
  const pods = explanation.pods.map((pod) => {
    const containers = pod.containers.map(({ settings: _, ...container }) => ({
      ...container,
      lastExit: container.lastExit && {
        ...container.lastExit,
        meaning: withoutCommand(textInUtc(container.lastExit.meaning)),
        crash: withoutCommand(textInUtc(container.lastExit.crash ?? "")),
      },
    }));
    return { ...pod, containers };
  });
  return { ...explanation, atBasis: explanation.atBasis === "newest-input" ? "newest-input" : "recording", pods };
}

function withoutCommand(sentence: string): string {
  return sentence.replace(/ It runs ".*"\.$/s, "").replace(/(?<= probe) \(.*?\)(?= failed)/s, "");
}
