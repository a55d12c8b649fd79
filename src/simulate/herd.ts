import type { BackoffEntry, RandomSource } from "../backoff/backoff.ts";
import { entryAfterStart, HOUSEKEEPING_MS, type Wait, waitAfter } from "../kubelet/do-backoff.ts";
import { type CrashLoopPolicy, crashLoopPolicy, type PolicyInput } from "../kubelet/policy.ts";
import { nextSyncAfterMs, RELIST_MS, TICK_MS } from "../kubelet/retry-rule.ts";
import type { Progress } from "./progress.ts";
import { seededRandom } from "./seeded-random.ts";

/** Replicas that lose and regain the same dependency together, and how often that is repeated. */
export interface HerdSettings extends Outage {
  readonly replicas: number;
  readonly runs: number;
  readonly seed: number;
}

/** How many of the replicas are up again some time after the dependency is. */
interface UpShare {
  readonly afterMs: number;
  /** From 0 to 1. */
  readonly share: number;
}

/** How a herd came back under one rule, over all runs. Instants count from the moment the dependency was back. */
export interface HerdResult {
  readonly rule: HerdRule;
  readonly upShares: readonly UpShare[];
  readonly medianMs: number;
  /** The last replica of a run, in the mean. */
  readonly lastMs: number;
  /** The most starts within one second of a run, in the mean. */
  readonly peakStartsPerSecond: number;
  /** How often a replica was started in vain, in the mean. */
  readonly startsInVain: number;
  /** When a replica was up, of all replicas and runs; ascending. */
  readonly upAtMs: Float64Array;
  /** Every start of each replica in the first run; these instants count from the moment the dependency went. */
  readonly startsAtMs: readonly (readonly number[])[];
}

/** What the renderers draw. */
export interface Herd {
  readonly settings: HerdSettings;
  readonly results: readonly HerdResult[];
}

/** The longest wait of a container is 5 minutes, and a sync later it is up. */
const MARKS_MS = [30_000, 60_000, 120_000, 180_000, 300_000] as const;
const PEAK_MS = 1_000;

/** Lets the herd come back under every rule: yields how far it is and returns the results, one per rule. */
export function* stampede(settings: HerdSettings): Generator<Progress, Herd> {
  const results: HerdResult[] = [];
  for (const [index, rule] of HERD_RULES.entries()) {
    const tally = new Tally(settings);
    for (let run = 0; run < settings.runs; run++) {
      yield { done: (index + run / settings.runs) / HERD_RULES.length, doing: `kubelet ${rule.name}` };
      const random = seededRandom(settings.seed, "herd", rule.name, settings.replicas, run);
      tally.add(Array.from({ length: settings.replicas }, () => replicaStarts(settings, rule.policy, random)));
    }
    results.push({ rule, ...tally.summary() });
  }
  return { settings, results };
}

/** How much there is to do: the syncs of all kubelets, about one every ten seconds, and what does not depend on the outage. */
export function herdWork({ replicas, runs, outageMs }: HerdSettings): number {
  return HERD_RULES.length * replicas * runs * (SYNCS_AFTERWARDS + outageMs / SYNC_MS);
}

const SYNC_MS = 10_000;
/** As many syncs take as long as keeping one replica's figures. */
const SYNCS_AFTERWARDS = 100;

/** Adds runs up, and forgets all but the first. */
class Tally {
  readonly #settings: HerdSettings;
  readonly #upAtMs: Float64Array;
  #added = 0;
  #inVain = 0;
  #lastMs = 0;
  #peak = 0;
  #first: readonly (readonly number[])[] = [];

  constructor(settings: HerdSettings) {
    this.#settings = settings;
    this.#upAtMs = new Float64Array(settings.replicas * settings.runs);
  }

  add(startsAtMs: readonly (readonly number[])[]): void {
    const { outageMs } = this.#settings;
    const upAtMs = Float64Array.from(startsAtMs, (starts) => (starts.at(-1) ?? outageMs) - outageMs).sort();
    if (this.#added === 0) this.#first = startsAtMs;
    this.#upAtMs.set(upAtMs, this.#added);
    this.#added += upAtMs.length;
    this.#inVain += startsAtMs.reduce((sum, starts) => sum + starts.length - 1, 0);
    this.#lastMs += upAtMs.at(-1) ?? 0;
    this.#peak += mostWithin(PEAK_MS, upAtMs);
  }

  summary(): Omit<HerdResult, "rule"> {
    const { runs } = this.#settings;
    const upAtMs = this.#upAtMs.sort();
    return {
      upShares: MARKS_MS.map((afterMs) => ({ afterMs, share: countUpTo(afterMs, upAtMs) / upAtMs.length })),
      medianMs: upAtMs[Math.floor(upAtMs.length / 2)] ?? 0,
      lastMs: this.#lastMs / runs,
      peakStartsPerSecond: this.#peak / runs,
      startsInVain: this.#inVain / upAtMs.length,
      upAtMs,
      startsAtMs: this.#first,
    };
  }
}

function countUpTo(limitMs: number, ascendingMs: Float64Array): number {
  const firstLater = ascendingMs.findIndex((atMs) => atMs > limitMs);
  return firstLater < 0 ? ascendingMs.length : firstLater;
}

/** The most of the instants that lie within some span of that length, its end excluded. */
function mostWithin(spanMs: number, ascendingMs: Float64Array): number {
  let most = 0;
  let first = 0;
  for (const [index, atMs] of ascendingMs.entries()) {
    while (atMs - (ascendingMs[first] ?? atMs) >= spanMs) first++;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

/** A dependency that goes, and comes back. Instants count from the moment it went. */
interface Outage {
  readonly outageMs: number;
  /** How long a replica runs that started without it, before it exits. */
  readonly runMs: number;
}

/**
 * When a replica is started that exited the moment its dependency went, after a run that was long enough for a clean slate.
 * The last start is the first one with the dependency back: it stays up. Each replica has a node of its own, as far as ticks
 * go; what a start itself takes is left out.
 */
export function replicaStarts(outage: Outage, policy: CrashLoopPolicy, random: RandomSource): number[] {
  const tickOffsetMs = random() * TICK_MS;
  const startsAtMs: number[] = [];
  let entry: BackoffEntry | undefined;
  let previousFinishedAtMs: number | null = null;
  let finishedAtMs = 0;
  for (;;) {
    const wait = waitAfter(entry, previousFinishedAtMs, { finishedAtMs, killedBySync: false }, policy);
    const startedAtMs = startAfter(wait, finishedAtMs, policy, tickOffsetMs, random);
    startsAtMs.push(startedAtMs);
    if (startedAtMs >= outage.outageMs) return startsAtMs;
    entry = entryAfterStart(entry, wait, startedAtMs, policy);
    previousFinishedAtMs = finishedAtMs;
    finishedAtMs = startedAtMs + outage.runMs;
  }
}

/** The kubelet's first sync at or after the end of the wait, or after the housekeeping that drops the entry before. */
function startAfter(
  wait: Wait,
  finishedAtMs: number,
  policy: CrashLoopPolicy,
  tickOffsetMs: number,
  random: RandomSource,
): number {
  const readyAtMs = wait.droppedAtMs === null ? wait.readyAtMs : wait.droppedAtMs + random() * HOUSEKEEPING_MS;
  let syncAtMs = finishedAtMs + random() * RELIST_MS;
  while (syncAtMs < Math.min(readyAtMs, wait.plannedAtMs)) {
    const [leastMs, mostMs] = nextSyncAfterMs(policy.retry, wait.plannedAtMs - syncAtMs);
    const dueAtMs = syncAtMs + leastMs + random() * (mostMs - leastMs);
    syncAtMs = tickOffsetMs + Math.ceil((dueAtMs - tickOffsetMs) / TICK_MS) * TICK_MS;
  }
  return syncAtMs;
}

/** A kubelet's version and configuration, as far as its restarts depend on it. */
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

/** The kubelets that a herd is compared under. */
export const HERD_RULES: readonly HerdRule[] = [
  { name: "v1.34", policy: crashLoopPolicy({ ...NEWEST, version: { major: 1, minor: 34 } }) },
  { name: "v1.35+", policy: crashLoopPolicy(NEWEST) },
  { name: "max=60s", policy: crashLoopPolicy({ ...NEWEST, maxContainerRestartPeriodMs: 60_000 }) },
  {
    name: "reduced",
    policy: crashLoopPolicy({ ...NEWEST, featureGates: { ReduceDefaultCrashLoopBackOffDecay: true } }),
  },
];
