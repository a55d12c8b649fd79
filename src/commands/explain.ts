import type { Interfaces } from "@oclif/core";
import * as Args from "@oclif/core/args";
import * as Flags from "@oclif/core/flags";
import { type Connection, connect } from "../cluster/connect.ts";
import type { TargetsObservation } from "../cluster/target-observe.ts";
import { realTimers } from "../cluster/watch-timers.ts";
import { explain } from "../explain/explain.ts";
import type { Explanation } from "../explain/explanation.ts";
import { inGroups } from "../explain/groups.ts";
import type { Observation } from "../explain/observation.ts";
import { withOwners } from "../explain/owner-explanation.ts";
import { leftOutSentence } from "../render/groups.ts";
import { BackoffCommand } from "./backoff-command.ts";
import { CONNECTION_FLAGS } from "./connection-flags.ts";
import { connectionOptions } from "./connection-options.ts";
import { DEBUG_FLAG } from "./debug-flag.ts";
import { LOG_FLAGS, requireLogForm, withLogs } from "./explain-logs.ts";
import { observeAsked } from "./explain-observe.ts";
import { AT_FLAG, KUBELET_FLAGS, OUTPUT_FLAGS } from "./flags.ts";
import { kubeletOptions } from "./kubelet-options.ts";
import { withOneContainer } from "./one-container.ts";
import { isStdout, REPORT_FLAG, requireReportFile } from "./report-flag.ts";
import { requireWhatIfForm, WHAT_IF_FLAG } from "./what-if-flag.ts";

const FAILED = 1;
const CRASH_LOOPING = 3;

/** `kubectl backoff explain`, and `kubectl backoff POD`: from a pod, in a cluster or in files, to what it means. */
export default class Explain extends BackoffCommand {
  static override summary = "Explain why a pod is (or is not) in CrashLoopBackOff, and when it restarts next.";

  static override description =
    "Replays the restarts of a pod's containers through the kubelet's back-off: why a container is down, when it restarts " +
    "next, and when the delay falls back to its beginning. Asks the cluster for the pod, its events and its node; what may " +
    "not be read weakens the answer, and the output says how.";

  static override examples = [
    "# Explain a pod of the current namespace\n  kubectl backoff explain web-0",
    "# Explain one container of a pod in another namespace, as JSON\n  kubectl backoff explain web-0 -n prod -c app -o json",
    "# Explain the pods of a Deployment, or of whatever has a label\n  kubectl backoff explain deploy/web\n  kubectl backoff explain -l app=web -A",
    "# Explain offline what kubectl printed\n  kubectl get pod web-0 -o json | kubectl backoff explain -f -",
    "# In a script: exit code 3 says that the pod is crash-looping\n  kubectl backoff explain web-0 --exit-code -o name",
  ];

  static override usage = [
    "explain POD|TYPE/NAME... [FLAGS]",
    "explain -l SELECTOR [FLAGS]",
    "explain -f FILE [POD] [FLAGS]",
  ];

  static override strict = false;

  static override args = {
    target: Args.string({
      ignoreStdin: true,
      description: "A pod, TYPE/NAME or TYPE NAME (deploy, sts, ds, rs, job, cj), or several; optional with -f",
    }),
  };

  static override flags = {
    filename: Flags.string({
      char: "f",
      multiple: true,
      multipleNonGreedy: true,
      helpValue: "FILE",
      description: "Explain what kubectl printed: pods, events, nodes as JSON or YAML; a file, a folder or - for stdin",
    }),
    selector: Flags.string({
      char: "l",
      helpValue: "SELECTOR",
      description: "Explain the pods with these labels, such as app=web,tier!=db",
    }),
    "all-namespaces": Flags.boolean({ char: "A", description: "Look in all namespaces, with or without a selector" }),
    at: AT_FLAG(),
    "node-config": Flags.option({ options: ["auto", "never"] as const, default: "auto" as const })({
      description: "Whether to ask the node's kubelet for its configuration",
    }),
    "exit-code": Flags.boolean({ description: "Exit with 3 if something explained is crash-looping" }),
    watch: Flags.boolean({ char: "w", description: "Go on explaining as the pod changes, with a countdown, until ^C" }),
    "what-if": WHAT_IF_FLAG(),
    report: REPORT_FLAG(),
    ...OUTPUT_FLAGS,
    ...LOG_FLAGS,
    ...DEBUG_FLAG,
    ...KUBELET_FLAGS,
    ...CONNECTION_FLAGS,
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Explain);
    const words = argv.map(String);
    if (flags["what-if"] !== undefined) requireWhatIfForm(flags);
    if (flags.report !== undefined) requireReportFile(flags.report, flags.watch);
    if (flags.watch) return this.watch(words, flags);
    if (flags.logs) requireLogForm(flags.output);
    const connection = flags.filename === undefined ? this.connectTo(flags) : null;
    const { observation, selection, failures, notes } = await this.observe(words, flags, connection, flags.at ?? null);
    this.trace.ended(connection === null ? "input" : "requests");
    const explained = withOwners(explain(observation, kubeletOptions(flags)), observation);
    this.trace.ended("explain");
    this.trace.explained(observation, kubeletOptions(flags));
    const grouped = inGroups(withOneContainer(explained, flags.container), selection);
    const note = (sentence: string): void => this.note(sentence);
    notes.forEach(note);
    const explanation = flags.logs ? await withLogs(grouped, { ...flags, observation, connection, note }) : grouped;
    const printed = await this.withWhatIf(observation, explanation, flags);
    if (flags.report !== undefined) await this.report(flags.report, observation, flags);
    if (!isStdout(flags.report)) await this.printPods(explanation, flags, failures.length, printed);
    this.trace.ended("render");
    for (const { text } of failures) this.note(`Error: ${text}`);
    if (failures.length > 0) this.exit(FAILED);
    if (flags["exit-code"] && isCrashLooping(explanation)) this.exit(CRASH_LOOPING);
  }

  /** Without any pod, only the forms for programs have something to say, and a failed command prints nothing. */
  private async printPods(
    explanation: Explanation,
    flags: ExplainFlags,
    failureCount: number,
    printed: string | null,
  ): Promise<void> {
    const isForPrograms = flags.output === "json" || flags.output === "yaml";
    if (explanation.pods.length === 0 && (failureCount > 0 || !isForPrograms)) return;
    if (printed === null) await this.printExplanation(explanation, flags);
    else this.print(printed, flags.output);
    const leftOut = ["table", "wide"].includes(flags.output) ? null : leftOutSentence(explanation);
    if (leftOut !== null) this.note(leftOut);
  }

  /** The explanation in print, with what other configurations would make of it; null if that is not asked for. */
  private async withWhatIf(seen: Observation, explanation: Explanation, flags: ExplainFlags): Promise<string | null> {
    if (flags["what-if"] === undefined) return null;
    const [{ whatIfOf }, { renderWithWhatIf }] = await Promise.all([
      import("./what-if.ts"),
      import("../render/simulation-what-if.ts"),
    ]);
    const whatIf = whatIfOf(seen, explanation, flags["what-if"], kubeletOptions(flags));
    return renderWithWhatIf(explanation, whatIf, flags.output, this.look(flags.color));
  }

  private connectTo(flags: ExplainFlags, nowMs?: () => number): Connection {
    const options = connectionOptions(flags, process.env, nowMs ?? (() => this.localNowMs()));
    return this.trace.connection(connect(options), options);
  }

  private async report(file: string, observation: Observation, flags: ExplainFlags): Promise<void> {
    const { reportText, writeReport, TO_LOOK_AT } = await import("./report-file.ts");
    const text = reportText(observation, flags);
    if (isStdout(file)) this.print(text, "json");
    this.note(isStdout(file) ? TO_LOOK_AT : writeReport(file, text));
  }

  private observe(
    words: readonly string[],
    flags: ExplainFlags,
    connection: Connection | null,
    atMs: number | null,
  ): Promise<TargetsObservation> {
    const onSkip = (text: string): void => this.note(text);
    return observeAsked(words, flags, connection, { atMs, localNowMs: this.localNowMs(), onSkip });
  }

  private async watch(words: readonly string[], flags: ExplainFlags): Promise<void> {
    const { watchableOutput, watchExplanation } = await import("./watch-explain.ts");
    const output = watchableOutput(flags);
    const timers = realTimers(() => this.localNowMs());
    const connection = this.connectTo(flags, () => timers.nowMs());
    const { "node-config": nodeConfig, container, color } = flags;
    const { observation, failures, notes } = await this.observe(words, flags, connection, null);
    for (const sentence of notes) this.note(sentence);
    if (failures[0] !== undefined) throw failures[0];
    const shown = { output, look: this.look(color), note: (text: string) => this.note(text) };
    const request = { ...shown, observation, nodeConfig, container, kubelet: kubeletOptions(flags) };
    const exitCode = await watchExplanation(connection, request, timers);
    if (exitCode !== 0) this.exit(exitCode);
  }
}

type ExplainFlags = Interfaces.InferredFlags<typeof Explain.flags>;

function isCrashLooping({ pods }: Explanation): boolean {
  return pods.some((pod) => pod.verdict === "crash-looping");
}
