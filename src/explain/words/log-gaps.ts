import type { Gap } from "../answer/explanation.ts";
import type { ContainerLog, LogMissing } from "../observed/observation.ts";
import { WHY } from "./gaps.ts";

/** One gap for each reason, because without a right no log of the pod can be read. */
export function logGaps(logs: readonly ContainerLog[]): Gap[] {
  const missing = logs.flatMap(({ container, text }) => ("why" in text ? [{ container, ...text }] : []));
  return [...Map.groupBy(missing, ({ why }) => why)].map(([why, those]) => {
    return { code: `logs-${why}`, message: `${sentenceOn(why, those)}; nothing else depends on it.` };
  });
}

function sentenceOn(why: LogMissing["why"], logs: readonly { container: string; message: string }[]): string {
  const said = why === "not-found" ? `: ${logs.map(({ message }) => message).join("; ")}` : "";
  return WHY[why](`the log of ${logs.map(({ container }) => container).join(", ")}`, "get pods/log") + said;
}
