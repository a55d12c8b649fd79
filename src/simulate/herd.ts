import type { BackoffEntry, RandomSource } from "../backoff/backoff.ts";
import { entryAfterStart, waitAfter } from "../kubelet/do-backoff.ts";
import { type CrashLoopPolicy, crashLoopPolicy, type PolicyInput } from "../kubelet/policy.ts";
import { TICK_MS } from "../kubelet/retry-rule.ts";
import type { Progress } from "./progress.ts";
import { seededRandom } from "./seeded-random.ts";
import { drawnSyncs } from "./start-choice.ts";

interface Outage {
  readonly outageMs: number;
  /** The time from the start to the exit of a replica that starts during the outage. */
  readonly runMs: number;
}

export interface HerdSettings extends Outage {
  readonly replicas: number;
  readonly runs: number;
  readonly seed: number;
}

/** The recovery under one set of kubelet rules, over all runs. Instants count from the end of the outage. */
export interface HerdResult {
  readonly rule: HerdRule;
  /** The share (0 to 1) of the replicas that are up by `afterMs`. */
  readonly upShares: readonly { readonly afterMs: number; readonly share: number }[];
  readonly medianMs: number;
  /** When the last replica of a run is up, as the mean of all runs. */
  readonly lastMs: number;
  /** The most starts within one second of a run, as the mean of all runs. */
  readonly peakStartsPerSecond: number;
  /** The starts of a replica during the outage, which all fail, as the mean of all replicas and runs. */
  readonly startsInVain: number;
  /** When each replica of each run was up, ascending. */
  readonly upAtMs: Float64Array;
  /** The starts of each replica in the first run, counted from the beginning of the outage. */
  readonly startsAtMs: readonly (readonly number[])[];
}

export interface Herd {
  readonly settings: HerdSettings;
  readonly results: readonly HerdResult[];
}

/** The instants of `upShares`. The last is the default curve's maximum delay; one sync later all replicas are up. */
const MARKS_MS = [30_000, 60_000, 120_000, 180_000, 300_000] as const;
const PEAK_MS = 1_000;

/** Simulates the recovery under every rule. Yields its progress and returns one result per rule. */
export function* stampede(settings: HerdSettings): Generator<Progress, Herd> {
  const results: HerdResult[] = [];
  for (const [index, rule] of HERD_RULES.entries()) {
    const upAtMs: Float64Array[] = [];
    let first: number[][] = [];
    let crashes = 0;
    for (let run = 0; run < settings.runs; run++) {
      yield { done: (index + run / settings.runs) / HERD_RULES.length, doing: `kubelet ${rule.name}` };
      const random = seededRandom(settings.seed, "herd", rule.name, settings.replicas, run);
      const starts = Array.from({ length: settings.replicas }, () => replicaStarts(settings, rule.policy, random));
      if (run === 0) first = starts;
      upAtMs.push(Float64Array.from(starts, (own) => (own.at(-1) ?? 0) - settings.outageMs).sort());
      crashes += starts.reduce((sum, { length }) => sum + length - 1, 0);
    }
    const startsInVain = crashes / (settings.replicas * settings.runs);
    results.push({ rule, ...figuresOf(upAtMs), startsInVain, startsAtMs: first });
  }
  return { settings, results };
}

/** Estimates the work in kubelet syncs: one per replica every 10 s of the outage, and a fixed number after it. */
export function herdWork({ replicas, runs, outageMs }: HerdSettings): number {
  return HERD_RULES.length * replicas * runs * (SYNCS_AFTERWARDS + outageMs / SYNC_MS);
}

const SYNC_MS = 10_000;
/** The simulation after the outage takes as much computing time per replica as this number of syncs. */
const SYNCS_AFTERWARDS = 100;

/** Computes the figures. Each of `runs` holds the instants at which its replicas were up, ascending. */
function figuresOf(runs: readonly Float64Array[]): Omit<HerdResult, "rule" | "startsInVain" | "startsAtMs"> {
  const meanOf = (figure: (upAtMs: Float64Array) => number): number =>
    runs.reduce((sum, run) => sum + figure(run), 0) / runs.length;
  const upAtMs = Float64Array.from(runs.flatMap((run) => [...run])).sort();
  return {
    upShares: MARKS_MS.map((afterMs) => ({ afterMs, share: countUpTo(afterMs, upAtMs) / upAtMs.length })),
    medianMs: upAtMs[Math.floor(upAtMs.length / 2)] ?? 0,
    lastMs: meanOf((run) => run.at(-1) ?? 0),
    peakStartsPerSecond: meanOf((run) => mostWithin(PEAK_MS, run)),
    upAtMs,
  };
}

function countUpTo(limitMs: number, ascendingMs: Float64Array): number {
  const firstLater = ascendingMs.findIndex((atMs) => atMs > limitMs);
  return firstLater < 0 ? ascendingMs.length : firstLater;
}

/** Returns the largest number of instants within any span of `spanMs`, its end excluded. */
function mostWithin(spanMs: number, ascendingMs: Float64Array): number {
  let most = 0;
  let first = 0;
  for (const [index, atMs] of ascendingMs.entries()) {
    while (atMs - (ascendingMs[first] ?? atMs) >= spanMs) first++;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

/**
 * Simulates the starts of a replica that exits at the beginning of the outage, after a run long enough for a reset, up
 * to the first start after the outage. Each replica has its own node, with its own ticks. A start takes no time.
 */
export function replicaStarts(outage: Outage, policy: CrashLoopPolicy, random: RandomSource): number[] {
  const tickOffsetMs = random() * TICK_MS;
  const tickAfter = (dueMs: number) => tickOffsetMs + Math.ceil((dueMs - tickOffsetMs) / TICK_MS) * TICK_MS;
  const syncs = drawnSyncs(policy.retry, random, tickAfter);
  const startsAtMs: number[] = [];
  let entry: BackoffEntry | undefined;
  let previousFinishedAtMs: number | null = null;
  let finishedAtMs = 0;
  for (;;) {
    const wait = waitAfter(entry, previousFinishedAtMs, { finishedAtMs, killedBySync: false }, policy);
    const startedAtMs = syncs(wait, finishedAtMs, false).lastMs;
    startsAtMs.push(startedAtMs);
    if (startedAtMs >= outage.outageMs) return startsAtMs;
    entry = entryAfterStart(entry, wait, startedAtMs, policy);
    previousFinishedAtMs = finishedAtMs;
    finishedAtMs = startedAtMs + outage.runMs;
  }
}

export interface HerdRule {
  readonly name: string;
  readonly policy: CrashLoopPolicy;
}

const NEWEST: PolicyInput = {
  version: null,
  featureGates: {},
  maxContainerRestartPeriodMs: null,
  syncFrequencyMs: null,
};

export const HERD_RULES: readonly HerdRule[] = [
  { name: "v1.34", policy: crashLoopPolicy({ ...NEWEST, version: { major: 1, minor: 34 } }) },
  { name: "v1.35+", policy: crashLoopPolicy(NEWEST) },
  { name: "max=60s", policy: crashLoopPolicy({ ...NEWEST, maxContainerRestartPeriodMs: 60_000 }) },
  {
    name: "reduced",
    policy: crashLoopPolicy({ ...NEWEST, featureGates: { ReduceDefaultCrashLoopBackOffDecay: true } }),
  },
];
