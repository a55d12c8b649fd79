import type { Window } from "../../explain/answer/explanation.ts";
import { CONFIDENCE } from "../../kubelet/start-distribution.ts";

export const API_VERSION = "backoff/v1";

export function utcText(atMs: number): string {
  return new Date(atMs).toISOString().replace(".000Z", "Z");
}

export function timeOrNull(atMs: number | null): string | null {
  return atMs === null ? null : utcText(atMs);
}

export function seconds(ms: number | null): number | null {
  return ms === null ? null : ms / 1000;
}

export function windowToJson(window: Window | null) {
  if (window === null) return null;
  return {
    notBefore: utcText(window.notBeforeMs),
    likelyBy: utcText(window.likelyByMs),
    confidence: CONFIDENCE,
  };
}

export function pick<T, K extends keyof T>(from: T, ...fields: readonly K[]): Pick<T, K> {
  return Object.fromEntries(fields.map((field) => [field, from[field]])) as Pick<T, K>;
}
