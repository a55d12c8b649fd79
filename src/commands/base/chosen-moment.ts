import { UserError } from "../../errors.ts";
import { instantsOf } from "../../explain/observed/lookups.ts";
import { greatestOf, leastOf } from "../../explain/observed/max-min.ts";
import type { PodObservation } from "../../explain/observed/observation.ts";
import { DAY_MS } from "../../kubelet/go-duration.ts";
import { formatElapsed } from "../../render/page/durations.ts";
import { timesAround } from "../../render/page/times.ts";

/** Assumed: the clocks of different machines differ by up to a minute. */
const CLOCK_SLACK_MS = 60_000;

/**
 * Throws a UserError if `atMs`, the value of --at, is more than {@link CLOCK_SLACK_MS} before the earliest time that is
 * known of the pods.
 */
export function noteOnMoment(
  atMs: number,
  localNowMs: number,
  pods: readonly Pick<PodObservation, "pod">[],
): string | null {
  const known = pods.flatMap(({ pod }) => instantsOf(pod));
  if (known.length === 0) return null;
  const firstMs = leastOf(known);
  const times = timesAround(firstMs);
  if (atMs < firstMs - CLOCK_SLACK_MS) throw new UserError("atBeforePods", times.dated(atMs), times.dated(firstMs));
  if (atMs < localNowMs + CLOCK_SLACK_MS || atMs < greatestOf(known) + DAY_MS) return null;
  return `--at is ${formatElapsed(atMs - localNowMs)} in the future: the answer assumes that nothing new happens until then.`;
}
