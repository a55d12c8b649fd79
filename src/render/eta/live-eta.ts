import type { Eta } from "../../explain/answer/eta.ts";
import type { EtaCount, EtaOutcome } from "../../explain/follow/eta-progress.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import type { Times } from "../page/times.ts";
import { formatPercent } from "./eta-words.ts";

/** Where it stands beside what was announced: "42 of 300 are up again after 35s; announced by now: 38." */
export function countLine({ atMs }: Eta, { announced, up, expected, downAgain }: EtaCount, nowMs: number): string {
  const crashed = downAgain === 0 ? "" : ` ${downAgain} of them crashed again: the cause is not fixed for those.`;
  const after = formatBriefDuration(Math.max(0, Math.round((nowMs - atMs) / 1000) * 1000));
  return `${up} of ${announced} are up again after ${after}; announced by now: ${Math.round(expected)}.${crashed}`;
}

/** "50% up at 14:04:38 UTC, 3s before the announced 14:04:41 UTC." and whether that kept the announcement. */
export function outcomeLine({ announced, cameAtMs }: EtaOutcome, times: Times): string {
  const offMs = Math.round((cameAtMs - announced.atMs) / 1000) * 1000;
  const off = offMs === 0 ? "as" : `${formatBriefDuration(Math.abs(offMs))} ${offMs < 0 ? "before" : "after"} the`;
  const limit = cameAtMs <= announced.likelyByMs ? "within" : "after";
  return (
    `${formatPercent(announced.share)} up at ${times.instant(cameAtMs)}, ${off} announced ` +
    `${offMs === 0 ? "" : `${times.instant(announced.atMs)} `}(${limit} its 95% limit, ${times.instant(announced.likelyByMs)}).`
  );
}

/** How well the announcement did. */
export function verdictLine({ reached }: EtaCount): string {
  const kept = reached.filter(({ announced, cameAtMs }) => cameAtMs <= announced.likelyByMs).length;
  return reached.length === 0
    ? "Nothing that was announced has come yet."
    : `${kept} of ${reached.length} announced times were kept.`;
}
