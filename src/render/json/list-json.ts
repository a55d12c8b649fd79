import type { BackoffList } from "../../explain/list.ts";
import { escapeInJson } from "../page/harmless.ts";
import { overdueToJson, time } from "./json.ts";

/** The stable machine form of a list, `backoff/v1`; docs/backoff-list.schema.json describes it. */
export function renderListJson({ atMs, items, gaps }: BackoffList, isIncomplete: boolean): string {
  const list = {
    apiVersion: "backoff/v1",
    kind: "BackoffList",
    at: time(atMs),
    ...(isIncomplete && { incomplete: true }),
    items: items.map(({ delayMs, nextRestart, overdue, lastExit, createdAtMs, ...item }) => ({
      namespace: item.namespace,
      pod: item.pod,
      container: item.container,
      state: item.state,
      reported: item.reported,
      restartCount: item.restartCount,
      delaySeconds: delayMs === null ? null : delayMs / 1000,
      nextRestart: nextRestart && {
        notBefore: time(nextRestart.notBeforeMs),
        likelyBy: time(nextRestart.likelyByMs),
        confidence: nextRestart.confidence,
      },
      overdue: overdueToJson(overdue),
      cause: item.cause,
      exitCode: lastExit?.exitCode ?? null,
      node: item.node,
      owner: item.owner,
      createdAt: createdAtMs === null ? null : time(createdAtMs),
    })),
    gaps,
  };
  return `${escapeInJson(JSON.stringify(list, null, 4))}\n`;
}

/** `pod/NAME` of each pod, once, as `kubectl get -o name` has it; empty if there is none. */
export function renderListNames({ items }: BackoffList): string {
  return [...new Set(items.map(({ pod }) => `pod/${pod.toWellFormed()}\n`))].map(escapeInJson).join("");
}
