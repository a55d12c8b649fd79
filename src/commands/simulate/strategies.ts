import type { Interfaces } from "@oclif/core";
import { UserError } from "../../errors.ts";
import { formatGoDuration } from "../../kubelet/go-duration.ts";
import { STRATEGIES_FORMS } from "../../render/forms.ts";
import { type ContentionSettings, contend, contentionWork } from "../../simulate/contention.ts";
import { BackoffCommand } from "../base/backoff-command.ts";
import { STRATEGY_FLAGS } from "../flags/strategy-flags.ts";
import { withProgressBar } from "../terminal/progress-bar.ts";

/** The limit on `contentionWork`. Assumed: a larger simulation would take too long. */
const MOST_WORK = 2e9;

export default class Strategies extends BackoffCommand {
  static override summary = "Simulate what jitter does to clients that contend.";

  static override description =
    "Lets clients that each update the same row once, with optimistic concurrency, retry with different jitter strategies, and " +
    "counts the calls and the time they need.";

  static override examples = [
    "# Compare the seven strategies\n  kubectl backoff strategies",
    "# Compare what the kubelet does with full jitter, as a page with charts\n" +
      "  kubectl backoff strategies --strategy full,kubelet -o html > contention.html",
  ];

  static override usage = "strategies [FLAGS]";

  static override flags = STRATEGY_FLAGS;

  async run(): Promise<number> {
    const { flags } = await this.parse(Strategies);
    const contention = await withProgressBar(contend(contentionSettings(flags)), process.stderr);
    const render = await STRATEGIES_FORMS[flags.output]();
    this.print(render(contention, this.renderOptions(flags.color)), flags.output);
    return 0;
  }
}

type StrategiesFlags = Interfaces.InferredFlags<typeof Strategies.flags>;

function contentionSettings(flags: StrategiesFlags): ContentionSettings {
  const { strategy: strategies, clients, base: initialMs, cap: maxMs, network, runs, seed } = flags;
  if (maxMs < initialMs)
    throw new UserError("badFlag", "cap", formatGoDuration(maxMs), `at least the base, ${formatGoDuration(initialMs)}`);
  const settings = { strategies, clients, runs, seed, initialMs, maxMs, network };
  const mostRuns = Math.floor(MOST_WORK / contentionWork({ ...settings, runs: 1 }));
  if (runs > mostRuns)
    throw new UserError("badFlag", "runs", String(runs), `at most ${mostRuns}, with all the rest as it is`);
  return settings;
}
