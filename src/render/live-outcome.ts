import type { Outcome } from "../explain/watch-predictions.ts";
import { formatBriefDuration } from "../kubelet/go-duration.ts";
import type { Times } from "./times.ts";

/** What became of a prediction: "inside the window 14:04:38 to 14:05:08 GMT+1", "3s after the window 14:04:38 to …". */
export function outcomeClause({ window, offMs }: Outcome, times: Times): string {
  const span = `the window ${times.span(window.notBeforeMs, "to", window.likelyByMs)}`;
  if (offMs === 0) return `inside ${span}`;
  const off = formatBriefDuration(Math.max(1_000, Math.round(Math.abs(offMs) / 1_000) * 1_000));
  return `${off} ${offMs < 0 ? "before" : "after"} ${span}`;
}

/** "3 predictions kept, 1 missed"; empty before the first. */
export function tally({ kept, missed }: { readonly kept: number; readonly missed: number }): string {
  if (kept + missed === 0) return "";
  return `${kept} ${kept === 1 ? "prediction" : "predictions"} kept, ${missed} missed`;
}
