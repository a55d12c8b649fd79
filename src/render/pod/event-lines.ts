import { MOST_EVENTS, type WarningEvent } from "../../explain/answer/explanation.ts";
import { timesWords } from "../../explain/answer/prose.ts";
import { greatestOf } from "../../explain/observed/max-min.ts";
import { formatElapsed, isAhead } from "../page/durations.ts";

export function eventLines(events: readonly WarningEvent[], nowMs: number): string[] {
  const isCut = events.length >= MOST_EVENTS;
  const copies = Map.groupBy(events, ({ regarding, reason, container, message }) => {
    return JSON.stringify([regarding, reason, container, message.replace(IDENTIFIERS, "#")]);
  });
  return [...copies.values()].map((alike) => eventWords(combined(alike, isCut), nowMs));
}

/** E.g. UIDs, hexadecimal hashes, instants, and numbers of five digits or more, such as many ports. */
const IDENTIFIERS = /\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b|\b[\da-f]{8,}\b|\d{4}-\d\d-\d\dT[\d:.]+|\d{5,}/g;

/** Expects the newest event first. `isCut`: there may be more events. */
function combined(alike: readonly WarningEvent[], isCut: boolean): WarningEvent {
  const [newest] = alike;
  if (newest === undefined) throw new Error("no event");
  if (alike.length === 1) return newest;
  const count = alike.reduce((sum, event) => sum + Math.max(1, event.count), 0);
  const isLowerBound = isCut || alike.some((event) => event.isLowerBound === true);
  const lastAtMs = greatestOf(alike.map((event) => event.lastAtMs ?? 0));
  return { ...newest, count, lastAtMs: lastAtMs || null, ...(isLowerBound && { isLowerBound }) };
}

function eventWords(event: WarningEvent, nowMs: number): string {
  const { regarding, reason, message, container, count, lastAtMs, isLowerBound = false } = event;
  const reported = isLowerBound ? "last reported " : "";
  const remarks = [
    ...(regarding === "Node" ? ["node"] : container === null ? [] : [container]),
    ...(count > 1 ? [timesWords(count, isLowerBound)] : []),
    ...(lastAtMs === null
      ? []
      : [isAhead(nowMs - lastAtMs) ? "just now" : `${reported}${formatElapsed(nowMs - lastAtMs)} ago`]),
  ];
  const head = remarks.length === 0 ? reason : `${reason} (${remarks.join(", ")})`;
  return message === "" ? head : `${head}: ${message}`;
}
