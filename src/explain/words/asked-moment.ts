import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import type { Gap } from "../answer/explanation.ts";
import { greatestOf } from "../observed/extremes.ts";
import type { ContainerFacts } from "../replay/facts.ts";

/** Truncation and clocks account for this much. */
const SLACK_MS = 2_000;

/** The gap of a moment that lies before what was seen: the state then is not known, only the later one. */
export function askedTooEarly(facts: readonly ContainerFacts[], atMs: number): Gap[] {
  const seen = facts.flatMap(({ runs }) =>
    runs.flatMap(({ startedAtMs, finishedAtMs }) => [startedAtMs ?? 0, finishedAtMs ?? 0]),
  );
  const laterMs = greatestOf(seen, 0) - atMs;
  if (laterMs <= SLACK_MS) return [];
  const message = `The moment asked for is ${formatBriefDuration(Math.round(laterMs / 1000) * 1000)} before the newest thing seen of the pod: what it was like then is not known, so the answer takes the later state for it.`;
  return [{ code: "asked-before-seen", message }];
}
