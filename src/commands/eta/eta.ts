import type { Interfaces } from "@oclif/core";
import * as Flags from "@oclif/core/flags";
import { askedTargets } from "../../cluster/api/target-words.ts";
import type { Connection } from "../../cluster/connection/connection.ts";
import { observeDetailedList, WHEN_RETRIED } from "../../cluster/list/list-events.ts";
import { CrashLogs, MOST_LOGS } from "../../cluster/list/list-logs.ts";
import { noMatchNotes } from "../../cluster/list/list-match.ts";
import { CrashGroups } from "../../cluster/list/list-needs.ts";
import type { OnSuspects } from "../../cluster/list/list-pods.ts";
import { NOT_UP } from "../../cluster/list/pod-filter.ts";
import type { Eta as EtaAnswer } from "../../explain/answer/eta.ts";
import { etaOf } from "../../explain/eta/eta.ts";
import { etaPart, joinedParts, needsIn } from "../../explain/eta/parts.ts";
import { awaitedIn, staysDownIn } from "../../explain/follow/eta-progress.ts";
import type { Now } from "../../explain/observed/observation.ts";
import { failedJob } from "../../explain/owners/failed-job.ts";
import { jobsBetweenPods } from "../../explain/owners/next-job-pods.ts";
import { ETA_FORMS, FORMS } from "../../render/forms.ts";
import { jsonLine } from "../../render/json/json.ts";
import { ClusterCommand } from "../base/cluster-command.ts";
import { CLUSTER_FLAGS, flagsForCommands } from "../flags/connection-flags.ts";
import {
  AT_FLAG,
  COLOR_FLAG,
  filenameFlag,
  kubeletOptions,
  NOTIFY_FLAG,
  outputFlag,
  selectorFlag,
  wordArgument,
} from "../flags/flags.ts";
import { CRASH_LOG_LINES, collectParts, gapNotes, incompleteSentence, scopeOf } from "../list/list-parts.ts";
import { FAILED } from "../terminal/exit-codes.ts";
import { WATCHED_FORMS, watchedForm } from "../watch/watch-output.ts";
import type { EtaWatchRequest } from "./watch-eta.ts";

export default class Eta extends ClusterCommand {
  static override summary = "Predict when everything is up again if the cause is fixed now.";

  static override description =
    "Says when half, 90%, 95% and all of the containers that are down will have restarted, which ones come last, and what would be " +
    "faster. A container whose log says that it can't reach a Service comes after a pod of that Service. For a whole namespace or " +
    "cluster it reads pods, nodes, up to 10 logs, the Services that these name, the events of failing image pulls and the " +
    "configurations of up to 8 kubelets; for pods that you name also their other events, so the answer is more precise. " +
    "Exit code of --watch: 0: all are up; 1: some crash again after the last announced time, or will not restart.";

  static override examples = [
    "# The current namespace, or the whole cluster\n  kubectl backoff eta\n  kubectl backoff eta -A",
    "# Watch the pods of a Deployment come up\n  kubectl backoff eta deploy/web --watch",
    "# Offline, from what kubectl printed\n  kubectl get pods,nodes,events -A -o yaml | kubectl backoff eta -f -",
  ];

  static override usage = ["eta [POD|TYPE/NAME...] [FLAGS]", "eta -f FILE [POD|TYPE/NAME...] [FLAGS]"];

  static override strict = false;

  static override args = {
    target: wordArgument("A pod, TYPE/NAME or TYPE NAME (deploy, sts, ds, rs, job, cj), or several; default: all pods"),
  };

  static override flags = {
    "all-namespaces": Flags.boolean({ char: "A", description: "Include all namespaces" }),
    selector: selectorFlag("Only pods with these labels, such as app=web,tier!=db"),
    filename: filenameFlag("Read what kubectl printed instead of a cluster: a file, a folder or - for stdin"),
    ...AT_FLAG,
    output: outputFlag(ETA_FORMS),
    watch: Flags.boolean({
      char: "w",
      description: "Count the containers that come up, until all are up or Ctrl-C, and compare with the prediction",
    }),
    ...NOTIFY_FLAG,
    ...COLOR_FLAG,
    ...CLUSTER_FLAGS,
  };

  async run(): Promise<number> {
    const { words, flags } = await this.parse(Eta);
    const { selector, "all-namespaces": allNamespaces, filename, at } = flags;
    if (flags.watch)
      watchedForm(flags.output, WATCHED_FORMS, { "-f": filename !== undefined, "--at": at !== undefined });
    if (filename === undefined && words.length > 0) askedTargets({ words, selector, allNamespaces });
    const connection = filename === undefined ? await this.connectTo(flags) : null;
    const isScope = connection !== null && words.length === 0;
    const answered = isScope ? await this.ofScope(connection, flags) : await this.ofTargets(words, connection, flags);
    const { eta, failures, notes } = answered;
    for (const sentence of notes) this.note(sentence);
    const announce = async (): Promise<void> => {
      await this.show(answered, flags);
      this.trace?.endStage("render");
    };
    if (flags.watch && connection !== null && awaitedIn(eta).length > 0) {
      const exitCode = await this.watch(connection, words, flags, { eta, announce });
      if (exitCode !== 0) return exitCode;
    } else await announce();
    const staysDown = flags.watch && (staysDownIn(eta) > 0 || eta.failedJobs.length > 0);
    connection?.close();
    for (const failure of failures) this.note(`Error: ${failure}`);
    return failures.length > 0 || staysDown ? FAILED : 0;
  }

  private async ofScope(connection: Connection, flags: EtaFlags): Promise<Answered> {
    const scope = { ...scopeOf(connection, flags), filter: NOT_UP };
    const options = kubeletOptions(flags);
    const atMs = flags.at?.(this.localNowMs()) ?? null;
    this.warmUp(flags.color, () => [ETA_FORMS[flags.output]()]);
    const logs = new CrashLogs(connection, CRASH_LOG_LINES);
    const groups = new CrashGroups(logs);
    const request = { localNowMs: this.localNowMs(), need: WHEN_RETRIED };
    const onSuspects: OnSuspects = (rows) => logs.requestAhead(rows);
    const { found, failure } = await collectParts(
      connection,
      observeDetailedList(connection, scope, { ...request, onSuspects }),
      (part) => {
        this.trace?.printNow(part);
        const now: Now = atMs === null ? { atMs: part.atMs, atBasis: part.atBasis } : { atMs, atBasis: "flag" };
        if (part.startsOver) groups.clear();
        groups.add(part.pods, now.atMs);
        const judged = etaPart({ ...now, pods: part.pods }, options);
        const unread = part.all.length - part.pods.length;
        return { ...judged, pods: judged.pods + unread, up: judged.up + part.up, now, podsRead: part.podsRead };
      },
      ({ podsRead }) => `${podsRead} pods read`,
    );
    const [{ now }] = found;
    const isEmpty = failure === null && found.at(-1)?.podsRead === 0;
    const notes = isEmpty ? await noMatchNotes(connection, scope) : [];
    const needs = needsIn(await groups.needs(connection, now.atMs), options, now);
    this.trace?.endStage("list");
    return {
      eta: etaOf({ ...joinedParts(found), needs }, now),
      failures: failure === null ? [] : [incompleteSentence(failure)],
      notes,
      isExplained: notes.length > 0,
    };
  }

  private async ofTargets(words: readonly string[], connection: Connection | null, flags: EtaFlags): Promise<Answered> {
    const mostPods = Number.POSITIVE_INFINITY;
    const logs = { tail: CRASH_LOG_LINES, isAsked: false, isPrevious: false };
    const limits = { mostPods, logs, mostLogs: MOST_LOGS };
    const { observation, failures, notes } = await this.observe(words, flags, connection, limits);
    this.trace?.endStage(connection === null ? "input" : "requests");
    const options = kubeletOptions(flags);
    this.trace?.printNow(observation);
    const failedJobs = (observation.jobs ?? []).flatMap((asked) => failedJob(asked, flagsForCommands(flags)));
    const jobs = { failedJobs, waitingJobs: jobsBetweenPods(observation) };
    const eta = etaOf(etaPart(observation, options), observation, jobs);
    const isExplained = observation.pods.length === 0 && notes.length > 0;
    return { eta, failures: failures.map(({ text }) => text), notes, isExplained };
  }

  private async show({ eta, failures, isExplained }: Answered, flags: EtaFlags): Promise<void> {
    const { isForPrograms } = FORMS[flags.output];
    // With the terminal's height, the table can be short enough that its headline stays in view above the progress.
    const rows = flags.watch && process.stdout.isTTY ? process.stdout.rows : undefined;
    const state = { isWide: flags.output === "wide", isIncomplete: failures.length > 0 };
    const look = { ...this.renderOptions(flags.color), rows, ...state };
    const hasJobs = eta.failedJobs.length + eta.waitingJobs.length > 0;
    const isEmpty = eta.total === 0 && !hasJobs && !isForPrograms;
    const render = await ETA_FORMS[isEmpty ? "table" : flags.output]();
    const text = render(eta, { ...look, selector: flags.selector, isExplained });
    if (flags.watch && flags.output === "json") this.print(jsonLine(JSON.parse(text)), flags.output);
    else if (!isEmpty) this.print(text, flags.output);
    else if (failures.length === 0) this.note(text.trimEnd());
    if (!isForPrograms) for (const sentence of gapNotes(eta.gaps)) this.note(sentence);
  }

  private async watch(
    connection: Connection,
    words: readonly string[],
    flags: EtaFlags,
    announced: Pick<EtaWatchRequest, "eta" | "announce">,
  ): Promise<number> {
    const { watchEta } = await import("./watch-eta.ts");
    // A watch of named targets covers the whole namespace, because the selector of a workload is unknown here.
    const scope = words.length === 0 ? scopeOf(connection, flags) : { namespace: connection.namespace };
    const request = { ...announced, scope, output: flags.output, note: this.note, hasNotify: flags.notify };
    return watchEta(connection, request, this.timers);
  }
}

type EtaFlags = Interfaces.InferredFlags<typeof Eta.flags>;

interface Answered {
  readonly eta: EtaAnswer;
  readonly failures: readonly string[];
  readonly notes: readonly string[];
  /** Whether `notes` seem to say why there is nothing to wait for. */
  readonly isExplained: boolean;
}
