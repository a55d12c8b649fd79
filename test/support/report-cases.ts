import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { momentAt } from "../../scripts/recorded-moment.ts";
import type { Recording } from "../../scripts/recordings.ts";
import type { Explanation } from "../../src/explain/answer/explanation.ts";
import type { Observation } from "../../src/explain/observed/observation.ts";
import { explained } from "../../src/explain/owners/owner-explanation.ts";
import { NameBook } from "../../src/report/names.ts";
import { reportOf } from "../../src/report/report.ts";
import { observeInput } from "./input.ts";
import { anyOf, mapTexts } from "./map-texts.ts";
import { CANARY, CANARY_NETWORK } from "./report-canaries.ts";

/** Compares an explanation with that of its report; `leaks` are the planted texts in the report. */
export interface ReportOutcome {
  readonly expected: Explanation;
  readonly actual: Explanation;
  readonly leaks: readonly string[];
}

/** The objects of a recording at a moment; null if the pod did not exist then. */
export function objectsAt(recording: Recording, atMs: number): object[] | null {
  const moment = momentAt(recording, atMs);
  if (moment === null) return null;
  const lines = [moment.pod, ...moment.events, ...moment.nodeEvents].map(({ object }) => object);
  return [...lines, recording.nodeRaw, recording.configzRaw].filter((raw) => raw !== null) as object[];
}

export function objectsOfExample(name: string): object[] {
  const file = new URL(`../../examples/${name}.json.gz`, import.meta.url);
  return JSON.parse(gunzipSync(readFileSync(file)).toString("utf8")).items;
}

/** Reads objects as `explain -f -` does. */
export async function observedIn(
  objects: readonly object[],
  atMs: number | null,
  localNowMs = 0,
): Promise<Observation> {
  return (await observeInput(objects, { atMs, localNowMs })).observation;
}

/** Reports the first observed pod and explains both; the local clock is 100 days later for the report. */
export async function reported(observation: Observation): Promise<ReportOutcome> {
  const [observed] = observation.pods;
  if (observed === undefined) throw new Error("no pod was observed");
  const book = new NameBook();
  const origin = { program: "0.0.0", model: "v1.29 to v1.37", flags: [] };
  const text = reportOf(observed, observation, origin, book);
  const { observation: again } = await observeInput(text, { localNowMs: observation.atMs + 100 * 86_400_000 });
  const original = { ...observation, pods: [observed] };
  return {
    expected: comparable(renamed(explained(original, {}), book)),
    actual: comparable(explained(again, {})),
    leaks: [CANARY, CANARY_NETWORK].filter((secret) => text.toLowerCase().includes(secret)),
  };
}

/** Renames objects as in the report; only works if each name is longer than any other word of the explanation. */
function renamed(explanation: Explanation, book: NameBook): Explanation {
  // No explanation quotes a text or the key of a label of a few characters.
  const quoted = book
    .entries()
    .filter(({ kind, original }) => (kind !== "text" && kind !== "key") || original.length > 6);
  const known = new Map(quoted.map(({ original, replacement }) => [original, replacement]));
  const pattern = anyOf([...known.keys()]);
  const rename = (text: string): string => text.replaceAll(pattern, (name) => known.get(name) ?? name);
  return mapTexts(explanation, rename) as Explanation;
}

/** Removes quotes, because a report has no texts that people or programs wrote. */
function comparable(explanation: Explanation): Explanation {
  // The suggested commands depend on quotes, too.
  const pods = explanation.pods.map(({ nextSteps: _, ...pod }) => {
    // The settings hold only a command, which a report leaves out.
    const containers = pod.containers.map(({ settings: _, ...container }) => ({
      ...container,
      why: withoutQuote(container.why),
      evidence: container.evidence.map((item) => ({ ...item, text: withoutQuote(item.text) })),
      imagePull: container.imagePull && { ...container.imagePull, cause: "" },
      lastExit: container.lastExit && { ...container.lastExit, meaning: withoutQuote(container.lastExit.meaning) },
    }));
    const events = (pod.events ?? []).map((event) => ({ ...event, message: "" }));
    return { ...pod, containers, events, summary: withoutQuote(pod.summary) };
  });
  return { ...explanation, atBasis: explanation.atBasis === "newest-input" ? "newest-input" : "recording", pods };
}

const QUOTES = [
  /(?<=cannot be created): .*?(?=[.…]\.? The kubelet)/s,
  /(?<=Image pull failed): .*?(?=\. Image pulls)/s,
  /(?<= fails): .*?(?=; the next pull|\.$)/s,
  /(?<=could not start it \(exit code \d+\)): .*(?=; your program)/s,
  / \((?:last answer|answer in an earlier run): .*?\)(?=\.|;)/s,
  /(?<= probe) \(.*?\)(?= failed)/s,
  /(?<=probe failed (?:once|\d+ times).*?Z): .*$/s,
  / It runs ".*"\.$/s,
];

function withoutQuote(sentence: string): string {
  return QUOTES.reduce((rest, quote) => rest.replace(quote, ""), sentence);
}
