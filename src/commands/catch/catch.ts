import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import type { Interfaces } from "@oclif/core";
import * as Flags from "@oclif/core/flags";
import type { Connection } from "../../cluster/connection/connection.ts";
import { systemCause } from "../../cluster/objects/error-text.ts";
import { isLogForbidden } from "../../cluster/watch/follow-log.ts";
import { UserError } from "../../errors.ts";
import { explain } from "../../explain/explain.ts";
import type { Observation } from "../../explain/observed/observation.ts";
import { mainContainer } from "../../explain/triage.ts";
import type { CatchHeader } from "../../render/catch/catch-json.ts";
import { caughtClause, waitingLine } from "../../render/catch/catch-words.ts";
import { CATCH_FORMS } from "../../render/forms.ts";
import { pageOf } from "../../render/page/page.ts";
import { renderTable } from "../../render/pod/table.ts";
import { lastingLoss } from "../../render/watch/live.ts";
import { overdueLines, replacedLine } from "../../render/watch/live-wait.ts";
import { withOneContainer } from "../base/one-container.ts";
import { type OnePod, OnePodCommand } from "../base/one-pod-command.ts";
import { requestOf } from "../explain/report-file.ts";
import { CLUSTER_FLAGS, flagsForCommands } from "../flags/connection-flags.ts";
import { BYTE_LIMIT, WAIT_TIMEOUT } from "../flags/flag-values.ts";
import {
  COLOR_FLAG,
  choiceFlag,
  containerFlag,
  isStdout,
  kubeletOptions,
  NOTIFY_FLAG,
  outputFlag,
  stringFlag,
  valueFlagWithDefault,
} from "../flags/flags.ts";
import { requireNewFile, writeNewFile } from "../flags/new-file.ts";
import { INTERRUPTED, TIMED_OUT } from "../terminal/exit-codes.ts";
import { notify } from "../terminal/notify.ts";
import { connectionNotes, Interruption } from "../watch/watch-output.ts";
import type { Frame } from "../watch/watch-session.ts";
import { type Caught, explainedWithLog, RunCatcher } from "./catch-run.ts";

export default class Catch extends OnePodCommand {
  static override summary = "Record the next run of a container, from its first log line to its exit, into one file.";

  static override description =
    "Waits for the restart, then follows the log, the events and the pod until the container exits. Writes all of it to a new " +
    "file (catch-POD.html, a page for the browser; -o json for programs) and explains the crash. explain -f explains the file " +
    "again later. Ctrl-C, SIGTERM and SIGHUP write what has been recorded so far. The file is not anonymous, and logs can hold secrets.";

  static override examples = [
    "# Record the next crash of a pod, and open it in a browser\n  kubectl backoff catch web-0 --output-file crash.html && open crash.html",
    "# Record the run that has already started, as JSON\n  kubectl backoff catch web-0 --now -o json",
    "# Explain the crash again later\n  kubectl backoff explain -f catch-web-0.html",
  ];

  static override usage = ["catch POD [FLAGS]"];

  static override flags = {
    container: containerFlag("Container to record; default: the one that is failing"),
    now: Flags.boolean({ description: "Record the run that has already started, if the container is running" }),
    for: choiceFlag(
      ["exit", "recovered"],
      "exit",
      "When to stop: at the container's exit, or as soon as the pod has recovered, if that comes first",
    ),
    timeout: valueFlagWithDefault(
      "DURATION",
      "Stop after this time and write what has been recorded (0 records what there is now, -1s waits a week)",
      WAIT_TIMEOUT,
      { value: Number.POSITIVE_INFINITY, shown: "no limit" },
    ),
    output: outputFlag(CATCH_FORMS),
    "output-file": stringFlag("FILE", "Write to this new file instead of catch-POD.html; - is stdout"),
    "limit-bytes": valueFlagWithDefault(
      "SIZE",
      "Keep this much of the end of the log, such as 500Ki or 100Mi",
      BYTE_LIMIT,
      { value: 10 * 2 ** 20, shown: "10Mi" },
    ),
    ...NOTIFY_FLAG,
    ...COLOR_FLAG,
    ...CLUSTER_FLAGS,
  };

  protected override readonly exampleOfUsage = "catch POD";

  async run(): Promise<number> {
    const { words, flags } = await this.parse(Catch);
    if (!isStdout(flags["output-file"])) requireCatchFile(flags["output-file"]);
    return this.withOnePod(words, flags, (connection, pod) => this.catch(connection, pod, flags));
  }

  private async catch(connection: Connection, pod: OnePod, flags: CatchFlags): Promise<number> {
    const interruption = new Interruption({ savesOnSignals: true });
    try {
      const caught = await this.caughtOf(connection, pod, interruption, flags);
      if (caught === null) return interruption.exitCode ?? TIMED_OUT;
      return await this.tell(caught, interruption, flags);
    } finally {
      interruption.close();
    }
  }

  /** Returns null if no pod replaces a deleted pod before --timeout or a signal, e.g. of Ctrl-C. */
  private async caughtOf(
    connection: Connection,
    pod: OnePod,
    interruption: Interruption,
    flags: CatchFlags,
  ): Promise<Caught | null> {
    const endsAtMs = this.timers.nowMs() + flags.timeout;
    const stop = new AbortController();
    void interruption.whenEnded.then(() => stop.abort());
    const callOff = Number.isFinite(flags.timeout) ? this.timers.after(flags.timeout, () => stop.abort()) : () => {};
    try {
      for (let next: OnePod | null = pod; next !== null; next = (await next.replacement?.(stop.signal)) ?? null) {
        const timeoutMs = this.timeLeftMs(flags.timeout, endsAtMs);
        const request = await this.requestFor(connection, next, flags);
        const more = { timeoutMs, isReplacement: next !== pod, whenInterrupted: interruption.whenEnded };
        const caught = await new RunCatcher(connection, { ...request, ...more }, this.timers).run();
        if (caught !== "deleted") return caught;
        this.note(replacedLine(next.first.pod.name));
      }
      return null;
    } finally {
      callOff();
    }
  }

  private async requestFor(connection: Connection, { observation, first, replacement }: OnePod, flags: CatchFlags) {
    const kubelet = kubeletOptions(flags);
    const container = this.chosenContainer(observation, flags);
    const { namespace, name: pod } = first.pod;
    if (await isLogForbidden(connection, { namespace, pod, container }))
      this.note(
        `No permission to read the log of ${pod} (get pods/log): it will not be in the file. Ask for that right.`,
      );
    const noteLoss = connectionNotes(this.note);
    return {
      ...{ observation, first, kubelet, container },
      willBeReplaced: replacement !== null,
      isNow: flags.now,
      goal: flags.for,
      mostLogBytes: flags["limit-bytes"],
      onFrame: ({ connectionLoss, nowMs }: Frame) => noteLoss(lastingLoss(connectionLoss, nowMs)),
      onWaiting: this.waiting(container, flags),
      onBegun: ({ start }: { readonly start: number }) => this.note(`Recording restart ${start} of ${container}.`),
    };
  }

  private chosenContainer(observation: Observation, flags: CatchFlags): string {
    const explanation = withOneContainer(explain(observation, kubeletOptions(flags)), flags.container);
    const [pod] = explanation.pods;
    const chosen = pod && mainContainer(pod)?.name;
    if (pod === undefined || chosen === undefined)
      throw new UserError("nothingToCatch", observation.pods[0]?.pod.name ?? "");
    const names = pod.containers.map(({ name }) => name);
    if (names.length > 1) this.note(`Defaulted container ${JSON.stringify(chosen)} out of: ${names.join(", ")}`);
    return chosen;
  }

  private waiting(container: string, flags: CatchFlags): (frame: Frame) => void {
    let printed = "";
    return ({ explanation }) => {
      const [pod] = explanation.pods;
      const found = pod?.containers.find(({ name }) => name === container);
      if (pod === undefined) return;
      const key = JSON.stringify([found?.state, found?.lastExit?.finishedAtMs, found?.overdue !== null]);
      if (key === printed) return;
      printed = key;
      const overdue = overdueLines(pod, container, explanation.atMs);
      const lines =
        overdue.length > 0
          ? overdue
          : [waitingLine(pod, container, pageOf(explanation, this.renderOptions(flags.color)))];
      for (const line of lines) this.note(line);
    };
  }

  private async tell(caught: Caught, interruption: Interruption, flags: CatchFlags): Promise<number> {
    const { observed, catch: it } = caught;
    const steps = { container: flags.container, kubectlFlags: flagsForCommands(flags) };
    const explanation = withOneContainer(explainedWithLog(caught, kubeletOptions(flags), steps), flags.container);
    const { atMs, atBasis } = explanation;
    const { missing, pod } = observed;
    const header: CatchHeader = { atMs, atBasis, pod, missing, ...requestOf(flags) };
    const options = this.renderOptions(flags.color);
    const render = await CATCH_FORMS[flags.output]();
    const text = render({ caught: it, header, explanation }, options);
    const file = flags["output-file"];
    const where = isStdout(file) ? "stdout" : writeCatch(file, pod.name, flags.output, text);
    if (isStdout(file)) this.print(text, flags.output);
    else this.print(renderTable(explanation, options));
    const clause = caughtClause(it, explanation);
    this.note(`Wrote ${where}: ${clause}.`);
    if (flags.notify) notify(`Caught ${clause}`);
    if (it.ended === "interrupted") return interruption.exitCode ?? INTERRUPTED;
    return it.ended === "timed-out" ? TIMED_OUT : 0;
  }
}

type CatchFlags = Interfaces.InferredFlags<typeof Catch.flags>;

const FLAG = "output-file";

function requireCatchFile(asked: string | undefined): void {
  if (asked !== undefined) requireNewFile(FLAG, asked);
  const folder = dirname(asked ?? ".");
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new UserError("badFile", FLAG, asked ?? folder, systemCause(error));
  }
}

function writeCatch(asked: string | undefined, pod: string, form: "html" | "json", text: string): string {
  // The pod's name comes from a server, so it must not become a path.
  const stem = asked ?? `catch-${pod.replaceAll(/[^\w.-]/g, "_")}`;
  for (let number = 1; ; number++) {
    const name = asked !== undefined && number === 1 ? asked : `${stem}${number === 1 ? "" : `.${number}`}.${form}`;
    try {
      writeNewFile(FLAG, name, text);
      return name;
    } catch (error) {
      if (!(error instanceof UserError) || error.code !== "fileExists") throw error;
    }
  }
}
