import { readdirSync } from "node:fs";
import { join } from "node:path";
import {
  type Intervention,
  interventions,
  loadRecordingFolder,
  type Recording,
} from "../../lab/recordings/recordings.ts";
import { observeFiles } from "../../src/cluster/files/read-files.ts";
import type { ContainerExplanation } from "../../src/explain/answer/explanation.ts";
import { type Explain, judge, TOLERANCE_MS } from "./judgement.ts";
import { momentsOf, waitsOf } from "./moments.ts";
import { judgeRunning } from "./running.ts";
import { WITHHELD, type WithheldName, without } from "./withheld.ts";

export interface Outcome {
  readonly answers: readonly string[];
  /**
   * The number of answers with the right delay or, while running, of forecasts that came true. Null if nobody knows the
   * truth.
   */
  readonly right: number | null;
  /** The number of starts inside their window; null unless the container was down. */
  readonly inside: number | null;
  /** The mean of `scoreOf`, in ms; lower is better. Null unless the container was down. */
  readonly scoreMs: number | null;
}

const ALL = Object.keys(WITHHELD) as WithheldName[];

interface Condition {
  readonly name: string;
  readonly folder: string;
  readonly withheld: readonly WithheldName[];
  readonly isRunning: boolean;
  /** Asks at every n-th moment or, while the container is running, in every n-th recording. */
  readonly every: number;
}

export const CONDITIONS: readonly Condition[] = [
  { name: "down", folder: "recordings", withheld: [], isRunning: false, every: 1 },
  { name: "down, without rights", folder: "recordings", withheld: ALL, isRunning: false, every: 8 },
  { name: "running", folder: "recordings", withheld: [], isRunning: true, every: 1 },
  { name: "running, without rights", folder: "recordings", withheld: ALL, isRunning: true, every: 8 },
  { name: "overloaded", folder: "overloaded", withheld: [], isRunning: false, every: 1 },
  { name: "pulls", folder: "pulls", withheld: [], isRunning: false, every: 1 },
];

export function outcomeUnder({ folder, withheld, isRunning, every }: Condition, explain: Explain): Outcome {
  const { recordings, known } = recordingsIn(folder);
  const asked: Explain = (observation) => explain(without(withheld, observation));
  const isMeant = (_: unknown, index: number) => index % every === 0;
  if (isRunning) {
    const judgements = judgeRunning(recordings.filter(isMeant), known, asked);
    const right = judgements.filter((one) => one.isRight).length;
    return { answers: judgements.map(({ said }) => answerOf(said)), right, inside: null, scoreMs: null };
  }
  const moments = recordings.flatMap((recording) => waitsOf(recording)).flatMap((wait) => momentsOf(wait, known));
  const judgements = moments.filter(isMeant).map((moment) => judge(moment, asked));
  const scores = judgements.flatMap(({ said, moment }) => scoreOf(said, moment.wait.nextStartedAtMs) ?? []);
  return {
    answers: judgements.map(({ said }) => answerOf(said)),
    right: judgements.filter(({ delay }) => delay === "right").length,
    inside: judgements.filter(({ outcome }) => outcome === "inside").length,
    scoreMs: scores.reduce((sum, score) => sum + score, 0) / scores.length,
  };
}

/** What came next for these pods is unknown, so everything but `answers` is null. */
export async function outcomeOfPods(folder: string, explain: Explain): Promise<Outcome> {
  const answers: string[] = [];
  for (const name of readdirSync(folder)) {
    if (!/\.(json|json\.gz|ya?ml)$/.test(name) || name === "index.json") continue;
    const filenames = [join(folder, name)];
    const read = { filenames, stdin: (async function* () {})(), localNowMs: Date.now(), atMs: null, onNote: () => {} };
    const { pods } = explain(await observeFiles(read));
    answers.push(...pods.map(({ verdict, containers }) => JSON.stringify([verdict, containers.map(answerOf)])));
  }
  return { answers, right: null, inside: null, scoreMs: null };
}

const loaded = new Map<string, { recordings: Recording[]; known: Intervention[] }>();

function recordingsIn(folder: string) {
  const path = `test/fixtures/${folder}`;
  const read = loaded.get(folder) ?? { recordings: loadRecordingFolder(path), known: interventions(path) };
  loaded.set(folder, read);
  return read;
}

/** 2 / (1 - 0.95), the weight of a miss of a window of 95 % (Gneiting and Raftery, 2007). */
const MISS_FACTOR = 40;
function scoreOf(said: ContainerExplanation | null, startedAtMs: number): number | null {
  const window = said?.nextRestart ?? null;
  if (window === null) return null;
  const { notBeforeMs, likelyByMs } = window;
  const earlyMs = Math.max(0, notBeforeMs - TOLERANCE_MS - startedAtMs);
  const lateMs = Math.max(0, startedAtMs - likelyByMs - TOLERANCE_MS);
  return likelyByMs - notBeforeMs + MISS_FACTOR * (earlyMs + lateMs);
}

function answerOf(said: ContainerExplanation | null): string {
  if (said === null) return "";
  const { state, delayMs, otherDelaysMs, nextRestart, overdue, lastExit, ifItExits, reset } = said;
  return JSON.stringify([state, delayMs, otherDelaysMs, nextRestart, overdue, lastExit?.cause, ifItExits, reset]);
}
