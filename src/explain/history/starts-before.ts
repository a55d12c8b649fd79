import type { ContainerSpec, PodObservation } from "../observed/observation.ts";
import { type ForcedReset, isBeforeStart } from "./resets.ts";
import { type SeenRun, startOf } from "./runs.ts";

/** How often the container started between its latest forced reset and its oldest seen run. */
export interface StartsBefore {
  readonly count: number;
  /** False: there may have been more, because events were held back. */
  readonly isExact: boolean;
}

/**
 * How often the container started between its latest forced reset and its oldest seen run, as its events count; null if
 * that run is not known to come after a reset.
 */
export function startsBefore(
  observed: PodObservation,
  spec: ContainerSpec,
  resets: readonly ForcedReset[],
  runs: readonly SeenRun[],
): StartsBefore | null {
  const first = runs[0];
  const latest = first === undefined ? undefined : resets.findLast((reset) => isBeforeStart(reset, null, first));
  if (first === undefined || latest === undefined) return null;
  const series = longestSeries(observed, spec, latest);
  if (series === undefined) return { count: 0, isExact: false };
  const counted = runs.findLastIndex((run) => Math.abs(startOf(run) - (series.lastAtMs ?? 0)) <= 3_000);
  if (counted >= 0) return { count: Math.max(0, series.count - 1 - counted), isExact: true };
  return { count: series.count, isExact: false };
}

/** The events that count starts: of the image's pulls after a change of it, else of starts, or creations if all starts fail. */
function longestSeries(observed: PodObservation, spec: ContainerSpec, since: ForcedReset) {
  const reasons = since.kind === "image-change" ? ["Pulled"] : ["Started", "Created"];
  const own = observed.events.filter(
    (event) => event.container === spec.name && (event.firstAtMs ?? 0) >= since.atMs - 5_000,
  );
  const counted = reasons
    .map((reason) => own.filter((event) => event.reason === reason))
    .find((events) => events.length > 0);
  return counted?.reduce((a, b) => (b.count > a.count ? b : a));
}
