import type { Interfaces } from "@oclif/core";
import * as Flags from "@oclif/core/flags";
import type { Connection } from "../../cluster/connection/connection.ts";
import { realTimers } from "../../cluster/connection/timers.ts";
import { type ListedObservation, observeList } from "../../cluster/list/list-observe.ts";
import type { ListScope } from "../../cluster/list/list-pages.ts";
import type { UserError } from "../../errors.ts";
import { type ExplainOptions, explain } from "../../explain/explain.ts";
import {
  type BackoffList,
  joined,
  listed,
  SORT_KEYS,
  type SortKey,
  sorted,
  withoutRunning,
} from "../../explain/list.ts";
import { renderListJson, renderListNames } from "../../render/json/json.ts";
import { type ListLook, noneListed, renderListTable } from "../../render/list/list-table.ts";
import { ClusterCommand } from "../base/cluster-command.ts";
import { CLUSTER_FLAGS } from "../flags/connection-flags.ts";
import { kubeletOptions, outputFlag, selectorFlag, valueFlagWithDefault } from "../flags/flags.ts";
import { gapNotes, incompleteSentence, takeParts } from "./list-parts.ts";

const FORMATS = ["table", "wide", "json", "yaml", "name"] as const;

/** `kubectl backoff list`, or `kubectl backoff` alone: which containers are down or crash-loop, the next restart first. */
export default class List extends ClusterCommand {
  static override summary = "List every container that is in back-off, restarting or failing to start.";

  static override description =
    "Shows which containers of a namespace or the cluster are down, how long the kubelet waits, when they restart next, why " +
    "they crashed, and since about when they have been failing; then those that crash-loop but are running right now. " +
    "Containers of a workload that are down for the same cause share a line: 12/14 means 12 of its 14 pods. It reads neither " +
    "events nor the kubelets' configurations; `kubectl backoff explain POD` does, and is more precise.";

  static override examples = [
    "# List the current namespace; the word list may be left out\n  kubectl backoff list",
    "# List all namespaces, the longest delay first\n  kubectl backoff list -A --sort-by delay",
    "# Explain whatever is down with a label\n  kubectl backoff list -l app=web -o name | xargs -n 1 kubectl backoff explain",
  ];

  static override usage = "list [FLAGS]";

  static override flags = {
    "all-namespaces": Flags.boolean({ char: "A", description: "List all namespaces" }),
    selector: selectorFlag("List only pods with these labels: app=web,tier!=cache, 'app in (a,b)'"),
    "sort-by": valueFlagWithDefault<SortKey>(
      SORT_KEYS.join("|"),
      "Soonest restart, longest delay, most restarts or youngest pod first, or by name",
      {
        read: (text) => SORT_KEYS.find((key) => key === text) ?? null,
        expected: `one of ${SORT_KEYS.join(", ")}`,
      },
      { value: "next", shown: "next" },
    ),
    output: outputFlag(FORMATS, "Output format; on a terminal, table shortens long names, and wide does not"),
    down: Flags.boolean({ description: "Leave out containers that crash-loop but are running right now" }),
    ungrouped: Flags.boolean({ description: "Print a line for each container, as wide, json and yaml do" }),
    "no-headers": Flags.boolean({ description: "Print no headings and no totals" }),
    watch: Flags.boolean({ char: "w", description: "Watch the list, with a live countdown, until Ctrl-C" }),
    ...CLUSTER_FLAGS,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(List);
    const connection = await this.connectTo(flags);
    const scope = {
      namespace: flags["all-namespaces"] ? null : connection.namespace,
      labelSelector: flags.selector,
    };
    if (flags.watch) return this.watch(connection, scope, flags);
    const parts = this.trace.parts(observeList(connection, scope, this.localNowMs()), kubeletOptions(flags));
    const { list, failure } = await collect(parts, kubeletOptions(flags), !flags["all-namespaces"]).finally(() =>
      connection.close(),
    );
    const wanted = flags.down ? withoutRunning(list) : list;
    const text = await this.rendered(sorted(wanted, flags["sort-by"]), flags, failure !== null);
    if (text !== "") this.print(text, flags.output);
    const isForPeople = flags.output !== "json" && flags.output !== "yaml";
    if (isForPeople) for (const note of notesOn(wanted, flags.down, scope.namespace, failure)) this.note(note);
    this.trace.ended("list");
    if (failure === null) return;
    this.note(`Error: ${incompleteSentence(failure)}`);
    this.exit(1);
  }

  private async rendered(list: BackoffList, flags: ListFlags, isIncomplete: boolean): Promise<string> {
    if (flags.output === "json") return renderListJson(list, isIncomplete);
    if (flags.output === "yaml") return (await import("../../render/json/yaml.ts")).renderListYaml(list, isIncomplete);
    if (flags.output === "name") return renderListNames(list);
    return renderListTable(list, this.lookOf(flags));
  }

  private lookOf(flags: ListFlags): ListLook {
    return {
      columns: this.rowColumns(),
      isWide: flags.output === "wide",
      hasNamespaces: flags["all-namespaces"],
      hasHeaders: !flags["no-headers"],
      isGrouped: !flags.ungrouped,
      isDownOnly: flags.down,
    };
  }

  private async watch(connection: Connection, scope: ListScope, flags: ListFlags): Promise<void> {
    const { watchList } = await import("./watch-list.ts");
    const { output, "sort-by": sortKey } = flags;
    const note = (sentence: string): void => this.note(sentence);
    const shown = { sortKey, output, look: this.lookOf(flags), note };
    const request = { ...shown, scope, kubelet: kubeletOptions(flags), trace: this.trace };
    const timers = realTimers(() => this.localNowMs());
    const exitCode = await watchList(connection, request, timers);
    if (exitCode !== 0) this.exit(exitCode);
  }
}

type ListFlags = Interfaces.InferredFlags<typeof List.flags>;

function notesOn(
  { items, gaps }: BackoffList,
  isDownOnly: boolean,
  namespace: string | null,
  failure: UserError | null,
): string[] {
  const where = namespace === null ? "any namespace" : `${namespace} namespace`;
  return items.length === 0 && failure === null ? [`${noneListed(isDownOnly)} in ${where}.`] : gapNotes(gaps);
}

/** What a list came to. */
interface Collected {
  readonly list: BackoffList;
  /** Why it is not all; null if it is. */
  readonly failure: UserError | null;
}

/**
 * Explains part by part, and keeps only what is down; with the names of all pods, if they are of one namespace. What fails
 * before anything is known is thrown on.
 */
async function collect(
  parts: AsyncIterable<ListedObservation>,
  options: ExplainOptions,
  hasOneNamespace: boolean,
): Promise<Collected> {
  let found: BackoffList[] = [];
  let podNames: string[] = [];
  const take = (part: ListedObservation): void => {
    const down = listed(part, explain(part, options));
    if (part.startsOver) [found, podNames] = [[], []];
    found.push(down);
    if (hasOneNamespace) podNames.push(...part.names);
  };
  const failure = await takeParts(parts, take, ({ seen }) => progressOf(seen, itemsIn(found)));
  const [first] = found;
  if (first === undefined) throw new Error("A list has at least one page");
  const list = joined(first.atMs, found);
  return { list: hasOneNamespace && failure === null ? { ...list, podNames } : list, failure };
}

function itemsIn(parts: readonly BackoffList[]): number {
  return parts.reduce((sum, { items }) => sum + items.length, 0);
}

function progressOf(seen: number, found: number): string {
  // Intl, which formats numbers, takes a moment to load.
  return `${seen.toLocaleString("en-US")} pods read, ${found.toLocaleString("en-US")} containers down`;
}
