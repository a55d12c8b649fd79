import { type BackoffList, isDownInList, type ListItem } from "./answer/backoff-list.ts";

export const SORT_KEYS = ["next", "delay", "restarts", "name", "age"] as const;

export type SortKey = (typeof SORT_KEYS)[number];

const LAST = Number.POSITIVE_INFINITY;

type Sortable = Pick<ListItem, "nextRestart" | "overdue" | "delayMs" | "restartCount" | "createdAtMs">;

const ORDERS: Readonly<Record<SortKey, (one: Sortable) => number[]>> = {
  next: ({ nextRestart, overdue }) =>
    overdue === null
      ? [nextRestart?.notBeforeMs ?? LAST, nextRestart?.likelyByMs ?? LAST]
      : [overdue.expectedByMs, overdue.expectedByMs],
  delay: ({ delayMs }) => [-(delayMs ?? -1)],
  restarts: ({ restartCount }) => [-restartCount],
  name: () => [],
  age: ({ createdAtMs }) => [-(createdAtMs ?? -LAST)],
};

export function sorted(list: BackoffList, key: SortKey): BackoffList {
  const items = inOrder(list.items, (item) => ({
    order: [Number(!isDownInList(item)), ...ORDERS[key](item)],
    name: `${item.namespace}/${item.pod}/${item.container}`,
  }));
  const notReady = inOrder(list.notReady, ({ namespace, pod, container, createdAtMs }) => {
    const restartCount = container?.restartCount ?? 0;
    const order = ORDERS[key]({ nextRestart: null, overdue: null, delayMs: null, restartCount, createdAtMs });
    return { order, name: `${namespace}/${pod}` };
  });
  return { ...list, items, notReady };
}

function inOrder<T>(all: readonly T[], placeOf: (one: T) => { readonly order: number[]; readonly name: string }): T[] {
  const placed = all.map((one) => ({ one, ...placeOf(one) }));
  placed.sort((a, b) => compared(a.order, b.order) || (a.name < b.name ? -1 : Number(a.name > b.name)));
  return placed.map(({ one }) => one);
}

function compared(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, place) => value !== b[place]);
  return index === -1 ? 0 : (a[index] ?? 0) < (b[index] ?? 0) ? -1 : 1;
}
