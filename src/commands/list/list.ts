import type { Interfaces } from "@oclif/core";
import * as Flags from "@oclif/core/flags";
import type { Connection } from "../../cluster/connection/connection.ts";
import { CrashLogs, MOST_LOGS } from "../../cluster/list/list-logs.ts";
import type { ListScope } from "../../cluster/list/list-pages.ts";
import { andList, UserError } from "../../errors.ts";
import type { BackoffList } from "../../explain/answer/backoff-list.ts";
import { withCommon } from "../../explain/common.ts";
import { explain } from "../../explain/explain.ts";
import { listed, withoutRunning } from "../../explain/list.ts";
import { SORT_KEYS, sorted } from "../../explain/list-order.ts";
import { hasFinished, readinessOf } from "../../explain/observed/lookups.ts";
import { FORMS, LIST_FORMS } from "../../render/forms.ts";
import { SECTION_KEYS } from "../../render/list/list-sections.ts";
import { emptyList } from "../../render/list/list-sentences.ts";
import type { ListLook } from "../../render/list/list-table.ts";
import { ClusterCommand } from "../base/cluster-command.ts";
import { CLUSTER_FLAGS } from "../flags/connection-flags.ts";
import { oneOfForm } from "../flags/flag-values.ts";
import {
  COLOR_FLAG,
  choiceFlag,
  filenameFlag,
  kubeletOptions,
  outputFlag,
  selectorFlag,
  tailFlag,
  valueFlag,
} from "../flags/flags.ts";
import { FAILED } from "../terminal/exit-codes.ts";
import { collectedList, failedAmong } from "./collected-list.ts";
import { CRASH_LOG_LINES, gapNotes, incompleteSentence, placeOf, scopeOf } from "./list-parts.ts";

const LISTED_FORMS = Object.keys(LIST_FORMS) as (keyof typeof LIST_FORMS)[];
const UNGROUPED_FORMS = LISTED_FORMS.filter((form) => form === "wide" || FORMS[form].isForPrograms);
const FORMS_WITHOUT_LOGS = LISTED_FORMS.filter((form) => FORMS[form].logs !== "by-default");

export default class List extends ClusterCommand {
  static override summary = "List every container that is in back-off, restarting or failing to start.";

  static override description =
    "Shows which containers of a namespace or the cluster are down, how long the kubelet waits, when they restart next, why " +
    "they crashed, and since when they have been failing; then those that crash-loop but are running right now, pods that have not " +
    "been Ready for 2 minutes, and failed Jobs. " +
    "Containers of a workload that are down for the same cause share a line: PODS says how many pods that are, and READY how many " +
    "of all its pods are ready, which is left out where it is unknown (-A). It reads the configurations of up to 8 kubelets and up to 10 logs, and no events of what crashes; " +
    "`kubectl backoff explain POD` does, and is more precise.";

  static override examples = [
    "# List the current namespace; the word list may be left out\n  kubectl backoff list",
    "# List all namespaces, the longest delay first\n  kubectl backoff list -A --sort-by delay",
    "# Explain whatever is down with a label\n  kubectl backoff list -l app=web -o name | xargs -n 1 kubectl backoff explain",
  ];

  static override usage = ["list [FLAGS]", "list -f FILE [FLAGS]"];

  static override flags = {
    "all-namespaces": Flags.boolean({ char: "A", description: "List all namespaces" }),
    selector: selectorFlag("List only pods with these labels: app=web,tier!=cache, 'app in (a,b)'"),
    filename: filenameFlag("Read what kubectl printed instead of a cluster: a file, a folder or - for stdin"),
    "sort-by": choiceFlag(
      SORT_KEYS,
      "next",
      "Soonest restart, longest delay, most restarts or youngest pod first, or by name",
    ),
    by: valueFlag(
      SECTION_KEYS.join("|"),
      "Put the rows of a table together by cause, node or owner",
      oneOfForm(SECTION_KEYS),
    ),
    output: outputFlag(LIST_FORMS, "Output format; on a terminal, table cuts causes and columns, and wide does not"),
    down: Flags.boolean({ description: "Leave out containers that crash-loop but are running right now" }),
    ungrouped: Flags.boolean({ description: `Print a line for each container, as ${andList(UNGROUPED_FORMS)} do` }),
    "no-headers": Flags.boolean({ description: "Print no headings and no totals" }),
    tail: tailFlag(
      `Lines from the end of a log among which to find the cause (default ${CRASH_LOG_LINES}, 0 for none); up to ${MOST_LOGS} logs are read, ` +
        `for ${andList(FORMS_WITHOUT_LOGS)} only with this flag`,
    ),
    watch: Flags.boolean({ char: "w", description: "Watch the list, with a live countdown, until Ctrl-C" }),
    ...COLOR_FLAG,
    ...CLUSTER_FLAGS,
  };

  async run(): Promise<number> {
    const { flags } = await this.parse(List);
    if (flags.filename !== undefined) return this.ofFiles(flags);
    const connection = await this.connectTo(flags);
    const scope = scopeOf(connection, flags);
    if (flags.watch) return this.watch(connection, scope, flags);
    this.warmUp(flags.color, () => [LIST_FORMS[flags.output]()]);
    const { list, failure, notes } = await collectedList(connection, scope, {
      options: kubeletOptions(flags),
      localNowMs: this.localNowMs(),
      logs: tailOf(flags) === 0 ? undefined : new CrashLogs(connection, tailOf(flags)),
      onPart: (part) => this.trace?.printNow(part),
    }).finally(() => connection.close());
    await this.show(list, flags, { where: placeOf(scope), isIncomplete: failure !== null, notes });
    if (failure === null) return 0;
    this.note(`Error: ${incompleteSentence(failure)}`);
    return FAILED;
  }

  private async ofFiles(flags: ListFlags): Promise<number> {
    if (flags.watch) throw new UserError("notWithWatch", "-f");
    const everything = { ...flags, "all-namespaces": flags.namespace === undefined };
    const limits = { mostPods: Number.POSITIVE_INFINITY, withJobs: true };
    const { observation, notes } = await this.observe([], everything, null, limits);
    const options = kubeletOptions(flags);
    const { jobs = [] } = observation;
    const failedJobs = failedAmong(jobs);
    const found = { ...listed(observation, explain(observation, options)), failedJobs };
    const namespaces = new Set([...found.items, ...found.notReady, ...failedJobs].map(({ namespace }) => namespace));
    // Leaves out finished pods, because the command without -f does not read finished pods.
    const unfinished = observation.pods.filter(({ pod }) => !hasFinished(pod));
    const allPods = unfinished.map(({ pod }) => {
      const { ready, all } = readinessOf(pod);
      return { namespace: pod.namespace, name: pod.name, isReady: ready === all };
    });
    const list = withCommon({ ...found, allPods });
    const where = flags.namespace === undefined ? "the input" : `${flags.namespace} namespace of the input`;
    await this.show(list, { ...flags, "all-namespaces": namespaces.size > 1 }, { where, notes });
    return 0;
  }

  private async show(list: BackoffList, flags: ListFlags, source: ListSource): Promise<void> {
    const { where, notes, isIncomplete = false } = source;
    for (const sentence of notes) this.note(sentence);
    const wanted = flags.down ? withoutRunning(list) : list;
    const render = await LIST_FORMS[flags.output]();
    const look = this.lookOf(flags);
    const text = render(sorted(wanted, flags["sort-by"]), { ...look, isIncomplete });
    if (text !== "") this.print(text, flags.output);
    if (!FORMS[flags.output].isForPrograms) {
      const isEmpty = text === "" && !isIncomplete;
      if (!isEmpty) for (const sentence of gapNotes(wanted.gaps)) this.note(sentence);
      else if (notes.length === 0) this.note(emptyList(wanted, look, ` in ${where}`));
    }
    this.trace?.endStage("list");
  }

  private lookOf(flags: ListFlags): ListLook {
    return {
      isWide: flags.output === "wide",
      hasNamespaces: flags["all-namespaces"],
      hasHeaders: !flags["no-headers"],
      isGrouped: !flags.ungrouped,
      isDownOnly: flags.down,
      selector: flags.selector,
      by: flags.by ?? null,
      ...this.renderOptions(flags.color),
      columns: this.rowColumns(),
    };
  }

  private async watch(connection: Connection, scope: ListScope, flags: ListFlags): Promise<number> {
    const { watchList } = await import("./watch-list.ts");
    const request = {
      ...{ scope, output: flags.output, sortKey: flags["sort-by"] },
      kubelet: kubeletOptions(flags),
      look: this.lookOf(flags),
      tail: tailOf(flags),
      note: this.note,
    };
    return watchList(connection, request, this.timers);
  }
}

interface ListSource {
  readonly where: string;
  readonly isIncomplete?: boolean;
  readonly notes: readonly string[];
}

type ListFlags = Interfaces.InferredFlags<typeof List.flags>;

function tailOf({ tail, output }: ListFlags): number {
  return tail ?? (FORMS[output].logs === "by-default" ? CRASH_LOG_LINES : 0);
}
