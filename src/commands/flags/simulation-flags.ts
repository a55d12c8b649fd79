import * as Flags from "@oclif/core/flags";
import { UserError } from "../../errors.ts";
import { parseGoDuration } from "../../kubelet/go-duration.ts";
import { RESTART_FORMS } from "../../render/simulation/simulation-forms.ts";
import { MOST_STARTS } from "../../simulate/simulate.ts";
import type { FailingProbe, VariedLength } from "../../simulate/simulated-run.ts";
import { parseCount, parseSeed } from "./flag-values.ts";
import { COLOR_FLAG, oneOfForms } from "./flags.ts";
import { type NamedChanges, parseConfigurations } from "./simulation-configurations.ts";

type SimulationFormat = keyof typeof RESTART_FORMS;

const FORMATS = Object.keys(RESTART_FORMS) as SimulationFormat[];
const LARGEST_EXIT_CODE = 255;

/** How the container runs. Not as oclif's own defaults: what was given has to be told from what was not. */
export const RUN_FLAGS = {
  run: Flags.custom<VariedLength[]>({
    helpValue: "LENGTHS",
    description:
      "How long each run lasts: 42s, or 5s,5s,10m (the last one repeats), or 10s±20% (also 10s+-20%). Default: 10s",
    parse: async (text) => parseRunLengths(text),
  })(),
  liveness: probeFlag("liveness-probe", "A liveness probe that always fails ends each run"),
  startup: probeFlag("startup-probe", "A startup probe that always fails ends each run"),
  "exit-code": Flags.custom<number>({
    helpValue: "N",
    description: "Exit code of each run. Default: 1; after a probe 143, or 137 if it ignores SIGTERM",
    parse: async (text) => parseCount("exit-code", text, 0, LARGEST_EXIT_CODE),
  })(),
  "restart-policy": Flags.option({ options: ["Always", "OnFailure", "Never"] as const })({
    description: "restartPolicy of the pod. Default: Always",
  }),
};

/** Where to take all that from. */
export const FROM_FLAGS = {
  from: Flags.string({
    helpValue: "TYPE/NAME",
    description:
      "Imitate the runs, restartPolicy and node configuration of this pod; of a deployment and the like, of its pod with " +
      "the most restarts",
  }),
  filename: Flags.string({
    char: "f",
    multiple: true,
    multipleNonGreedy: true,
    helpValue: "FILE",
    description: "Read that pod from what kubectl printed: a file, a folder or - for stdin",
  }),
  container: Flags.string({
    char: "c",
    helpValue: "NAME",
    description: "Container of that pod. Default: the one with the most restarts",
  }),
};

/** How much, and how it is shown. */
export const EXTENT_FLAGS = {
  for: Flags.custom<number>({
    helpValue: "DURATION",
    description: "Simulate this long. Default: 30m",
    parse: async (text) => parseFor(text),
  })(),
  restarts: Flags.custom<number>({
    helpValue: "N",
    description: "Simulate this many restarts instead of a duration",
    parse: async (text) => parseCount("restarts", text, 0, MOST_STARTS - 1),
  })(),
  seed: Flags.custom<number>({
    helpValue: "N",
    description: "Random seed for varied runs and for the timing of syncs and probes. Default: typical timing",
    parse: async (text) => parseSeed(text),
  })(),
  compare: Flags.custom<NamedChanges[]>({
    helpValue: "LIST",
    description:
      "Compare settings side by side: default, max=60s, reduced, v1.34, as-is; + joins several into one: v1.34+reduced",
    parse: async (text) => parseConfigurations("compare", text),
  })(),
  output: Flags.custom<SimulationFormat>({ ...oneOfForms(FORMATS), default: "table" })(),
  ...COLOR_FLAG,
};

function probeFlag(kind: FailingProbe["kind"], description: string) {
  return Flags.custom<FailingProbe>({
    helpValue: "SETTINGS",
    description: `${description}: initialDelay=3,period=3,failure=3,grace=30,ignores-term (in seconds)`,
    parse: async (text) => parseProbe(kind, text),
  })();
}

const EXCLUSIVE = [
  ["run", "liveness", "startup"],
  ["for", "restarts"],
] as const;

/** Refuses flags that say the same thing twice: one of them would be ignored. */
export function refuseContradictions(flags: Readonly<Record<string, unknown>>): void {
  for (const names of EXCLUSIVE) {
    const given = names.filter((name) => flags[name] !== undefined).map((name) => `--${name}`);
    if (given.length > 1) throw new UserError("exclusive", given);
  }
}

/** Durations of a simulation end here: a year. */
const MOST_MS = 365 * 24 * 3_600_000;
/** More run lengths than anybody types. */
const MOST_LENGTHS = 1_000;

const VARIED = /^(?<length>.+?)(?:±|\+-|\+\/-)(?<spread>.+)$/;

/** Run lengths with commas between: "42s", "5s,5s,10m", "10s±20%", "10s+-2s". */
function parseRunLengths(text: string): VariedLength[] {
  const lengths = text.split(",").map((part) => lengthOf(part.trim()));
  const known = lengths.filter((length) => length !== null);
  if (known.length === lengths.length && known.length <= MOST_LENGTHS) return known;
  throw new UserError("badFlag", "run", text, "lengths of runs such as 42s, 5s,5s,10m or 10s±20%");
}

function lengthOf(text: string): VariedLength | null {
  const { length = text, spread = "0s" } = VARIED.exec(text)?.groups ?? {};
  const ms = durationOf(length);
  if (ms === null) return null;
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(spread)?.[1];
  const spreadMs = percent === undefined ? durationOf(spread) : (ms * Number(percent)) / 100;
  return spreadMs === null || spreadMs > ms ? null : { ms, spreadMs };
}

/** A Go duration of 0 to a year, or null. */
function durationOf(text: string): number | null {
  const ms = parseGoDuration(text);
  return ms !== null && ms >= 0 && ms <= MOST_MS ? ms : null;
}

/** For how long to simulate. */
function parseFor(text: string): number {
  const ms = durationOf(text.trim());
  if (ms !== null && ms > 0) return ms;
  throw new UserError("badFlag", "for", text, "a duration of more than 0s, up to a year, such as 30m or 24h");
}

/** What the settings of a probe are called here, and what holds for one that is not named. */
const PROBE_DEFAULTS = { initialDelay: 0, period: 10, failure: 3, grace: 30, after: 0 } as const;

const PROBE_FORM =
  "settings such as initialDelay=3,period=3,failure=3,grace=30,ignores-term (seconds, or durations), and perhaps after=5m or phase=0";

/** A probe that fails at every try: "initialDelay=3,period=3,failure=3,grace=30,ignores-term"; what is left out has the API's default. */
function parseProbe(kind: FailingProbe["kind"], text: string): FailingProbe {
  const flag = kind === "liveness-probe" ? "liveness" : "startup";
  const bad = () => new UserError("badFlag", flag, text, PROBE_FORM);
  const given = new Map<string, number>();
  let ignoresTerm = false;
  for (const part of text.split(",").map((setting) => setting.trim())) {
    const [name = "", value, ...rest] = part.split("=");
    const amount = SETTINGS.has(name) ? settingOf(name, value) : null;
    if (name === "ignores-term" && value === undefined) ignoresTerm = true;
    else if (amount === null || given.has(name) || rest.length > 0) throw bad();
    else given.set(name, amount);
  }
  const setting = (name: keyof typeof PROBE_DEFAULTS) => given.get(name) ?? PROBE_DEFAULTS[name] * perSecond(name);
  const periodMs = setting("period");
  const phaseMs = given.get("phase") ?? null;
  if (periodMs <= 0 || setting("failure") < 1 || (phaseMs ?? 0) > periodMs) throw bad();
  return {
    ...{ kind, ignoresTerm, periodMs, phaseMs },
    initialDelayMs: setting("initialDelay"),
    failureThreshold: setting("failure"),
    graceMs: setting("grace"),
    failsAfterMs: setting("after"),
  };
}

const SETTINGS = new Set([...Object.keys(PROBE_DEFAULTS), "phase"]);

function perSecond(name: string): number {
  return name === "failure" ? 1 : 1_000;
}

/** A number of seconds as in a pod's spec, or a duration; the threshold is a number. */
function settingOf(name: string, text: string | undefined): number | null {
  if (text !== undefined && /^\d{1,8}$/.test(text)) return Number(text) * perSecond(name);
  return text === undefined || name === "failure" ? null : durationOf(text);
}
