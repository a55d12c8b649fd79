import type { Eta } from "../../explain/answer/eta.ts";
import { formatPercent } from "../../explain/answer/prose.ts";
import { type EtaCount, type EtaOutcome, staysDownIn } from "../../explain/follow/eta-progress.ts";
import { floorToSecond, formatBriefDuration, roundToSecond } from "../../kubelet/go-duration.ts";
import type { Times } from "../page/times.ts";
import type { ConnectionLoss } from "../watch/live.ts";

export function countLine(eta: Eta, count: EtaCount, nowMs: number): string {
  const { downAgain } = count;
  const stays = downAgain === 1 ? "it stays" : "they stay";
  const crashed = downAgain === 0 ? "" : ` ${downAgain} crashed again; waiting until ${stays} up.`;
  return `${upWords(eta, count, nowMs)}${crashed}`;
}

function upWords(eta: Eta, { awaited, up, expectedUp, downAgain }: EtaCount, nowMs: number): string {
  const upAgain = `${up} of ${awaited} ${up === 1 ? "is" : "are"} up${downAgain === 0 ? " again" : ""}`;
  return `${upAgain} after ${sinceWords(eta, nowMs)}; announced by now: ${Math.round(expectedUp)}.`;
}

export function disconnectedLine({ awaited, up, downAgain }: EtaCount, loss: ConnectionLoss, times: Times): string {
  const upAgain = `${up} of ${awaited} ${up === 1 ? "was" : "were"} up${downAgain === 0 ? " again" : ""}`;
  const crashed = downAgain === 0 ? "" : ` and ${downAgain} had crashed again`;
  return (
    `Disconnected since ${times.instant(loss.sinceMs)}. Until then, ${upAgain}${crashed}; ` +
    "what has come up or crashed since is unknown."
  );
}

export function givenUpLine(eta: Eta, { awaited, up, downAgain }: EtaCount, nowMs: number): string {
  return (
    `Gave up after ${sinceWords(eta, nowMs)}: ${downAgain} of ${awaited} crashed again, and ${up} of ${awaited} ` +
    `${up === 1 ? "is" : "are"} up. The last announced time is over, so the cause is not fixed.`
  );
}

function sinceWords({ atMs }: Eta, nowMs: number): string {
  return formatBriefDuration(Math.max(0, roundToSecond(nowMs - atMs)));
}

export function outcomeLine({ announced, cameAtMs }: EtaOutcome, times: Times): string {
  const offMs = floorToSecond(cameAtMs) - floorToSecond(announced.atMs);
  const off = offMs === 0 ? "as" : `${formatBriefDuration(Math.abs(offMs))} ${offMs < 0 ? "before" : "after"} the`;
  const limit = cameAtMs <= announced.likelyByMs ? "within" : "after";
  return (
    `${formatPercent(announced.share)} up at ${times.instant(cameAtMs)}, ${off} announced ` +
    `${offMs === 0 ? "" : `${times.instant(announced.atMs)} `}(${limit} its 95% limit, ${times.instant(announced.likelyByMs)}).`
  );
}

export function lastLine(eta: Eta, count: EtaCount, nowMs: number): string {
  const again = count.downAgain === 0 ? "" : ` ${count.downAgain} crashed again.`;
  return `${upWords(eta, count, nowMs)}${again}${verdictLine(eta, count)}${staysDownLine(eta)}`;
}

function staysDownLine(eta: Eta): string {
  const count = staysDownIn(eta);
  return count === 0 ? "" : ` ${count} more ${count === 1 ? "has" : "have"} failed and will not restart.`;
}

function verdictLine({ down }: Eta, { reached }: EtaCount): string {
  const kept = reached.filter(({ announced, cameAtMs }) => cameAtMs <= announced.likelyByMs).length;
  if (down.length === 0) return "";
  return reached.length === 0
    ? " Nothing that was announced has come yet."
    : ` ${kept} of ${reached.length} announced times were kept.`;
}
