import { type CrashLog, type CrashLogs, MOST_LOGS } from "../../cluster/list/list-logs.ts";
import type { BackoffList, ListItem } from "../../explain/answer/backoff-list.ts";
import { TELLING_CAUSES, tellingLine } from "../../explain/answer/telling-line.ts";
import { workloadKey } from "../../explain/observed/lookups.ts";
import type { ContainerLog } from "../../explain/observed/observation.ts";
import { logGaps } from "../../explain/words/gaps.ts";

/** Uses at most one log for all containers with the same {@link endKey}. */
export async function withLogLines(list: BackoffList, logs: CrashLogs): Promise<BackoffList> {
  const groups = [...Map.groupBy(list.items.filter(hasCrashed), endKey).values()];
  const largest = groups.toSorted((a, b) => b.length - a.length).slice(0, MOST_LOGS);
  const lines = new Map<ListItem, string | null>();
  const leftOut = new Set(groups.flatMap((group) => (largest.includes(group) ? [] : group)));
  let forbidden: readonly ContainerLog[] = [];
  const read = largest.map(async ([first, ...others]) => {
    if (first === undefined) return;
    const items = [first, ...others] as const;
    const log = chosenLog(items, logs);
    if (log === null) return;
    const text = await logs.of(log);
    if (!("why" in text)) for (const item of items) lines.set(item, tellingLine(text.lines)?.text ?? null);
    else if (text.why === "not-asked") for (const item of items) leftOut.add(item);
    else if (text.why === "forbidden") forbidden = [{ container: items[0].container, instance: "last-exit", text }];
  });
  await Promise.all(read);
  const items = list.items.map((item) => ({
    ...item,
    lastLogLine: lines.get(item) ?? item.lastLogLine,
    ...(leftOut.has(item) && { isLogLeftOut: true as const }),
  }));
  return { ...list, items, gaps: [...list.gaps, ...logGaps(forbidden)] };
}

function chosenLog(items: readonly ListItem[], logs: CrashLogs): CrashLog | null {
  const readable = items.flatMap((item) => crashLogOf(item) ?? []);
  return readable.find((log) => logs.isRequested(log)) ?? readable[0] ?? null;
}

function hasCrashed({ cause, lastExitLog }: ListItem): boolean {
  return lastExitLog !== null && TELLING_CAUSES.includes(cause);
}

function crashLogOf(item: ListItem): CrashLog | null {
  const { lastExitLog, isNodeReady } = item;
  // Requests to the kubelet of a node that is not ready can take long.
  return lastExitLog === null || isNodeReady === false ? null : { ...item, isPrevious: lastExitLog === "previous" };
}

function endKey(item: ListItem): string {
  return `${workloadKey(item)} ${item.container} ${item.cause} ${item.lastExit?.exitCode}`;
}
