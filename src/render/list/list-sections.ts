import type { ListItem } from "../../explain/answer/backoff-list.ts";
import { podKeyOf } from "../../explain/observed/lookups.ts";
import { counted } from "../page/paint.ts";
import { causeCell } from "./list-causes.ts";
import type { ListRow } from "./list-rows.ts";

export const SECTION_KEYS = ["cause", "node", "owner"] as const;

export type SectionKey = (typeof SECTION_KEYS)[number];

interface Section {
  readonly title: string | null;
  readonly rows: readonly ListRow[];
}

const KEYS: Readonly<Record<SectionKey, (item: ListItem) => string>> = {
  cause: causeCell,
  node: ({ node }) => node ?? "no node",
  owner: ({ namespace, pod, workload }) =>
    workload === null ? `${namespace}: pod ${pod}` : `${namespace}: ${workload.kind} ${workload.name}`,
};

export function sectionsOf(rows: readonly ListRow[], by: SectionKey | null): Section[] {
  if (by === null) return [{ title: null, rows }];
  const containers = (some: readonly ListRow[]): number => some.reduce((sum, { items }) => sum + items.length, 0);
  const groups = [...Map.groupBy(rows, ({ items: [first] }) => KEYS[by](first))];
  return groups
    .toSorted(([, a], [, b]) => containers(b) - containers(a))
    .map(([key, alike]) => {
      const pods = new Set(alike.flatMap(({ items }) => items.map(podKeyOf))).size;
      return { title: `${key}: ${counted(containers(alike), "container")} in ${counted(pods, "pod")}`, rows: alike };
    });
}
