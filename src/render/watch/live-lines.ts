import type { ContainerExplanation, PodExplanation, Run } from "../../explain/answer/explanation.ts";
import { allHarmless } from "../page/harmless.ts";
import { type Page, pageOf, type RenderOptions } from "../page/page.ts";
import { capitalized } from "../page/paint.ts";
import { answerLine, changeKey, endSentence, type LiveFrame, outcomeClause, stateKey } from "./live.ts";

/** `isNamed`: each line names its pod, because the output may have lines about other pods. */
export function newsLines(
  before: LiveFrame | null,
  frame: LiveFrame,
  options: RenderOptions,
  isNamed = false,
): string[] {
  const [current] = frame.explanation.pods;
  const known = before?.explanation.pods[0];
  const isSame = (key: (pod: PodExplanation) => string): boolean =>
    current === undefined || (known !== undefined && key(known) === key(current));
  if (isSame(changeKey) && before?.end === frame.end) return [];
  const now = allHarmless(frame);
  const [pod] = now.explanation.pods;
  if (pod === undefined) return [];
  const page = pageOf(now.explanation, options);
  const started = known ? pod.containers.flatMap((container) => newStarts(container, known, now, page)) : [];
  const sentences = isSame(stateKey)
    ? started
    : [...started.slice(0, -1), [...started.slice(-1), answerLine(pod, page)].join(" ")];
  const end = before?.end === now.end ? null : endSentence(now);
  const stamp = page.times.instant(frame.nowMs);
  const all = [...sentences, ...ownerSentences(known, pod, page), ...(end === null ? [] : [end])];
  const name = `${pod.namespace}/${pod.name}`;
  return all.map((sentence) => `${stamp}  ${isNamed && !sentence.startsWith(name) ? `${name}: ` : ""}${sentence}`);
}

function ownerSentences(known: PodExplanation | undefined, pod: PodExplanation, page: Page): string[] {
  const said = new Set(known?.ownerEvidence?.map(({ rule }) => rule));
  const news = (pod.ownerEvidence ?? []).filter(({ rule }) => !said.has(rule));
  return news.map(({ text }) => `${capitalized(page.times.text(text))}.`);
}

function newStarts(container: ContainerExplanation, before: PodExplanation, frame: LiveFrame, page: Page): string[] {
  const { name, history } = container;
  const known = before.containers.find((other) => other.name === name);
  const latest = known?.history.at(-1)?.start ?? -1;
  const observed = history.filter(({ start, basis }) => start > latest && basis === "observed");
  let next = latest + 1;
  const sentences = observed.flatMap((run) => {
    const missed = missedSentence(container, next, run.start - 1);
    next = run.start + 1;
    return [...missed, startedSentence(container, run, frame, page)];
  });
  return [...sentences, ...missedSentence(container, next, history.at(-1)?.start ?? latest)];
}

/** Assumed: a start that was not observed came while the program was disconnected. */
function missedSentence({ name }: ContainerExplanation, first: number, last: number): string[] {
  if (first > last) return [];
  if (first === last) return [`${name} restarted while disconnected (restart ${first}).`];
  return [`${name} restarted ${last - first + 1} times while disconnected (${first} to ${last}).`];
}

function startedSentence({ name }: ContainerExplanation, run: Run, { predictions }: LiveFrame, page: Page): string {
  const outcome = predictions.recent.find(({ container, start }) => container === name && start === run.start);
  const kept = outcome === undefined ? "" : `, ${outcomeClause(outcome, page.times)}`;
  const startedAt = run.startedAtMs === null ? "" : ` at ${page.times.instant(run.startedAtMs)}`;
  return `${name} started (restart ${run.start})${startedAt}${kept}.`;
}
