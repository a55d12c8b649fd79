import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import type { Herd } from "../../simulate/herd.ts";
import { formatSpan } from "./contention-figures.ts";
import { plural } from "./contention-words.ts";

/** What was simulated. */
export function herdSetting({ settings }: Herd): string {
  const { replicas, runs, outageMs, runMs, seed } = settings;
  const subject = replicas === 1 ? "1 replica loses its" : `${replicas} replicas lose the same`;
  return (
    `${subject} dependency and get it back after ${formatBriefDuration(outageMs)}. Without it ` +
    `each exits ${formatBriefDuration(runMs)} after its start; the first start with it stays up. ` +
    `Times count from when it is back; mean of ${plural(runs, "run")}, seed ${seed}.`
  ).replace("dependency and get", replicas === 1 ? "dependency and gets" : "dependency and get");
}

/** What the figures come to: how long the last replicas are down although nothing is wrong any more. */
export function herdFinding({ results }: Herd): string {
  const ranked = [...results].sort((one, other) => one.lastMs - other.lastMs);
  const [first, last] = [ranked[0], ranked.at(-1)];
  if (first === undefined || last === undefined) return "";
  return (
    `The last replica is up ${formatSpan(first.lastMs)} after the dependency under ${first.rule.name}, ` +
    `and ${formatSpan(last.lastMs)} after it under ${last.rule.name}.`
  );
}

/** A rule in figures: "delays of 10s to 5m, a look every 10s to 15s". */
export function policyWords({ initialMs, maxMs, retry }: CrashLoopPolicy): string {
  const curve = `delays of ${formatBriefDuration(initialMs)} to ${formatBriefDuration(maxMs)}`;
  return `${curve}, ${retry.kind === "every-10s" ? "a look every 10s to 15s" : "a look 1 to 1.5 delays on (at most 90s)"}`;
}
