import { describe, expect, it } from "vitest";
import type { PodObservation } from "../../src/explain/observed/observation.ts";
import { HERD_RULES, type HerdRule, replicaStarts } from "../../src/simulate/herd.ts";
import { seededRandom } from "../../src/simulate/seeded-random.ts";
import { aNode, T0_MS } from "../support/builders.ts";
import { aLoopingPod, etaOfPods } from "../support/etas.ts";

const S = 1_000;
const MINUTE_MS = 60_000;
const REPLICAS = 300;
const RUN_MS = 5 * S;

const KUBELETS: Readonly<Record<string, Partial<PodObservation>>> = {
  "v1.34": { node: aNode({ kubeletVersion: "v1.34.4" }) },
  "v1.35+": {},
  "max=60s": {
    kubeletConfig: { maxContainerRestartPeriodMs: 60_000, featureGates: {}, syncFrequencyMs: 60_000 },
  },
  reduced: {
    kubeletConfig: {
      maxContainerRestartPeriodMs: null,
      featureGates: { ReduceDefaultCrashLoopBackOffDecay: true },
      syncFrequencyMs: 60_000,
    },
  },
};

const truncated = (ms: number): number => T0_MS + Math.floor(ms / S) * S;

/** What the API shows, when the dependency comes back after `outageMs`, of a replica that was started then; null: it runs. */
function downPod(name: string, startsMs: readonly number[], outageMs: number, { policy }: HerdRule) {
  const started = startsMs.slice(0, -1);
  const exits = [0, ...started.map((atMs) => atMs + RUN_MS)];
  const endedMs = exits.at(-1) ?? 0;
  if (endedMs > outageMs) return null;
  const step = Math.max(0, started.length - 1);
  const delayMs = started.length === 0 ? 0 : Math.min(policy.initialMs * 2 ** step, policy.maxMs);
  return aLoopingPod(name, truncated(endedMs), Math.max(1, delayMs));
}

/** What is announced of a herd at the moment at which its dependency is back, and how far from that it came, in seconds. */
function announced(rule: HerdRule, outageMs: number, seed: number) {
  const random = seededRandom(seed, "eta", rule.name, outageMs);
  const herd = Array.from({ length: REPLICAS }, (_, index) => {
    const startsMs = replicaStarts({ outageMs, runMs: RUN_MS }, rule.policy, random);
    return { pod: downPod(`web-${index}`, startsMs, outageMs, rule), upMs: startsMs.at(-1) ?? 0 };
  });
  const down = herd.flatMap(({ pod, upMs }) => (pod === null ? [] : [{ pod, upMs }]));
  const atMs = T0_MS + outageMs;
  const eta = etaOfPods(
    down.map(({ pod }) => pod),
    atMs,
    KUBELETS[rule.name],
  );
  const cameMs = down.map(({ upMs }) => T0_MS + upMs).sort((a, b) => a - b);
  expect(eta).toMatchObject({ total: down.length, down: { length: down.length }, overdue: [], unknown: [] });
  return eta.quantilesOfDown.map(({ share, count, atMs: medianMs, likelyByMs }) => {
    const actualMs = cameMs[count - 1] ?? 0;
    return { share, lateS: (actualMs - medianMs) / S, isInTime: actualMs <= likelyByMs };
  });
}

const HERDS = 4;
const OUTAGES_MS = [2 * MINUTE_MS, 7.5 * MINUTE_MS, 30 * MINUTE_MS];

describe("etaOf() of 300 replicas whose dependency is back, against what the simulator then does", () => {
  it.each(HERD_RULES)("announces when half, 90 %, 95 % and all are up under $name", (rule) => {
    const results = OUTAGES_MS.flatMap((outageMs) =>
      Array.from({ length: HERDS }, (_, seed) => announced(rule, outageMs, seed)).flat(),
    );
    for (const share of [0.5, 0.9, 0.95, 1]) {
      const ofShare = results.filter((result) => result.share === share);
      const meanS = ofShare.reduce((sum, { lateS }) => sum + lateS, 0) / ofShare.length;
      const inTime = ofShare.filter(({ isInTime }) => isInTime).length / ofShare.length;
      // The simulated start itself takes no time, the announced one up to two seconds.
      // One replica of 300 decides when all are up: that varies more from herd to herd.
      expect(Math.abs(meanS)).toBeLessThan(share === 1 ? 5 : 2.5);
      expect(inTime).toBeGreaterThanOrEqual(0.9);
    }
  });
});
