import { askedTargets, targetsIn } from "../../cluster/api/target-words.ts";
import { UserError } from "../../errors.ts";
import { explainWithCases } from "../../explain/explain.ts";
import { SIMULATE_FORMS } from "../../render/forms.ts";
import type { Simulated, SimulationReport } from "../../render/simulation/simulation-report.ts";
import { seededRandom } from "../../simulate/seeded-random.ts";
import { type SimulationExtent, simulate, startWindows } from "../../simulate/simulate.ts";
import { drawnStarts, typicalStarts } from "../../simulate/start-choice.ts";
import { ClusterCommand } from "../base/cluster-command.ts";
import { CLUSTER_FLAGS, type ConnectionValues } from "../flags/connection-flags.ts";
import { type KubeletValues, kubeletOptions, wordArgument } from "../flags/flags.ts";
import { type NamedPolicy, policiesOf } from "../flags/simulation-configurations.ts";
import { refuseContradictions, SIMULATE_FLAGS, type SimulateValues } from "../flags/simulation-flags.ts";
import { type ImitatedContainer, imitatedContainer, type SimulationSubject, subjectOf } from "./simulation-subject.ts";

const DEFAULT_FOR_MS = 1_800_000;

export default class Simulate extends ClusterCommand {
  static override summary =
    "Simulate restarts: from run lengths or probe settings to every start, wait and CrashLoopBackOff.";

  static override description =
    "Shows when a container that keeps exiting starts, how long the kubelet waits, and when kubectl shows CrashLoopBackOff. " +
    "Compares kubelet versions and settings, and can imitate a real pod. It is the model that also explains live pods, and it " +
    "needs no cluster.";

  static override examples = [
    "# See the curve of a container that exits after 10 seconds\n  kubectl backoff simulate --run 10s",
    "# See why a failing liveness probe restarts it five times before there is any wait\n" +
      "  kubectl backoff simulate --liveness initialDelay=3,period=3,failure=3,grace=30,ignores-term",
    "# Compare configurations of the kubelet\n  kubectl backoff simulate --run 42s --compare default,max=60s,reduced,v1.34",
    "# Ask what a pod of the cluster would do with a lower maximum\n" +
      "  kubectl backoff simulate web-0 --compare as-is,max=60s",
  ];

  static override usage = ["simulate [FLAGS]", "simulate POD|TYPE/NAME [FLAGS]", "simulate -f FILE [POD] [FLAGS]"];

  // Otherwise oclif refuses `TYPE NAME`, because `args` has only one argument.
  static override strict = false;

  static override args = {
    target: wordArgument(
      "Imitate the runs, restartPolicy and node configuration of this pod; of TYPE/NAME, of its pod with the most restarts",
    ),
  };

  static override flags = { ...SIMULATE_FLAGS, ...CLUSTER_FLAGS };

  async run(): Promise<number> {
    const { words, flags } = await this.parse(Simulate);
    refuseContradictions(flags);
    const subject = subjectOf(flags, await this.imitated(words, flags));
    const render = await SIMULATE_FORMS[flags.output]();
    this.print(render(simulatedOf(subject, flags), this.renderOptions(flags.color)), flags.output);
    return 0;
  }

  private async imitated(
    words: readonly string[],
    flags: SimulateValues & ConnectionValues & KubeletValues,
  ): Promise<ImitatedContainer | null> {
    if (words.length === 0 && flags.filename === undefined) {
      if (flags.container !== undefined) throw new UserError("containerOfNoPod");
      return null;
    }
    const options = kubeletOptions(flags);
    const isOffline = flags.filename !== undefined;
    const { targets } = isOffline
      ? targetsIn(words, { mayLackName: true, isNamespace: () => true })
      : askedTargets({ words, selector: undefined, allNamespaces: false });
    if (targets.length > 1) throw new UserError("needsOnePod", "simulate", targets.length, "simulate POD");
    const connection = isOffline ? null : await this.connectTo(flags);
    const observed = this.observe(words, flags, connection).finally(() => connection?.close());
    const { observation, failures, notes } = await observed;
    for (const sentence of notes) this.note(sentence);
    if (failures[0] !== undefined) throw failures[0];
    this.trace?.printNow(observation);
    const wanted = { isNamed: words.length > 0, container: flags.container };
    return imitatedContainer(explainWithCases(observation, options), wanted);
  }
}

function simulatedOf(subject: SimulationSubject, flags: SimulateValues): Simulated {
  if (flags.compare === undefined)
    return { kind: "simulation", report: reportOf(subject, { ...subject, name: "as-is" }, flags) };
  const policies = policiesOf(flags.compare, subject, subject.settings);
  return { kind: "comparison", reports: policies.map((policy) => reportOf(subject, policy, flags)) };
}

function reportOf(
  { container, runs, runSource, restart }: SimulationSubject,
  { name, policy, explained }: NamedPolicy,
  flags: SimulateValues,
): SimulationReport {
  const extent: SimulationExtent =
    flags.restarts === undefined ? { forMs: flags.for ?? DEFAULT_FOR_MS } : { restarts: flags.restarts };
  const startAfter =
    flags.seed === undefined
      ? typicalStarts(policy.retry)
      : drawnStarts(policy.retry, seededRandom(flags.seed, "looks"));
  const simulation = simulate({ policy, restart, runOf: runSource(), startAfter }, extent);
  const restartPolicy = restart.containerPolicy ?? restart.podPolicy;
  const windows = startWindows(simulation.starts, policy.retry);
  return { name, container, runs, restartPolicy, policy: explained, seed: flags.seed ?? null, simulation, windows };
}
