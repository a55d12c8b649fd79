import type { Interfaces } from "@oclif/core";
import { UserError } from "../../errors.ts";
import { formatGoDuration } from "../../kubelet/go-duration.ts";
import { type ContentionSettings, contend, contentionWork } from "../../simulate/contention.ts";
import { type HerdSettings, herdWork, stampede } from "../../simulate/herd.ts";
import { BackoffCommand } from "../base/backoff-command.ts";
import { refuseUnusedFlags, STRATEGY_FLAGS } from "../flags/strategy-flags.ts";
import { withProgressBar } from "../terminal/progress-bar.ts";

/** The most work of one simulation (see `contentionWork` and `herdWork`). It takes a few minutes. */
const MOST_WORK = 2e9;

export default class Strategies extends BackoffCommand {
  static override summary =
    "Simulate what jitter does to clients that contend, and how replicas recover from a shared outage.";

  static override description =
    "Lets clients that each update the same row once, with optimistic concurrency, retry with different jitter strategies, and " +
    "counts the calls and the time they need. With --herd, replicas lose the same dependency for a while, and it shows when " +
    "they are up again, for several kubelet versions and settings.";

  static override examples = [
    "# Compare the seven strategies\n  kubectl backoff strategies",
    "# Compare what the kubelet does with full jitter, as a page with charts\n" +
      "  kubectl backoff strategies --strategy full,kubelet -o html > contention.html",
    "# See how 300 replicas come back to a database that was away for 10 minutes\n" +
      "  kubectl backoff strategies --herd 300 --outage 10m",
  ];

  static override usage = ["strategies [FLAGS]", "strategies --herd N [FLAGS]"];

  static override flags = STRATEGY_FLAGS;

  async run(): Promise<number> {
    const { flags, metadata } = await this.parse(Strategies);
    const isGiven = (name: string): boolean => Object.hasOwn(flags, name) && !metadata.flags[name]?.setFromDefault;
    refuseUnusedFlags(flags.herd !== undefined, isGiven);
    const options = this.renderOptions(flags.color);
    // Imported here, because some command lines load all commands, and the libraries for charts take long to load.
    if (flags.herd === undefined) {
      const { CONTENTION_FORMS } = await import("../../render/strategies/contention-forms.ts");
      const contention = await withProgressBar(contend(contentionSettings(flags)), process.stderr);
      this.print(CONTENTION_FORMS[flags.output](contention, options), flags.output);
    } else {
      const { HERD_FORMS } = await import("../../render/strategies/herd-forms.ts");
      const herd = await withProgressBar(stampede(herdSettings(flags, flags.herd)), process.stderr);
      this.print(HERD_FORMS[flags.output](herd, options), flags.output);
    }
    return 0;
  }
}

type StrategiesFlags = Interfaces.InferredFlags<typeof Strategies.flags>;

function contentionSettings(flags: StrategiesFlags): ContentionSettings {
  const { strategy: strategies, clients, base: baseMs, cap: capMs, network, runs, seed } = flags;
  if (capMs < baseMs)
    throw new UserError("badFlag", "cap", formatGoDuration(capMs), `at least the base, ${formatGoDuration(baseMs)}`);
  return withinReason({ strategies, clients, runs, seed, baseMs, capMs, network }, contentionWork);
}

function herdSettings(flags: StrategiesFlags, replicas: number): HerdSettings {
  const { outage: outageMs, run: runMs, runs, seed } = flags;
  return withinReason({ replicas, runs, seed, outageMs, runMs }, herdWork);
}

/** Throws a usage error if the simulation would take longer than a few minutes. */
function withinReason<T extends { readonly runs: number }>(settings: T, workOf: (settings: T) => number): T {
  const mostRuns = Math.floor(MOST_WORK / workOf({ ...settings, runs: 1 }));
  if (settings.runs <= mostRuns) return settings;
  throw new UserError("badFlag", "runs", String(settings.runs), `at most ${mostRuns}, with all the rest as it is`);
}
