import type { Judgement } from "./judgement.ts";

export interface Figures {
  readonly waits: number;
  readonly moments: number;
  readonly answered: number;
  /** Moments of waits whose delay the kubelet named. */
  readonly delayKnown: number;
  readonly delayRight: number;
  readonly inside: number;
  readonly early: number;
  readonly late: number;
  readonly overdue: number;
  readonly medianWindowMs: number | null;
}

export function figuresOf(judgements: readonly Judgement[]): Figures {
  const count = (matches: (judgement: Judgement) => boolean) => judgements.filter(matches).length;
  const widths = judgements.flatMap(({ said }) =>
    said?.nextRestart ? [said.nextRestart.likelyByMs - said.nextRestart.notBeforeMs] : [],
  );
  return {
    waits: new Set(judgements.map(({ moment }) => moment.wait)).size,
    moments: judgements.length,
    answered: count(({ outcome }) => outcome !== "unanswered" && outcome !== "overdue"),
    delayKnown: count(({ delay }) => delay !== "unknown"),
    delayRight: count(({ delay }) => delay === "right"),
    inside: count(({ outcome }) => outcome === "inside"),
    early: count(({ outcome }) => outcome === "early"),
    late: count(({ outcome }) => outcome === "late"),
    overdue: count(({ outcome }) => outcome === "overdue"),
    medianWindowMs: medianOf(widths),
  };
}

export function figuresBy<T, F>(
  judgements: readonly T[],
  groupOf: (judgement: T) => string,
  figures: (group: readonly T[]) => F,
): Map<string, F> {
  const groups = Map.groupBy(judgements, groupOf);
  return new Map([...groups.keys()].sort().map((name) => [name, figures(groups.get(name) ?? [])]));
}

export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

function medianOf(values: readonly number[]): number | null {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length / 2;
  const lower = sorted[Math.ceil(middle) - 1];
  const upper = sorted[Math.floor(middle)];
  return lower === undefined || upper === undefined ? null : (lower + upper) / 2;
}
