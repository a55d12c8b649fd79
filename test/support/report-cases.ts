import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { momentAt } from "../../scripts/recorded-moment.ts";
import type { Recording } from "../../scripts/recordings.ts";
import type { Explanation } from "../../src/explain/answer/explanation.ts";
import { explain } from "../../src/explain/explain.ts";
import type { Observation } from "../../src/explain/observed/observation.ts";
import { withOwners } from "../../src/explain/owners/owner-explanation.ts";
import { NameBook } from "../../src/report/names.ts";
import { reportOf } from "../../src/report/report.ts";
import { observeInput } from "./input.ts";
import { CANARY, CANARY_NETWORK } from "./report-canaries.ts";

/** The explanations of an observation and of its report, and the secrets that the report gives away. */
export interface ReportOutcome {
  readonly expected: Explanation;
  readonly actual: Explanation;
  readonly leaks: readonly string[];
}

/** The objects of a recording as they were at a moment; null if there was no such pod then. */
export function objectsAt(recording: Recording, atMs: number): object[] | null {
  const moment = momentAt(recording, atMs);
  if (moment === null) return null;
  const lines = [moment.pod, ...moment.events, ...moment.nodeEvents].map(({ object }) => object);
  return [...lines, recording.nodeRaw, recording.configzRaw].filter((raw) => raw !== null) as object[];
}

/** The objects of a bundled example. */
export function objectsOfExample(name: string): object[] {
  const file = new URL(`../../examples/${name}.json.gz`, import.meta.url);
  return JSON.parse(gunzipSync(readFileSync(file)).toString("utf8")).items;
}

export async function observedIn(
  objects: readonly object[],
  atMs: number | null,
  localNowMs = 0,
): Promise<Observation> {
  return (await observeInput(objects, { atMs, localNowMs })).observation;
}

/** Reports the first observed pod, and explains observation and report, the report with a local clock 100 days later. */
export async function reported(observation: Observation): Promise<ReportOutcome> {
  const [observed] = observation.pods;
  if (observed === undefined) throw new Error("no pod was observed");
  const book = new NameBook();
  const origin = { program: "0.0.0", model: "v1.29 to v1.37", flags: [] };
  const text = reportOf(observed, observation, origin, book);
  const { observation: again } = await observeInput(text, { localNowMs: observation.atMs + 100 * 86_400_000 });
  const original = { ...observation, pods: [observed] };
  return {
    expected: comparable(renamed(explained(original), book)),
    actual: comparable(explained(again)),
    leaks: [CANARY, CANARY_NETWORK].filter((secret) => text.toLowerCase().includes(secret)),
  };
}

function explained(observation: Observation): Explanation {
  return withOwners(explain(observation, {}), observation);
}

/** Puts the names of the report into an explanation. Works only if the original names are unlike all other words of it. */
function renamed(explanation: Explanation, book: NameBook): Explanation {
  // No explanation quotes a text or the key of a label of a few characters.
  const quoted = book
    .entries()
    .filter(({ kind, original }) => (kind !== "text" && kind !== "key") || original.length > 6);
  const known = new Map(quoted.map(({ original, replacement }) => [original, replacement]));
  const pattern = [...known.keys()]
    .sort((a, b) => b.length - a.length)
    .map((original) => original.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("|");
  const whole = new RegExp(`(?<![A-Za-z0-9])(?:${pattern})(?![A-Za-z0-9])`, "g");
  const rename = (text: string): string => text.replaceAll(whole, (name) => known.get(name) ?? name);
  return mapStrings(explanation, rename) as Explanation;
}

function mapStrings(value: unknown, make: (text: string) => string): unknown {
  if (typeof value === "string") return make(value);
  if (Array.isArray(value)) return value.map((inner) => mapStrings(inner, make));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapStrings(inner, make)]));
}

/** Removes quoted texts from sentences, because reports leave out texts that people wrote. */
function comparable(explanation: Explanation): Explanation {
  const pods = explanation.pods.map((pod) => {
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
