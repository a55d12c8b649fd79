import * as Flags from "@oclif/core/flags";
import { STRATEGIES } from "../../backoff/jitter-strategies.ts";
import { UserError } from "../../errors.ts";
import type { SimulationFormat } from "../../render/strategies/contention-forms.ts";
import type { Network } from "../../simulate/contention-run.ts";
import { CONTENDERS, type ContenderName } from "../../simulate/contention-strategies.ts";
import {
  countsTo,
  durationFrom,
  durationIn,
  eachIn,
  MORE_THAN_ZERO_MS,
  SEED,
  type ValueForm,
  wholeFrom,
} from "./flag-values.ts";
import { COLOR_FLAG, oneOfForms, valueFlag } from "./flags.ts";

const FORMATS: readonly SimulationFormat[] = ["table", "csv", "json", "svg", "html"];
const MOST_CLIENTS = 2_000;
const MOST_RUNS = 10_000;
const MOST_REPLICAS = 20_000;

/**
 * What counts where a flag is not given: the original experiment, and an outage that people remember. Not as oclif's own
 * defaults: what was given has to be told from what was not.
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

const DAY_MS = 86_400_000;
const SPAN = durationFrom(MORE_THAN_ZERO_MS, DAY_MS, "a duration of more than 0s, up to 24h, such as 5ms, 2s or 10m");
const SPAN_OR_NONE = durationFrom(0, DAY_MS, "a duration from 0s to 24h, such as 5ms, 2s or 10m");

/** How long a message takes: a mean, and a standard deviation after a comma; without it, none. */
const NETWORK: ValueForm<Network> = {
  read: (text) => {
    const [meanMs, sdMs = 0, ...rest] = eachIn(text, (part) => durationIn(part, 0, DAY_MS)) ?? [];
    return meanMs === undefined || rest.length > 0 ? null : { meanMs, sdMs };
  },
  expected: "a mean and a standard deviation, from 0s to 24h, such as 10ms,2ms",
};

const CONTENDER_NAMES = Object.keys(CONTENDERS) as ContenderName[];

/** Names of strategies with commas between; the same one twice counts once. */
const NAMES: ValueForm<readonly ContenderName[]> = {
  read: (text) => {
    const names = eachIn(text, (part) => CONTENDER_NAMES.find((name) => name === part) ?? null);
    return names && [...new Set(names)];
  },
  expected: `some of ${CONTENDER_NAMES.join(", ")}`,
};

/** What the experiment is made of. None of it goes with --herd. */
const CONTENTION_FLAGS = {
  strategy: valueFlag(
    "LIST",
    `Strategies to compare, also kubelet. Default: ${Object.keys(STRATEGIES).join(",")}`,
    NAMES,
  ),
  clients: valueFlag("LIST", "Numbers of clients that contend. Default: 10,50,100,190", countsTo(MOST_CLIENTS)),
  base: valueFlag("DURATION", "First sleep. Default: 5ms", SPAN),
  cap: valueFlag("DURATION", "Longest sleep. Default: 2s", SPAN),
  network: valueFlag("MEAN,SD", "How long a message takes, normally distributed. Default: 10ms,2ms", NETWORK),
};

const HERD_FLAGS = {
  herd: valueFlag(
    "N",
    "Simulate N replicas recovering from a shared outage instead, per kubelet setting",
    wholeFrom(1, MOST_REPLICAS),
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
  runs: valueFlag("N", "How often each is repeated. Default: 100", wholeFrom(1, MOST_RUNS)),
  seed: valueFlag("N", "Random seed: the same seed gives the same result on every machine. Default: 1", SEED),
  output: Flags.custom<SimulationFormat>({ ...oneOfForms(FORMATS), default: "table" })(),
  ...COLOR_FLAG,
};

/** Refuses flags of the experiment with --herd, and flags of a herd without it: they would be ignored. */
export function refuseStrangers(flags: Readonly<Record<string, unknown>>): void {
  const isGiven = (name: string) => flags[name] !== undefined;
  if (isGiven("herd")) {
    const stranger = Object.keys(CONTENTION_FLAGS).find(isGiven);
    if (stranger !== undefined) throw new UserError("notWithHerd", stranger);
    return;
  }
  const stranger = Object.keys(HERD_FLAGS).find(isGiven);
  if (stranger !== undefined) throw new UserError("onlyWithHerd", stranger);
}
