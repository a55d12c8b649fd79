import { describe, expect, it } from "vitest";
import type { BackoffEntry, RandomSource } from "../../src/backoff/backoff.ts";
import type { PodObservation } from "../../src/explain/observed/observation.ts";
import { type CrashLoopPolicy, crashLoopPolicy, type PolicyInput } from "../../src/kubelet/crash-loop-policy.ts";
import { entryAfterStart, waitAfter } from "../../src/kubelet/do-backoff.ts";
import { MINUTE_MS } from "../../src/kubelet/go-duration.ts";
import { TICK_MS } from "../../src/kubelet/retry-rule.ts";
import { seededRandom } from "../../src/simulate/seeded-random.ts";
import { drawnSyncs } from "../../src/simulate/start-choice.ts";
import { aNode, S, T0_MS } from "../support/builders.ts";
import { aLoopingPod, etaOfPods } from "../support/etas.ts";

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

const NEWEST: PolicyInput = {
  version: null,
  featureGates: {},
  maxContainerRestartPeriodMs: null,
  syncFrequencyMs: null,
};

const RULES: readonly { readonly name: string; readonly policy: CrashLoopPolicy }[] = [
  { name: "v1.34", policy: crashLoopPolicy({ ...NEWEST, version: { major: 1, minor: 34 } }) },
  { name: "v1.35+", policy: crashLoopPolicy(NEWEST) },
  { name: "max=60s", policy: crashLoopPolicy({ ...NEWEST, maxContainerRestartPeriodMs: 60_000 }) },
  {
    name: "reduced",
    policy: crashLoopPolicy({ ...NEWEST, featureGates: { ReduceDefaultCrashLoopBackOffDecay: true } }),
  },
];
type Rule = (typeof RULES)[number];

/** The ticks of the replicas' nodes differ. A start takes no time. */
function replicaStarts(outageMs: number, policy: CrashLoopPolicy, random: RandomSource): number[] {
  const tickOffsetMs = random() * TICK_MS;
  const tickAfter = (dueMs: number) => tickOffsetMs + Math.ceil((dueMs - tickOffsetMs) / TICK_MS) * TICK_MS;
  const syncs = drawnSyncs(policy.retry, random, tickAfter);
  const startsAtMs: number[] = [];
  let entry: BackoffEntry | undefined;
  let previousFinishedAtMs: number | null = null;
  let finishedAtMs = 0;
  for (;;) {
    const wait = waitAfter(entry, previousFinishedAtMs, { finishedAtMs, killedBySync: false }, policy);
    const startedMs = syncs(wait, finishedAtMs, false).lastMs;
    startsAtMs.push(startedMs);
    if (startedMs >= outageMs) return startsAtMs;
    entry = entryAfterStart(entry, wait, startedMs, policy);
    previousFinishedAtMs = finishedAtMs;
    finishedAtMs = startedMs + RUN_MS;
  }
}

const truncated = (ms: number): number => T0_MS + Math.floor(ms / S) * S;

/** Returns the pod as the API shows it at the end of the outage. Null if the replica runs then. */
function downPod(name: string, startsMs: readonly number[], outageMs: number, { policy }: Rule) {
  const started = startsMs.slice(0, -1);
  const exits = [0, ...started.map((atMs) => atMs + RUN_MS)];
  const endedMs = exits.at(-1) ?? 0;
  if (endedMs > outageMs) return null;
  const step = Math.max(0, started.length - 1);
  const delayMs = started.length === 0 ? 0 : Math.min(policy.initialMs * 2 ** step, policy.maxMs);
  return aLoopingPod(name, truncated(endedMs), Math.max(1, delayMs));
}

function announced(rule: Rule, outageMs: number, seed: number) {
  const random = seededRandom(seed, "eta", rule.name, outageMs);
  const replicas = Array.from({ length: REPLICAS }, (_, index) => {
    const startsMs = replicaStarts(outageMs, rule.policy, random);
    return { pod: downPod(`web-${index}`, startsMs, outageMs, rule), upMs: startsMs.at(-1) ?? 0 };
  });
  const down = replicas.flatMap(({ pod, upMs }) => (pod === null ? [] : [{ pod, upMs }]));
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

const CROWDS = 4;
const OUTAGES_MS = [2 * MINUTE_MS, 7.5 * MINUTE_MS, 30 * MINUTE_MS];

describe("etaOf() of 300 replicas whose dependency is back, compared with their simulated starts", () => {
  it.each(RULES)("predicts when half, 90 %, 95 % and all of the replicas are up under $name", (rule) => {
    const results = OUTAGES_MS.flatMap((outageMs) =>
      Array.from({ length: CROWDS }, (_, seed) => announced(rule, outageMs, seed)).flat(),
    );
    for (const share of [0.5, 0.9, 0.95, 1]) {
      const ofShare = results.filter((result) => result.share === share);
      const meanS = ofShare.reduce((sum, { lateS }) => sum + lateS, 0) / ofShare.length;
      const inTime = ofShare.filter(({ isInTime }) => isInTime).length / ofShare.length;
      // A simulated start takes no time, a predicted start does. When all are up depends on one replica, so that time
      // varies more.
      expect(Math.abs(meanS)).toBeLessThan(share === 1 ? 5 : 2.5);
      expect(inTime).toBeGreaterThanOrEqual(0.9);
    }
  });
});
