import type { Judgement } from "./judgement.ts";

/** So many misses in detail, spread evenly over all of them, so that no scenario hides the others. */
export function missLines(misses: readonly Judgement[], most: number): string[] {
  const shown = Math.min(most, misses.length);
  const chosen = Array.from({ length: shown }, (_, index) => misses[Math.floor((index * misses.length) / shown)]);
  return chosen.flatMap((miss) => (miss === undefined ? [] : ["", ...linesOf(miss)]));
}

function linesOf({ moment, said, outcome }: Judgement): string[] {
  const { wait, atMs } = moment;
  const { recording, container, exitSeenAtMs, nextStartedAtMs, delayMs } = wait;
  const window = said?.nextRestart ?? null;
  const relative = (instantMs: number) => `${instantMs < atMs ? "" : "+"}${((instantMs - atMs) / 1000).toFixed(1)} s`;
  return [
    `${outcome}: ${recording.node}/${recording.pod}, container ${container.name}, at ${new Date(atMs).toISOString()}`,
    `  exit seen ${relative(exitSeenAtMs)}, next start ${relative(nextStartedAtMs)} (${new Date(nextStartedAtMs).toISOString()})`,
    `  window ${window === null ? "none" : `${relative(window.notBeforeMs)} … ${relative(window.likelyByMs)}`}`,
    `  state ${said?.state ?? "none"}, delay said ${inSeconds(said?.delayMs)}, true ${inSeconds(delayMs)}`,
    ...(said?.evidence ?? []).map(({ basis, rule, text }) => `  ${basis}: ${rule}: ${text}`),
  ];
}

function inSeconds(ms: number | null | undefined): string {
  return ms === null || ms === undefined ? "unknown" : `${ms / 1000} s`;
}
