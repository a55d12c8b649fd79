import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import type { Herd, HerdResult } from "../../simulate/herd.ts";
import { formatSpan, plural, roundTo } from "./contention-words.ts";

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

const THOUSANDTH = 0.001;

/** The stable machine form, `backoff/v1`; docs/herd.schema.json describes it: durations in seconds, from the moment that the dependency was back. */
export function herdToJson({ settings, results }: Herd) {
  const { replicas, runs, seed, outageMs, runMs } = settings;
  return {
    apiVersion: "backoff/v1",
    kind: "Herd",
    settings: { replicas, runs, seed, outageSeconds: outageMs / 1000, runSeconds: runMs / 1000 },
    results: results.map(resultToJson),
  };
}

function resultToJson(result: HerdResult) {
  const { name, policy } = result.rule;
  return {
    kubelet: name,
    policy: {
      initialSeconds: policy.initialMs / 1000,
      maxSeconds: policy.maxMs / 1000,
      resetAfterSeconds: policy.resetAfterMs / 1000,
      retry: policy.retry.kind,
    },
    up: result.upShares.map(({ afterMs, share }) => ({
      afterSeconds: afterMs / 1000,
      share: roundTo(share, THOUSANDTH),
    })),
    medianSeconds: seconds(result.medianMs),
    lastSeconds: seconds(result.lastMs),
    peakStartsPerSecond: roundTo(result.peakStartsPerSecond, THOUSANDTH),
    startsInVain: roundTo(result.startsInVain, THOUSANDTH),
  };
}

/** One row per rule, for spreadsheets. */
export function herdToCsv(herd: Herd): string {
  const { results } = herdToJson(herd);
  const shares = results[0]?.up.map(({ afterSeconds }) => `upAfter${afterSeconds}s`) ?? [];
  const head = ["kubelet", ...shares, "medianSeconds", "lastSeconds", "peakStartsPerSecond", "startsInVain"];
  const rows = results.map(({ kubelet, up, medianSeconds, lastSeconds, peakStartsPerSecond, startsInVain }) =>
    [kubelet, ...up.map(({ share }) => share), medianSeconds, lastSeconds, peakStartsPerSecond, startsInVain].join(","),
  );
  return `${[head.join(","), ...rows].join("\n")}\n`;
}

function seconds(ms: number): number {
  return roundTo(ms / 1000, THOUSANDTH);
}
