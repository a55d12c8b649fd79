import type { Explanation, PodExplanation, PodGroup } from "../../explain/answer/explanation.ts";
import { formatCountdown } from "../page/durations.ts";
import { labelled, type Page } from "../page/page.ts";
import { wrap } from "../page/width.ts";

/** The labels' column of the notes above it. */
const LABEL_WIDTH = 11;

/** More names than this are counted. */
const MOST_NAMES = 20;

/**
 * Pods as blocks of lines: of pods that are alike only the one that starts next in full, of those that are fine only the
 * names, and how many were left out. `podBlock` tells of one pod.
 */
export function groupBlocks(
  explanation: Explanation,
  page: Page,
  podBlock: (pod: PodExplanation, page: Page) => string[],
): string[][] {
  const { pods, groups } = explanation;
  if (groups === undefined) return pods.map((pod) => podBlock(pod, page));
  const blocks = groups.map((group) => {
    const [lead, ...others] = group.members.flatMap((index) => pods[index] ?? []);
    if (lead === undefined) return [];
    if (group.kind === "fine") return finePods([lead, ...others], page);
    if (others.length === 0) return podBlock(lead, page);
    return [...opening(lead, group, page), ...podBlock(lead, page), ...namesOf(lead, others, page)];
  });
  return [...blocks.filter((lines) => lines.length > 0), ...leftOut(explanation, page)];
}

function opening(lead: PodExplanation, { members }: PodGroup, page: Page): string[] {
  const which = nextStartOf(lead) === null ? "one of them" : "the first of them to start";
  return wrap(`${members.length} pods like this; ${which}:`, page.columns);
}

function namesOf(lead: PodExplanation, others: readonly PodExplanation[], page: Page): string[] {
  const names = others.map((pod) => {
    const next = nextStartOf(pod);
    const when =
      next === null ? "" : ` (${formatCountdown(next.notBeforeMs - page.nowMs, next.likelyByMs - page.nowMs)})`;
    return `${pod.namespace === lead.namespace ? "" : `${pod.namespace}/`}${pod.name}${when}`;
  });
  return labelled("like this", LABEL_WIDTH, listed(names), page);
}

function nextStartOf({ containers }: PodExplanation) {
  const windows = containers.flatMap(({ nextRestart }) => nextRestart ?? []);
  return windows.toSorted((a, b) => a.notBeforeMs - b.notBeforeMs)[0] ?? null;
}

function finePods(pods: readonly PodExplanation[], page: Page): string[] {
  const names = listed(pods.map(({ namespace, name }) => `${namespace}/${name}`));
  return wrap(pods.length === 1 ? `1 pod is fine: ${names}.` : `${pods.length} pods are fine: ${names}.`, page.columns);
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(", ");
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown;
}

function leftOut(explanation: Explanation, page: Page): string[][] {
  const sentence = leftOutSentence(explanation);
  return sentence === null ? [] : [wrap(sentence, page.columns)];
}

/** Says how many of the pods that were meant are not explained; null if all are. */
export function leftOutSentence({ pods, selection }: Explanation): string | null {
  if (selection === undefined || selection.leftOutFine + selection.leftOutInTrouble === 0) return null;
  const { matched, leftOutFine, leftOutInTrouble } = selection;
  const rest = [
    ...(leftOutInTrouble > 0 ? [`${leftOutInTrouble} more in trouble`] : []),
    ...(leftOutFine > 0 ? [`${leftOutFine} that look fine`] : []),
  ];
  const way = leftOutInTrouble > 0 ? " Choose fewer with -n or -l to see them." : "";
  return `${pods.length} of ${matched} pods are explained; left out: ${rest.join(" and ")}.${way}`;
}
