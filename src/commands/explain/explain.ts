import type { Explanation } from "../../explain/answer/explanation.ts";
import { inGroups } from "../../explain/groups.ts";
import type { Observation } from "../../explain/observed/observation.ts";
import { isPodDown } from "../../explain/triage.ts";
import { EXPLAIN_FORMS, FORMS } from "../../render/forms.ts";
import { timesAround } from "../../render/page/times.ts";
import { leftOutSentence } from "../../render/pod/groups.ts";
import { ClusterCommand } from "../base/cluster-command.ts";
import { withOneContainer } from "../base/one-container.ts";
import { flagsForCommands } from "../flags/connection-flags.ts";
import {
  areLogsAsked,
  EXPLAIN_FLAGS,
  type ExplainFlags,
  logsRequestOf,
  requirePossibleOutput,
  requireTarget,
} from "../flags/explain-flags.ts";
import { isStdout, kubeletOptions, wordArgument } from "../flags/flags.ts";
import { writeNewFile } from "../flags/new-file.ts";
import { CRASH_LOOPING, DOWN, FAILED } from "../terminal/exit-codes.ts";

const NO_LOGS = "--logs needs a cluster: the input of -f holds no logs.";

export default class Explain extends ClusterCommand {
  static override summary = "Explain why a pod is (or is not) in CrashLoopBackOff, and when it restarts next.";

  static override description =
    "Replays the restarts of a pod's containers through the kubelet's back-off: why a container is down, when it restarts " +
    "next, and when the back-off resets. Reads the pod, its events, its node and the end of its log from the cluster; " +
    "missing permissions make the answer less precise, and the output says how. Without a pod, on a terminal, it lets you " +
    "choose from what is down.";

  static override examples = [
    "# Explain a pod of the current namespace\n  kubectl backoff explain web-0",
    "# Explain one container of a pod in another namespace, as JSON\n  kubectl backoff explain web-0 -n prod -c app -o json",
    "# Explain the pods of a Deployment, or all pods with a label\n  kubectl backoff explain deploy/web\n  kubectl backoff explain -l app=web -A",
    "# Explain offline what kubectl printed\n  kubectl get pod web-0 -o json | kubectl backoff explain -f -",
    "# In a script: exit code 3 says that the pod is crash-looping, 4 that it is down or can't start otherwise\n  kubectl backoff explain web-0 --exit-code=any -o name",
  ];

  static override usage = [
    "explain POD|TYPE/NAME... [FLAGS]",
    "explain -l SELECTOR [FLAGS]",
    "explain -f FILE [POD] [FLAGS]",
  ];

  static override strict = false;

  static override args = {
    target: wordArgument("A pod, TYPE/NAME or TYPE NAME (deploy, sts, ds, rs, job, cj), or several; optional with -f"),
  };

  static override flags = EXPLAIN_FLAGS;

  async run(): Promise<number> {
    const { words, flags } = await this.parse(Explain);
    const isOpen = words.length === 0 && flags.selector === undefined && flags.filename === undefined;
    return isOpen && isInteractive(process) ? this.explainChosen(flags) : this.explainNamed(words, flags);
  }

  private async explainChosen(flags: ExplainFlags): Promise<number> {
    const { chooseTarget } = await import("./choose-target.ts");
    const connection = await this.connectTo(flags);
    const screen = { input: process.stdin, output: process.stderr };
    const user = { localNowMs: this.localNowMs(), note: this.note };
    const chosen = await chooseTarget(connection, flags, screen, user).finally(() => connection.close());
    if (typeof chosen === "number") return chosen;
    const { target, namespace } = chosen;
    return this.explainNamed([target], { ...flags, namespace, "all-namespaces": false });
  }

  private async explainNamed(words: readonly string[], flags: ExplainFlags): Promise<number> {
    requireTarget(words, flags);
    if (flags.watch) return this.watch(words, flags);
    requirePossibleOutput(flags);
    const connection = flags.filename === undefined ? await this.connectTo(flags) : null;
    this.warmUp(flags.color, () => [
      import("../../explain/owners/owner-explanation.ts"),
      EXPLAIN_FORMS[flags.output](),
    ]);
    const observed = this.observe(words, flags, connection, { logs: logsRequestOf(flags) });
    const { observation, selection, failures, notes } = await observed.finally(() => connection?.close());
    this.trace?.endStage(connection === null ? "input" : "requests");
    const kubelet = kubeletOptions(flags);
    const { explainWithOwners } = await import("../../explain/owners/owner-explanation.ts");
    const steps = { kubectlFlags: flagsForCommands(flags), container: flags.container };
    const all = explainWithOwners(observation, kubelet, steps);
    this.trace?.endStage("explain");
    this.trace?.printNow(observation);
    const explanation = inGroups(withOneContainer(all, flags.container), selection);
    for (const sentence of notes) this.note(sentence);
    const hasLogs = connection !== null || observation.pods.some(({ logs }) => logs !== undefined);
    if (!hasLogs && areLogsAsked(flags)) this.note(NO_LOGS);
    await this.printAsked(explanation, observation, flags, failures.length);
    this.trace?.endStage("render");
    for (const { text } of failures) this.note(`Error: ${text}`);
    if (failures.length > 0) return FAILED;
    return exitCodeFor(explanation, flags);
  }

  private async printAsked(
    explanation: Explanation,
    observation: Observation,
    flags: ExplainFlags,
    failureCount: number,
  ): Promise<void> {
    const { output, color } = flags;
    const options = this.renderOptions(color);
    // Rendered first, so that no report is written if the rendering fails.
    const text = (await EXPLAIN_FORMS[output]())(explanation, options);
    if (flags.report !== undefined) await this.report(flags.report, observation, flags);
    if (isStdout(flags.report)) return;
    const { isForTerminals, isForPrograms } = FORMS[output];
    const isEmpty = explanation.pods.length === 0 && explanation.failedJobs === undefined;
    if (isEmpty && (failureCount > 0 || !isForPrograms)) return;
    if (text !== "") this.print(text, output);
    else {
      const times = timesAround(explanation.atMs, options.timeZone);
      for (const { summary } of explanation.failedJobs ?? []) this.note(times.text(summary));
    }
    const leftOut = isForTerminals ? "" : leftOutSentence(explanation);
    if (leftOut !== "") this.note(leftOut);
  }

  private async report(file: string, observation: Observation, flags: ExplainFlags): Promise<void> {
    const { reportText, REPORT_ADVICE } = await import("./report-file.ts");
    const text = reportText(observation, flags);
    if (isStdout(file)) this.print(text, "json");
    else writeNewFile("report", file, text);
    this.note(isStdout(file) ? REPORT_ADVICE : `Wrote ${file}. ${REPORT_ADVICE}`);
  }

  private async watch(words: readonly string[], flags: ExplainFlags): Promise<number> {
    const { watchableOutput, watchExplanation } = await import("../watch/watch-explain.ts");
    const output = watchableOutput(flags);
    const connection = await this.connectTo(flags);
    const { "node-config": nodeConfig, container, color } = flags;
    const { observation, selection, failures, notes } = await this.observe(words, flags, connection);
    for (const sentence of notes) this.note(sentence);
    if (failures[0] !== undefined) throw failures[0];
    const request = {
      ...{ observation, nodeConfig, container, output, selection },
      isOnePod: selection.named.length === 1 && observation.pods.length === 1,
      find: async () => (await this.observe(words, flags, connection)).observation,
      kubelet: kubeletOptions(flags),
      kubectlFlags: flagsForCommands(flags),
      options: this.renderOptions(color),
      note: this.note,
    };
    return watchExplanation(connection, request, this.timers);
  }
}

function isInteractive({ stdin, stdout, stderr }: NodeJS.Process): boolean {
  return stdin.isTTY && stdout.isTTY && stderr.isTTY;
}

function exitCodeFor({ pods, atMs, failedJobs = [] }: Explanation, flags: ExplainFlags): number {
  if (!flags["exit-code"]) return 0;
  if (pods.some(({ verdict }) => verdict === "crash-looping")) return CRASH_LOOPING;
  const isAnyDown = failedJobs.length > 0 || pods.some((pod) => isPodDown(pod, atMs));
  return flags["exit-code"] === "any" && isAnyDown ? DOWN : 0;
}
