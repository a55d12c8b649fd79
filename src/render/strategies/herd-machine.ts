import type { Herd, HerdResult } from "../../simulate/herd.ts";
import { roundTo } from "./contention-figures.ts";

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
