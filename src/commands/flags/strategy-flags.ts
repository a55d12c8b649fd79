import * as Flags from "@oclif/core/flags";
import { STRATEGIES } from "../../backoff/jitter-strategies.ts";
import { UserError } from "../../errors.ts";
import { parseGoDuration } from "../../kubelet/go-duration.ts";
import type { SimulationFormat } from "../../render/strategies/contention-forms.ts";
import type { Network } from "../../simulate/contention-run.ts";
import { CONTENDERS, type ContenderName } from "../../simulate/contention-strategies.ts";
import { parseCount, parseCounts, parseSeed } from "./flag-values.ts";
import { COLOR_FLAG, oneOfForms } from "./flags.ts";

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

/** What the experiment is made of. None of it goes with --herd. */
export const CONTENTION_FLAGS = {
  strategy: Flags.custom<readonly ContenderName[]>({
    helpValue: "LIST",
    description: `Strategies to compare, also kubelet. Default: ${Object.keys(STRATEGIES).join(",")}`,
    parse: async (text) => parseStrategies(text),
  })(),
  clients: Flags.custom<readonly number[]>({
    helpValue: "LIST",
    description: "Numbers of clients that contend. Default: 10,50,100,190",
    parse: async (text) => parseCounts("clients", text, MOST_CLIENTS),
  })(),
  base: span("base", "First sleep. Default: 5ms"),
  cap: span("cap", "Longest sleep. Default: 2s"),
  network: Flags.custom<Network>({
    helpValue: "MEAN,SD",
    description: "How long a message takes, normally distributed. Default: 10ms,2ms",
    parse: async (text) => parseNetwork(text),
  })(),
};

/** What a herd is made of. */
export const HERD_FLAGS = {
  herd: Flags.custom<number>({
    helpValue: "N",
    description: "Simulate N replicas recovering from a shared outage instead, per kubelet setting",
    parse: async (text) => parseCount("herd", text, 1, MOST_REPLICAS),
  })(),
  outage: span("outage", "How long the dependency is gone. Default: 10m"),
  run: Flags.custom<number>({
    helpValue: "DURATION",
    description: "How long a replica runs without its dependency before it exits. Default: 5s",
    parse: async (text) => parseSpan("run", text, "zero"),
  })(),
};

/** What both have in common. */
export const SIMULATION_FLAGS = {
  runs: Flags.custom<number>({
    helpValue: "N",
    description: "How often each is repeated. Default: 100",
    parse: async (text) => parseCount("runs", text, 1, MOST_RUNS),
  })(),
  seed: Flags.custom<number>({
    helpValue: "N",
    description: "Random seed: the same seed gives the same result on every machine. Default: 1",
    parse: async (text) => parseSeed(text),
  })(),
  output: Flags.custom<SimulationFormat>({ ...oneOfForms(FORMATS), default: "table" })(),
  ...COLOR_FLAG,
};

function span(flag: string, description: string) {
  return Flags.custom<number>({
    helpValue: "DURATION",
    description,
    parse: async (text) => parseSpan(flag, text, "more than zero"),
  })();
}

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

const DAY_MS = 86_400_000;

/** A Go duration, up to a day; zero only where that means something. */
function parseSpan(flag: string, text: string, least: "zero" | "more than zero"): number {
  const ms = parseGoDuration(text.trim());
  if (ms !== null && ms <= DAY_MS && (ms > 0 || (ms === 0 && least === "zero"))) return ms;
  const bounds = least === "zero" ? "from 0s to 24h" : "of more than 0s, up to 24h";
  throw new UserError("badFlag", flag, text, `a duration ${bounds}, such as 5ms, 2s or 10m`);
}

/** How long a message takes: a mean, and a standard deviation after a comma; without it, none. */
function parseNetwork(text: string): Network {
  const [meanMs, sdMs = 0, ...rest] = text.split(",").map((part) => parseGoDuration(part.trim()) ?? Number.NaN);
  const isDuration = (ms: number | undefined) => ms !== undefined && ms >= 0 && ms <= DAY_MS;
  if (meanMs !== undefined && isDuration(meanMs) && isDuration(sdMs) && rest.length === 0) return { meanMs, sdMs };
  throw new UserError("badFlag", "network", text, "a mean and a standard deviation, from 0s to 24h, such as 10ms,2ms");
}

/** Names of strategies with commas between; the same one twice counts once. */
function parseStrategies(text: string): ContenderName[] {
  const known = Object.keys(CONTENDERS) as ContenderName[];
  const names = text.split(",").map((part) => {
    const name = known.find((candidate) => candidate === part.trim());
    if (name === undefined) throw new UserError("badFlag", "strategy", text, `some of ${known.join(", ")}`);
    return name;
  });
  return [...new Set(names)];
}
