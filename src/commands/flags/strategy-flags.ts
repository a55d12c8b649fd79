import { STRATEGIES } from "../../backoff/jitter-strategies.ts";
import { DAY_MS } from "../../kubelet/go-duration.ts";
import { STRATEGIES_FORMS } from "../../render/forms.ts";
import { CONTENDERS, type ContenderName } from "../../simulate/contention.ts";
import type { Network } from "../../simulate/contention-run.ts";
import * as Values from "./flag-values.ts";
import { COLOR_FLAG, outputFlag, valueFlagWithDefault } from "./flags.ts";

const MOST_CLIENTS = 2_000;
const MOST_RUNS = 10_000;
const SPAN = Values.durationFrom(
  Values.MORE_THAN_ZERO_MS,
  DAY_MS,
  "a duration of more than 0s, up to 24h, such as 5ms, 2s or 10m",
);

const NETWORK: Values.ValueForm<Network> = {
  read: (text) => {
    const [meanMs = null, sdMs = 0, ...rest] = text.split(",").map((part) => Values.durationIn(part.trim(), DAY_MS));
    return meanMs === null || sdMs === null || rest.length > 0 ? null : { meanMs, sdMs };
  },
  expected: "a mean and a standard deviation, from 0s to 24h, such as 10ms,2ms",
};

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

const SEED_HELP = "Random seed: the same seed gives the same result on every machine";

/** The defaults of --base, --cap, --network and --runs are from aws-samples/aws-arch-backoff-simulator. */
export const STRATEGY_FLAGS = {
  strategy: valueFlagWithDefault("LIST", "Strategies to compare, also kubelet", NAMES, {
    value: Object.keys(STRATEGIES) as ContenderName[],
    shown: Object.keys(STRATEGIES).join(","),
  }),
  clients: valueFlagWithDefault("LIST", "Numbers of clients that contend", COUNTS, {
    value: [10, 50, 100, 190],
    shown: "10,50,100,190",
  }),
  base: valueFlagWithDefault("DURATION", "First sleep", SPAN, { value: 5, shown: "5ms" }),
  cap: valueFlagWithDefault("DURATION", "Longest sleep", SPAN, { value: 2_000, shown: "2s" }),
  network: valueFlagWithDefault("MEAN,SD", "How long a message takes, normally distributed", NETWORK, {
    value: { meanMs: 10, sdMs: 2 },
    shown: "10ms,2ms",
  }),
  runs: valueFlagWithDefault("N", "How often each is repeated", Values.wholeFrom(1, MOST_RUNS), {
    value: 100,
    shown: "100",
  }),
  seed: valueFlagWithDefault("N", SEED_HELP, Values.SEED, { value: 1, shown: "1" }),
  output: outputFlag(STRATEGIES_FORMS),
  ...COLOR_FLAG,
};
