import type { NotReadyCause, NotReadyPod } from "../../explain/answer/backoff-list.ts";
import { leastOf } from "../../explain/observed/max-min.ts";
import { UNKNOWN, withLine } from "./list-causes.ts";
import { clockOrDay, rangeOf } from "./list-cells.ts";
import type { NotReadyRow } from "./list-rows.ts";

export function notReadyRestarts({ notReady }: NotReadyRow): string {
  const counts = notReady.flatMap(({ container }) => container?.restartCount ?? []);
  return counts.length === 0 ? "-" : rangeOf(counts, String);
}

export function notReadySince({ notReady }: NotReadyRow, nowMs: number, timeZone: string | undefined): string {
  return clockOrDay(leastOf(notReady.map(({ sinceMs }) => sinceMs)), nowMs, timeZone);
}

const CAUSE_WORDS: Readonly<Record<NotReadyCause, (pod: NotReadyPod) => string>> = {
  node: ({ node }) => `node ${node} is not Ready`,
  "init-container": ({ waitsFor }) => `waits for init container ${waitsFor}`,
  "startup-probe": ({ message }) => (message === null ? "startup probe has not succeeded yet" : "startup probe failed"),
  "readiness-probe": ({ message }) =>
    message === null ? "readiness probe does not succeed" : "readiness probe failed",
  "readiness-gate": () => "readiness gate",
  ended: ({ container }) => `${container?.name} has ended and does not restart`,
  starting: ({ container }) => `${container?.name} has not started yet`,
  unknown: ({ container }) => (container?.reported === "Running" ? "runs, but is not Ready" : UNKNOWN),
};

export function notReadyCause({ notReady }: Pick<NotReadyRow, "notReady">): string {
  const pod = notReady.find(({ message }) => message !== null) ?? notReady[0];
  return withLine(CAUSE_WORDS[pod.cause](pod), pod.message);
}
