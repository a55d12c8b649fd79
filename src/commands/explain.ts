import { Args, Flags, type Interfaces } from "@oclif/core";
import { type Connection, connect } from "../cluster/connect.ts";
import { observePod } from "../cluster/observe-pod.ts";
import { observeFiles } from "../cluster/read-files.ts";
import { realTimers } from "../cluster/watch-timers.ts";
import { UserError } from "../errors.ts";
import { explain } from "../explain/explain.ts";
import type { Explanation } from "../explain/explanation.ts";
import type { Observation } from "../explain/observation.ts";
import { BackoffCommand } from "./backoff-command.ts";
import { AT_FLAG, CONNECTION_FLAGS, KUBELET_FLAGS, OUTPUT_FLAGS } from "./flags.ts";
import { kubeletOptions } from "./kubelet-options.ts";
import { withOneContainer } from "./one-container.ts";
import { watchableOutput, watchExplanation } from "./watch-explain.ts";

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
    "# Explain offline what kubectl printed\n  kubectl get pod web-0 -o json | kubectl backoff explain -f -",
    "# In a script: exit code 3 says that the pod is crash-looping\n  kubectl backoff explain web-0 --exit-code -o name",
  ];

  static override usage = ["explain POD [FLAGS]", "explain -f FILE [POD] [FLAGS]"];

  static override args = {
    pod: Args.string({ ignoreStdin: true, description: "Name of the pod; optional with -f" }),
  };

  static override flags = {
    filename: Flags.string({
      char: "f",
      multiple: true,
      multipleNonGreedy: true,
      helpValue: "FILE",
      description: "Explain what kubectl printed: pods, events, nodes as JSON or YAML; a file, a folder or - for stdin",
    }),
    at: AT_FLAG(),
    "node-config": Flags.option({ options: ["auto", "never"] as const, default: "auto" as const })({
      description: "Whether to ask the node's kubelet for its configuration",
    }),
    "exit-code": Flags.boolean({ description: "Exit with 3 if something explained is crash-looping" }),
    watch: Flags.boolean({ char: "w", description: "Go on explaining as the pod changes, with a countdown, until ^C" }),
    ...OUTPUT_FLAGS,
    ...KUBELET_FLAGS,
    ...CONNECTION_FLAGS,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Explain);
    if (flags.watch) return this.watch(args.pod, flags);
    const observation = await this.observe(args.pod, flags);
    const explanation = withOneContainer(explain(observation, kubeletOptions(flags)), flags.container);
    this.printExplanation(explanation, flags);
    if (flags["exit-code"] && isCrashLooping(explanation)) this.exit(CRASH_LOOPING);
  }

  private observe(pod: string | undefined, flags: ExplainFlags): Promise<Observation> {
    const moment = { atMs: flags.at ?? null, localNowMs: this.localNowMs() };
    if (flags.filename !== undefined) {
      const { filename: filenames, namespace } = flags;
      const scope = { ...(pod !== undefined && { pod }), ...(namespace !== undefined && { namespace }) };
      return observeFiles({ ...moment, ...scope, filenames, stdin: process.stdin, onSkip: (text) => this.note(text) });
    }
    if (pod === undefined) throw new UserError("noPodNamed");
    return observePod(connectTo(flags), { ...moment, name: pod, nodeConfig: flags["node-config"] });
  }

  private async watch(name: string | undefined, flags: ExplainFlags): Promise<void> {
    const output = watchableOutput(flags);
    if (name === undefined) throw new UserError("noPodNamed");
    const connection = connectTo(flags);
    const timers = realTimers(() => this.localNowMs());
    const { "node-config": nodeConfig, container, color } = flags;
    const observation = await observePod(connection, { name, nodeConfig, atMs: null, localNowMs: timers.nowMs() });
    const shown = { output, look: this.look(color), note: (text: string) => this.note(text) };
    const request = { ...shown, observation, nodeConfig, container, kubelet: kubeletOptions(flags) };
    const exitCode = await watchExplanation(connection, request, timers);
    if (exitCode !== 0) this.exit(exitCode);
  }
}

type ExplainFlags = Interfaces.InferredFlags<typeof Explain.flags>;

function connectTo(flags: ExplainFlags): Connection {
  const { kubeconfig, context, namespace, "request-timeout": requestTimeoutMs } = flags;
  return connect({ kubeconfig, context, namespace, requestTimeoutMs, env: process.env });
}

function isCrashLooping({ pods }: Explanation): boolean {
  return pods.some((pod) => pod.verdict === "crash-looping");
}
