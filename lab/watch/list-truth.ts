import { LAB_PATHS } from "./lab-paths.ts";
import type { ListHaul } from "./list-haul.ts";

/** A row is there soon after the news of it. */
const ENOUGH_MS = 3_000;

/**
 * How often a container went down in a haul, of these how often somebody was connected for long enough to hear of it, and of
 * these how often no row told of it.
 */
export function downsTold({ api, allLoops, told }: ListHaul) {
  const lives = api.lives.filter(({ path }) => path === LAB_PATHS.pods);
  const count = { downs: 0, knowable: 0, missed: 0 };
  for (const { runs, uid, cuts } of allLoops) {
    for (const [index, run] of runs.entries()) {
      if (run.finishedAtMs === null) continue;
      // Instants of the API are cut to the second: what is left is sure.
      const fromMs = run.finishedAtMs + 1_000;
      const untilMs = runs[index + 1]?.startedAtMs ?? fromMs;
      const isCut = cuts.some((cut) => cut.fromMs < untilMs && cut.untilMs > fromMs);
      const isHeard = lives.some((life) => {
        const until = Math.min(untilMs, life.untilMs ?? Number.POSITIVE_INFINITY);
        return until - Math.max(fromMs, life.fromMs) >= ENOUGH_MS;
      });
      count.downs++;
      if (isCut || !isHeard) continue;
      count.knowable++;
      if (!told.has(`${uid} ${run.start}`)) count.missed++;
    }
  }
  return count;
}
