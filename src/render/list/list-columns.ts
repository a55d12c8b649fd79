import type { ListedPod } from "../../explain/answer/backoff-list.ts";
import type { FailedJob } from "../../explain/answer/explanation.ts";
import { harmless } from "../page/harmless.ts";
import { UNKNOWN } from "./list-causes.ts";
import {
  ageCell,
  clockOrDay,
  delayCell,
  evidenceCell,
  nextCell,
  ownerCell,
  readyCell,
  restartsCell,
  sinceCell,
  stateCell,
} from "./list-cells.ts";
import type { ColumnLayout } from "./list-layout.ts";
import { notReadyCause, notReadyRestarts, notReadySince } from "./list-not-ready.ts";
import type { ListRow, NotReadyRow } from "./list-rows.ts";

type CellOf<Row> = (row: Row, nowMs: number, timeZone: string | undefined) => string;

export interface Column extends ColumnLayout {
  readonly heading: string;
  readonly ofContainers: CellOf<ListRow>;
  readonly ofNotReady?: CellOf<NotReadyRow>;
  readonly ofJob?: CellOf<FailedJob>;
}

export type AnyRow = ListRow | NotReadyRow | FailedJob;

export function cellOf(
  { ofContainers, ofNotReady, ofJob }: Column,
  row: AnyRow,
  nowMs: number,
  timeZone?: string,
): string {
  if ("items" in row) return harmless(ofContainers(row, nowMs, timeZone));
  if ("notReady" in row) return harmless(ofNotReady?.(row, nowMs, timeZone) ?? NOTHING);
  return harmless(ofJob?.(row, nowMs, timeZone) ?? NOTHING);
}

const NOTHING = "-";

function ofPods(cell: CellOf<ListRow | NotReadyRow>): Pick<Column, "ofContainers" | "ofNotReady"> {
  return { ofContainers: cell, ofNotReady: cell };
}

function podIn(row: ListRow | NotReadyRow): ListedPod {
  return "items" in row ? row.items[0] : row.notReady[0];
}

const LEAST_CAUSE = 12;
/** In columns of the terminal. Assumed: a user recognizes a cause that is cut to this width. */
const USEFUL_CAUSE = 30;

export const NAMESPACE: Column = {
  heading: "NAMESPACE",
  ...ofPods((row) => podIn(row).namespace),
  ofJob: ({ namespace }) => namespace,
  isName: true,
};

export const NAME: Column = {
  heading: "NAME",
  ...ofPods(({ name }) => name),
  ofJob: ({ name }) => `job/${name}`,
  isName: true,
};

export const PODS: Column = { heading: "PODS", ...ofPods(({ pods }) => `${pods}`), isExtra: true, dropOrder: 1 };

export const CONTAINER: Column = {
  heading: "CONTAINER",
  ofContainers: ({ items }) => items[0].container,
  ofNotReady: ({ notReady }) => notReady[0].container?.name ?? "-",
  isExtra: true,
  dropOrder: 2,
};

export const READY: Column = { heading: "READY", ...ofPods(readyCell), dropOrder: 4 };

export const STATE: Column = {
  heading: "STATE",
  ofContainers: stateCell,
  ofNotReady: () => "not Ready",
  ofJob: () => "failed",
  hasBriefForm: true,
  dropOrder: 7,
};

export const NEXT: Column = { heading: "NEXT", ofContainers: nextCell, hasBriefForm: true, dropOrder: 8 };

export const CAUSE: Column = {
  heading: "CAUSE",
  ofContainers: evidenceCell,
  ofNotReady: notReadyCause,
  ofJob: ({ reason, message }) => [reason ?? UNKNOWN, ...(message === null ? [] : [message])].join(": "),
  hasBriefForm: true,
  leastWidth: LEAST_CAUSE,
  usefulWidth: USEFUL_CAUSE,
  dropOrder: 6,
};

export const COLUMNS: readonly Column[] = [
  STATE,
  { heading: "RESTARTS", ofContainers: restartsCell, ofNotReady: notReadyRestarts, dropOrder: 3 },
  NEXT,
  {
    heading: "SINCE",
    ofContainers: sinceCell,
    ofNotReady: notReadySince,
    ofJob: ({ failedAtMs }, nowMs, timeZone) =>
      failedAtMs === null ? UNKNOWN : clockOrDay(failedAtMs, nowMs, timeZone),
    hasBriefForm: true,
    dropOrder: 5,
  },
  CAUSE,
];

export const WIDE_ONLY_COLUMNS: readonly Column[] = [
  { heading: "DELAY", ofContainers: delayCell },
  { heading: "NODE", ...ofPods((row) => podIn(row).node ?? "<none>") },
  { heading: "OWNER", ...ofPods((row) => ownerCell(podIn(row).owner)) },
  { heading: "AGE", ...ofPods((row, nowMs) => ageCell(podIn(row).createdAtMs, nowMs)) },
  {
    heading: "STATUS",
    ofContainers: ({ items }) => items[0].reported ?? "<none>",
    ofNotReady: ({ notReady }) => notReady[0].container?.reported ?? "<none>",
  },
];
