import * as Flags from "@oclif/core/flags";
import { UserError } from "../../errors.ts";
import { RESTART_FORMS } from "../../render/simulation/simulation-forms.ts";
import { MOST_STARTS } from "../../simulate/simulate.ts";
import type { FailingProbe, VariedLength } from "../../simulate/simulated-run.ts";
import { parseCount, parseSeed } from "./flag-values.ts";
import { COLOR_FLAG, oneOfForms } from "./flags.ts";
import { type NamedChanges, parseConfigurations } from "./simulation-configurations.ts";
import { parseFor, parseProbe, parseRunLengths } from "./simulation-values.ts";

type SimulationFormat = keyof typeof RESTART_FORMS;

const FORMATS = Object.keys(RESTART_FORMS) as SimulationFormat[];
const LARGEST_EXIT_CODE = 255;

/** How the container runs. Not as oclif's own defaults: what was given has to be told from what was not. */
export const RUN_FLAGS = {
  run: Flags.custom<VariedLength[]>({
    helpValue: "LENGTHS",
    description:
      "How long each run lasts: 42s, or 5s,5s,10m (the last one repeats), or 10s±20% (also 10s+-20%); 10s unless given",
    parse: async (text) => parseRunLengths(text),
  })(),
  liveness: probeFlag("liveness-probe", "A liveness probe that always fails ends each run"),
  startup: probeFlag("startup-probe", "The same for a startup probe"),
  "exit-code": Flags.custom<number>({
    helpValue: "N",
    description: "What each run exits with: 1 unless given; after a probe 143, or 137 if it ignores SIGTERM",
    parse: async (text) => parseCount("exit-code", text, 0, LARGEST_EXIT_CODE),
  })(),
  "restart-policy": Flags.option({ options: ["Always", "OnFailure", "Never"] as const })({
    description: "restartPolicy of the pod: Always unless given",
  }),
};

/** Where to take all that from. */
export const FROM_FLAGS = {
  from: Flags.string({
    helpValue: "TYPE/NAME",
    description:
      "Take runs, restartPolicy and the node's configuration from this pod (or the one with the most restarts of a " +
      "deployment …) of the cluster, or of the files of -f",
  }),
  filename: Flags.string({
    char: "f",
    multiple: true,
    multipleNonGreedy: true,
    helpValue: "FILE",
    description: "The same from what kubectl printed: a file, a folder or - for stdin",
  }),
  container: Flags.string({
    char: "c",
    helpValue: "NAME",
    description: "Its container; the one with the most restarts unless given",
  }),
};

/** How much, and how it is shown. */
export const EXTENT_FLAGS = {
  for: Flags.custom<number>({
    helpValue: "DURATION",
    description: "For how long: 30m unless given",
    parse: async (text) => parseFor(text),
  })(),
  restarts: Flags.custom<number>({
    helpValue: "N",
    description: "Instead: for so many restarts",
    parse: async (text) => parseCount("restarts", text, 0, MOST_STARTS - 1),
  })(),
  seed: Flags.custom<number>({
    helpValue: "N",
    description:
      "Draw what varies, the kubelet's looks and probe phases included, from this seed; looks are typical ones unless given",
    parse: async (text) => parseSeed(text),
  })(),
  compare: Flags.custom<NamedChanges[]>({
    helpValue: "LIST",
    description: "Side by side: default, max=60s, reduced, v1.34, as-is; + joins several into one: v1.34+reduced",
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
