import type { BackoffList } from "../../explain/answer/backoff-list.ts";
import { textInUtc } from "../../explain/answer/prose.ts";
import { nameLines, overdueToJson, sinceToJson } from "./json.ts";
import { API_VERSION, pick, seconds, timeOrNull, utcText, windowToJson } from "./json-values.ts";

/** See docs/backoff-list.schema.json. */
export function listToJson(
  { atMs, atBasis, items, notReady, gaps, failedJobs = [], common = [] }: BackoffList,
  { isIncomplete = false }: { readonly isIncomplete?: boolean },
) {
  return {
    apiVersion: API_VERSION,
    kind: "BackoffList",
    at: utcText(atMs),
    atBasis,
    ...(isIncomplete && { incomplete: true }),
    items: items.map((item) => ({
      ...pick(item, "namespace", "pod", "container", "state"),
      startedAt: timeOrNull(item.startedAtMs),
      ...pick(item, "isReady", "reported", "restartCount"),
      delaySeconds: seconds(item.delayMs),
      nextRestart: windowToJson(item.nextRestart),
      overdue: overdueToJson(item.overdue),
      cause: item.cause,
      exitCode: item.lastExit?.exitCode ?? null,
      ...pick(item, "message", "lastLogLine"),
      ...sinceToJson(item.failingSince),
      since: sinceToJson(item.failingSince).failingSince,
      ready: item.isReady,
      ...pick(item, "isByDefaults", "node", "isNodeReady", "owner", "workload"),
      createdAt: timeOrNull(item.createdAtMs),
    })),
    failedJobs: failedJobs.map((job) => ({
      ...pick(job, "namespace", "name", "reason", "message", "failedPods"),
      failedAt: timeOrNull(job.failedAtMs),
    })),
    notReady: notReady.map((one) => ({
      ...pick(one, "namespace", "pod", "node", "owner", "workload", "cause", "message"),
      container: one.container?.name ?? null,
      restartCount: one.container?.restartCount ?? null,
      waitsFor: one.waitsFor,
      readyContainers: one.readiness.ready,
      containers: one.readiness.all,
      since: utcText(one.sinceMs),
      createdAt: timeOrNull(one.createdAtMs),
    })),
    common: common.map(({ sentence, pods, what }) => ({ sentence: `${textInUtc(sentence)}.`, pods, what })),
    gaps,
  };
}

export function renderListNames({ items }: BackoffList): string {
  return nameLines([...new Set(items.map(({ pod }) => pod))]);
}
