import { STRATEGIES } from "../../backoff/jitter-strategies.ts";
import { UserError } from "../../errors.ts";
import type { SimulationFormat } from "../../render/strategies/contention-forms.ts";
import type { Network } from "../../simulate/contention-run.ts";
import { CONTENDERS, type ContenderName } from "../../simulate/contention-strategies.ts";
import * as Values from "./flag-values.ts";
import { COLOR_FLAG, outputFlag, valueFlag } from "./flags.ts";

/**
 * The defaults: the settings of the original experiment, and a typical outage. They are not oclif's defaults, because
 * `refuseUnusedFlags` has to know which flags the user passed.
 */
export const DEFAULTS = {
  strategies: Object.keys(STRATEGIES) as readonly ContenderName[],
  clients: [10, 50, 100, 190] as readonly number[],
  baseMs: 5,
  capMs: 2_000,
  network: { meanMs: 10, sdMs: 2 },
  outageMs: 600_000,
  runMs: 5_000,
  runs: 100,
  seed: 1,
} as const;

const MOST_CLIENTS = 2_000;
const MOST_RUNS = 10_000;
const MOST_REPLICAS = 20_000;
const DAY_MS = 86_400_000;
const SPAN = Values.durationFrom(
  Values.MORE_THAN_ZERO_MS,
  DAY_MS,
  "a duration of more than 0s, up to 24h, such as 5ms, 2s or 10m",
);
const SPAN_OR_NONE = Values.durationFrom(0, DAY_MS, "a duration from 0s to 24h, such as 5ms, 2s or 10m");

/** How long a message takes: the mean and, after a comma, the standard deviation (default 0). */
const NETWORK: Values.ValueForm<Network> = {
  read: (text) => {
    const [meanMs = null, sdMs = 0, ...rest] = text.split(",").map((part) => Values.durationIn(part.trim(), DAY_MS));
    return meanMs === null || sdMs === null || rest.length > 0 ? null : { meanMs, sdMs };
  },
  expected: "a mean and a standard deviation, from 0s to 24h, such as 10ms,2ms",
};

/** More columns than this do not fit in a table. */
const MOST_COUNTS = 20;
const COUNTS = Values.listForm(
  Values.wholeFrom(1, MOST_CLIENTS).read,
  MOST_COUNTS,
  `up to ${MOST_COUNTS} whole numbers from 1 to ${MOST_CLIENTS}, such as 10,100`,
);

const CONTENDER_NAMES = Object.keys(CONTENDERS) as ContenderName[];
const NAMES = Values.listForm(
  (part) => CONTENDER_NAMES.find((name) => name === part) ?? null,
  CONTENDER_NAMES.length,
  `some of ${CONTENDER_NAMES.join(", ")}`,
);

/** The flags that --herd excludes. */
const CONTENTION_FLAGS = {
  strategy: valueFlag(
    "LIST",
    `Strategies to compare, also kubelet. Default: ${Object.keys(STRATEGIES).join(",")}`,
    NAMES,
  ),
  clients: valueFlag("LIST", "Numbers of clients that contend. Default: 10,50,100,190", COUNTS),
  base: valueFlag("DURATION", "First sleep. Default: 5ms", SPAN),
  cap: valueFlag("DURATION", "Longest sleep. Default: 2s", SPAN),
  network: valueFlag("MEAN,SD", "How long a message takes, normally distributed. Default: 10ms,2ms", NETWORK),
};

const HERD_FLAGS = {
  herd: valueFlag(
    "N",
    "Simulate N replicas recovering from a shared outage instead, per kubelet setting",
    Values.wholeFrom(1, MOST_REPLICAS),
  ),
  outage: valueFlag("DURATION", "How long the dependency is gone. Default: 10m", SPAN),
  run: valueFlag(
    "DURATION",
    "How long a replica runs without its dependency before it exits. Default: 5s",
    SPAN_OR_NONE,
  ),
};

export const STRATEGY_FLAGS = {
  ...CONTENTION_FLAGS,
  ...HERD_FLAGS,
  runs: valueFlag("N", "How often each is repeated. Default: 100", Values.wholeFrom(1, MOST_RUNS)),
  seed: valueFlag("N", "Random seed: the same seed gives the same result on every machine. Default: 1", Values.SEED),
  output: outputFlag<SimulationFormat>(["table", "csv", "json", "svg", "html"]),
  ...COLOR_FLAG,
};

/** Throws a usage error for flags that would have no effect: those of the contention with --herd, those of a herd without it. */
export function refuseUnusedFlags(flags: Readonly<Record<string, unknown>>): void {
  const isHerd = flags["herd"] !== undefined;
  const unused = Object.keys(isHerd ? CONTENTION_FLAGS : HERD_FLAGS).find((name) => flags[name] !== undefined);
  if (unused !== undefined) throw new UserError(isHerd ? "notWithHerd" : "onlyWithHerd", unused);
}
