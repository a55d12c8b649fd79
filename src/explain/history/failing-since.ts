import type { PolicyExplanation, Run } from "../answer/explanation.ts";
import { oldestStartAtMs } from "../observed/lookups.ts";
import type { PodSnapshot } from "../observed/observation.ts";
import { waitsOf } from "./lifetime.ts";
import { averageRunMs, runLengthMs } from "./runs.ts";

/** The most by which one start of a crash loop usually comes later than its delay: the retry rule and the start itself. */
const LATENESS_MS = 20_000;
/** The most that a pod usually takes from the kubelet's acceptance to its first start. */
const FIRST_START_MS = 60_000;

/**
 * Returns the start of the first run of the present trouble, or the end of the run before it that was long enough for a
 * reset. Infers it if the API no longer has that run: it is the start of the pod if the delays and runs of one crash
 * loop fill the time since then, else what these delays and runs take before the oldest known run. The estimate can be
 * wrong, because the API keeps no record of those runs. Null if nothing is known.
 */
export function failingSinceMs(history: readonly Run[], pod: PodSnapshot, policy: PolicyExplanation): number | null {
  const bornAtMs = oldestStartAtMs(pod);
  const observed = history.filter(({ basis }) => basis === "observed");
  const healthy = observed.findLast((run) => runLengthMs(run) >= policy.resetAfterMs);
  if (healthy !== undefined) return healthy.finishedAtMs;
  const [oldest] = observed;
  const oldestAtMs = oldest?.startedAtMs ?? oldest?.finishedAtMs ?? null;
  if (oldest === undefined || oldestAtMs === null) return bornAtMs;
  const loopMs = waitsOf(oldest.start, policy) + oldest.start * (averageRunMs(observed) ?? 0);
  const spanMs = bornAtMs === null ? Number.POSITIVE_INFINITY : oldestAtMs - bornAtMs;
  const isAllOneLoop = oldest.start > 0 && spanMs <= loopMs + oldest.start * LATENESS_MS + FIRST_START_MS;
  return isAllOneLoop ? bornAtMs : oldestAtMs - Math.min(loopMs, spanMs);
}
