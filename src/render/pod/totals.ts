import type { PodExplanation, Verdict } from "../../explain/answer/explanation.ts";
import { formatCountdown } from "../page/durations.ts";
import type { Page } from "../page/page.ts";

/** What a reader has to act on first. */
const ORDER: readonly Verdict[] = [
  "crash-looping",
  "image-pull-back-off",
  "start-failing",
  "failed",
  "unknown",
  "pending",
  "terminating",
  "running",
  "completed",
];

/** Many pods in one line: how many of each verdict, and which container starts next. */
export function totals(pods: readonly PodExplanation[], page: Page): string {
  const counts = ORDER.map((verdict) => ({ verdict, count: pods.filter((pod) => pod.verdict === verdict).length }));
  const told = counts.filter(({ count }) => count > 0).map(({ verdict, count }) => `${count} ${verdict}`);
  return `${pods.length} pods: ${told.join(", ")}.${firstStart(pods, page)}`;
}

function firstStart(pods: readonly PodExplanation[], { nowMs }: Page): string {
  const starts = pods.flatMap(({ namespace, name, containers }) =>
    containers.flatMap(({ name: container, nextRestart }) =>
      nextRestart === null ? [] : [{ who: `${container} of ${namespace}/${name}`, ...nextRestart }],
    ),
  );
  const [first] = starts.toSorted((a, b) => a.notBeforeMs - b.notBeforeMs || a.likelyByMs - b.likelyByMs);
  if (first === undefined) return "";
  return ` First to start: ${first.who}, ${formatCountdown(first.notBeforeMs - nowMs, first.likelyByMs - nowMs)}.`;
}
