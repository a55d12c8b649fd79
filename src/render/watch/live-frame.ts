import type { Explanation, PodExplanation } from "../../explain/answer/explanation.ts";
import type { Predictions } from "../../explain/follow/watch-predictions.ts";
import { harmless } from "../page/harmless.ts";
import type { Times } from "../page/times.ts";

/** What a watch shows at one moment. */
export interface LiveFrame {
  /** Of the one pod that is watched. */
  readonly explanation: Explanation;
  readonly predictions: Predictions;
  /** Since when nothing is heard of the pod, and why; null while all is well. */
  readonly trouble: { readonly sinceMs: number; readonly because: string } | null;
  /** Why nothing more will come, stopped: the reader has seen enough; null as long as something may. */
  readonly end: "deleted" | "replaced" | "stopped" | null;
}

/** A connection that breaks is usually there again before anybody could read that it was not. */
const PATIENCE_MS = 3_000;

/** What is to be said of the connection at the moment `atMs`: null if nothing. */
export function lastingTrouble(trouble: LiveFrame["trouble"], atMs: number): LiveFrame["trouble"] {
  return trouble !== null && atMs - trouble.sinceMs >= PATIENCE_MS ? trouble : null;
}

/** How a watch fares at `atMs`, whatever is watched: it goes on, or is over. */
export function watchSentence(atMs: number, isOver: boolean, times: Times): string {
  const now = times.instant(atMs);
  return isOver ? `Watched until ${now}.` : `Watching at ${now}; ^C ends it.`;
}

/** What is wrong with the connection. */
export function lostSentence({ sinceMs, because }: NonNullable<LiveFrame["trouble"]>, times: Times): string {
  return `Not connected since ${times.instant(sinceMs)} (${harmless(because)}): trying again.`;
}

/** The pod's end in words: "prod/web-0 has been deleted." Null as long as it is there. */
export function endSentence({ explanation, end }: LiveFrame): string | null {
  const [pod] = explanation.pods;
  if (end === null || end === "stopped" || pod === undefined) return null;
  const name = `${pod.namespace}/${pod.name}`;
  return end === "deleted" ? `${name} has been deleted.` : `${name} is gone: another pod has its name now.`;
}

/** The same text as long as nothing has happened that a reader of changes wants to know of; the passing of time is none. */
export function changeKey(pod: PodExplanation): string {
  return JSON.stringify([stateKey(pod), (pod.ownerEvidence ?? []).map(({ rule }) => rule)]);
}

/** The same without what the pod's owners do. */
export function stateKey(pod: PodExplanation): string {
  const containers = pod.containers.map((container) => [
    ...[container.name, container.state, container.reported, container.restartCount],
    ...[
      container.delayMs,
      container.delayBasis,
      container.reset,
      container.nextRestart === null,
      container.overdue !== null,
    ],
    ...[container.lastExit?.finishedAtMs, container.lastExit?.cause, container.imagePull?.delayMs],
    container.history.at(-1),
  ]);
  return JSON.stringify([pod.verdict, pod.phase, pod.policy, pod.gaps.map(({ code }) => code), containers]);
}
