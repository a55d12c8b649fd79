import type { Interfaces } from "@oclif/core";
import { UserError } from "../../errors.ts";
import { DAY_MS } from "../../kubelet/go-duration.ts";
import { SIMULATE_FORMS } from "../../render/forms.ts";
import { MOST_STARTS } from "../../simulate/simulate.ts";
import type { FailingProbe, VariedLength } from "../../simulate/simulated-run.ts";
import * as Values from "./flag-values.ts";
import { COLOR_FLAG, containerFlag, filenameFlag, outputFlag, valueFlag } from "./flags.ts";
import { CONFIGURATIONS } from "./simulation-configurations.ts";

const YEAR_MS = 365 * DAY_MS;
const LARGEST_EXIT_CODE = 255;
const MOST_LENGTHS = 1_000;

const VARIED = /^(?<length>.+?)(?:±|\+-|\+\/-)(?<spread>.+)$/;

function lengthOf(text: string): VariedLength | null {
  const { length = text, spread = "0s" } = VARIED.exec(text)?.groups ?? {};
  const ms = Values.durationIn(length, YEAR_MS);
  if (ms === null) return null;
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(spread)?.[1];
  const spreadMs = percent === undefined ? Values.durationIn(spread, YEAR_MS) : (ms * Number(percent)) / 100;
  return spreadMs === null || spreadMs > ms ? null : { ms, spreadMs };
}

/** The API's defaults in seconds; `failure` is a count. The API has no `after`. */
const PROBE_DEFAULTS = { initialDelay: 0, period: 10, failure: 3, grace: 30, after: 0 } as const;
const SETTINGS = new Set([...Object.keys(PROBE_DEFAULTS), "phase"]);

function probeForm(kind: FailingProbe["kind"]): Values.ValueForm<FailingProbe> {
  return {
    read: (text) => probeIn(kind, text),
    expected:
      "settings such as initialDelay=3,period=3,failure=3,grace=30,ignores-term (seconds, or durations), and perhaps after=5m or phase=0",
  };
}

function probeIn(kind: FailingProbe["kind"], text: string): FailingProbe | null {
  const given = new Map<string, number>();
  let ignoresTerm = false;
  for (const part of text.split(",").map((setting) => setting.trim())) {
    const [name = "", value, ...rest] = part.split("=");
    const amount = SETTINGS.has(name) ? settingOf(name, value) : null;
    if (name === "ignores-term" && value === undefined) ignoresTerm = true;
    else if (amount === null || given.has(name) || rest.length > 0) return null;
    else given.set(name, amount);
  }
  const setting = (name: keyof typeof PROBE_DEFAULTS) => given.get(name) ?? PROBE_DEFAULTS[name] * unitOf(name);
  const periodMs = setting("period");
  const phaseMs = given.get("phase") ?? null;
  if (periodMs <= 0 || setting("failure") < 1 || (phaseMs ?? 0) > periodMs) return null;
  return {
    ...{ kind, ignoresTerm, periodMs, phaseMs },
    initialDelayMs: setting("initialDelay"),
    failureThreshold: setting("failure"),
    graceMs: setting("grace"),
    failsAfterMs: setting("after"),
  };
}

function unitOf(name: string): number {
  return name === "failure" ? 1 : 1_000;
}

function settingOf(name: string, text: string | undefined): number | null {
  if (text !== undefined && /^\d{1,8}$/.test(text)) return Number(text) * unitOf(name);
  return text === undefined || name === "failure" ? null : Values.durationIn(text, YEAR_MS);
}

const POLICIES = ["Always", "OnFailure", "Never"] as const;

/** Without defaults, because the program must know which flags the user passed. */
const RUN_FLAGS = {
  run: valueFlag(
    "LENGTHS",
    "How long each run lasts: 42s, or 5s,5s,10m (the last one repeats), or 10s±20% (also 10s+-20%). Default: 10s",
    Values.listForm(lengthOf, MOST_LENGTHS, "lengths of runs such as 42s, 5s,5s,10m or 10s±20%"),
  ),
  liveness: probeFlag("liveness-probe", "A liveness probe that always fails ends each run"),
  startup: probeFlag("startup-probe", "A startup probe that always fails ends each run"),
  "exit-code": valueFlag(
    "N",
    "Exit code of each run. Default: 1; after a probe 143, or 137 if it ignores SIGTERM",
    Values.wholeFrom(0, LARGEST_EXIT_CODE),
  ),
  "restart-policy": valueFlag(
    POLICIES.join("|"),
    "restartPolicy of the pod. Default: Always",
    Values.oneOfForm(POLICIES),
  ),
};

const POD_FLAGS = {
  filename: filenameFlag("Read the pod from what kubectl printed: a file, a folder or - for stdin"),
  container: containerFlag("Container of the pod. Default: the one with the most restarts"),
};

const EXTENT_FLAGS = {
  for: valueFlag(
    "DURATION",
    "Simulate this long. Default: 30m",
    Values.durationFrom(
      Values.MORE_THAN_ZERO_MS,
      YEAR_MS,
      "a duration of more than 0s, up to a year, such as 30m or 24h",
    ),
  ),
  restarts: valueFlag("N", "Simulate this many restarts instead of a duration", Values.wholeFrom(0, MOST_STARTS - 1)),
  seed: valueFlag(
    "N",
    "Random seed for varied runs and for the timing of syncs and probes. Default: typical timing",
    Values.SEED,
  ),
  compare: valueFlag(
    "LIST",
    "Compare settings side by side: default, max=60s, reduced, v1.34, as-is; + joins several into one: v1.34+reduced",
    CONFIGURATIONS,
  ),
  output: outputFlag(SIMULATE_FORMS),
  ...COLOR_FLAG,
};

export const SIMULATE_FLAGS = { ...RUN_FLAGS, ...POD_FLAGS, ...EXTENT_FLAGS };

export type SimulateValues = Interfaces.InferredFlags<typeof SIMULATE_FLAGS>;

function probeFlag(kind: FailingProbe["kind"], description: string) {
  const settings =
    "initialDelay=3,period=3,failure=3,grace=30,ignores-term (in seconds); after=5m: it fails only from then on; " +
    "phase=1: its first check in a period, else a random one with --seed";
  return valueFlag("SETTINGS", `${description}: ${settings}`, probeForm(kind));
}

const EXCLUSIVE = [
  ["run", "liveness", "startup"],
  ["for", "restarts"],
] as const;

export function refuseContradictions(flags: Readonly<Record<string, unknown>>): void {
  for (const names of EXCLUSIVE) {
    const given = names.filter((name) => flags[name] !== undefined).map((name) => `--${name}`);
    if (given.length > 1) throw new UserError("exclusive", given);
  }
}
