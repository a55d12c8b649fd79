import { textInUtc } from "../../src/explain/answer/prose.ts";
import type { Judgement } from "./judgement.ts";
import type { RunningJudgement } from "./running.ts";

export function missLines(misses: readonly Judgement[], most: number): string[] {
  return chosen(misses, most).flatMap((miss) => ["", ...linesOf(miss)]);
}

export function runningMissLines(judgements: readonly RunningJudgement[], most: number): string[] {
  const misses = judgements.filter(({ isRight }) => !isRight);
  return chosen(misses, most).map(({ run, atMs, said }) => {
    const { recording, container, startedAtMs, finishedAtMs, nextStartedAtMs } = run;
    const likely = said?.ifItExits?.[0];
    const after = likely === undefined ? "no forecast" : (likely.probe ?? "exits");
    const forecast = `said ${inSeconds(said?.delayMs)} (${after})`;
    const ran = `ran ${inSeconds(finishedAtMs - startedAtMs)}, waited ${inSeconds(nextStartedAtMs - finishedAtMs)}`;
    return `${recording.node}/${recording.pod}, container ${container.name}, at ${new Date(atMs).toISOString()}: ${forecast}, ${ran}`;
  });
}

function chosen<T>(misses: readonly T[], most: number): T[] {
  const shown = Math.min(most, misses.length);
  return Array.from({ length: shown }, (_, index) => misses[Math.floor((index * misses.length) / shown)] as T);
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
    ...(said?.evidence ?? []).map(({ basis, rule, text }) => `  ${basis}: ${rule}: ${textInUtc(text)}`),
  ];
}

function inSeconds(ms: number | null | undefined): string {
  return ms === null || ms === undefined ? "unknown" : `${ms / 1000} s`;
}
