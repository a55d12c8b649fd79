import { printable, UserError } from "../../errors.ts";
import { podKey } from "../../explain/observed/lookups.ts";
import type { ContainerLog, Observation, PodObservation, PodSnapshot } from "../../explain/observed/observation.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import { eventUidsOf } from "../objects/event.ts";
import { at, countOf, type JsonObject, objectsOf, textOf } from "../objects/json-access.ts";
import { nameOf, namespaceOf } from "../objects/owner-reference.ts";
import { type ReportHeader, toReportHeader } from "../objects/report-header.ts";
import type { ObjectKind } from "../objects/workload-kinds.ts";
import { observeOwners } from "../owners/owner-chain.ts";
import type { ObjectSource } from "../owners/workload-source.ts";
import { endOfLog, type LogsRequest } from "../pods/observe-logs.ts";
import { needReader } from "../pods/observe-needs.ts";
import { missing } from "../pods/observe-node.ts";
import { type DumpedLog, logsOfPod } from "./dumped-logs.ts";
import { InputEvents } from "./input-events.ts";
import { inputNeeds, needingPods } from "./input-needs.ts";
import { inputNodes } from "./input-nodes.ts";
import { nowOf } from "./input-now.ts";
import { existing, type InputObject, newest, type ObjectsOfKind, objectsIn } from "./input-objects.ts";
import { type InputPod, podsOf } from "./input-pods.ts";
import { findSources, type InputSource, readText } from "./input-text.ts";
import { type ParsedText, parseDocuments } from "./parse-documents.ts";

export interface ReadFilesOptions {
  readonly filenames: readonly string[];
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly localNowMs: number;
  readonly atMs: number | null;
  readonly onNote: (sentence: string) => void;
  readonly logs?: Pick<LogsRequest, "tail"> | undefined;
}

interface Input {
  /** All pods of the input, or only the pod of a file that --report or the command catch wrote. */
  readonly pods: readonly InputPod[];
  readonly source: ObjectSource;
  readonly atMs: number;
  observe(selected: readonly InputPod[]): Promise<Observation>;
}

export async function observeFiles(options: ReadFilesOptions): Promise<Observation> {
  const { pods, observe } = await readInput(options);
  if (pods.length === 0) throw noPodIn(options);
  return observe(pods);
}

export function noPodIn({ filenames }: ReadFilesOptions): UserError {
  return new UserError("noPodInInput", [...new Set(filenames)]);
}

export async function readInput(options: ReadFilesOptions): Promise<Input> {
  const onNote = (sentence: string): void => options.onNote(printable(sentence));
  const { objects, logs: dumped } = await readObjects(await findSources(options.filenames, options.stdin), onNote);
  const ofKind = (kind: InputObject["kind"]) => objects.filter((object) => object.kind === kind);
  const byKind = Map.groupBy(existing(objects), ({ kind }) => kind);
  const existingOf: ObjectsOfKind = (kind) => byKind.get(kind) ?? [];
  const pods = podsOf(ofKind("Pod"), onNote);
  const source = inputSource(existingOf, pods);
  const report = reportIn(ofKind("Report"), onNote);
  const reported = report && pods.find(({ pod }) => podKey(pod) === podKey(report.header.pod));
  const { atMs, atBasis } =
    report !== null && options.atMs === null ? report.header : nowOf(objects, options.localNowMs, options.atMs);
  const events = new InputEvents(ofKind("Event"));
  // Deleted nodes count, because their last state shows which kubelet ran the pods.
  const nodeOf = inputNodes(newest(ofKind("Node")), ofKind("KubeletConfiguration"), events);
  const snapshots = pods.map(({ pod }) => pod);
  const surroundings: InputSurroundings = {
    source,
    nodeOf,
    events,
    neighbours: Map.groupBy(snapshots, ({ nodeName }) => nodeName),
  };
  const observePod = (pod: InputPod) => observationOf(pod, surroundings);
  const needsOf = needReader(inputNeeds(existingOf, pods, observePod), atMs);
  const tail = options.logs?.tail ?? 0;
  const observeSelected = async (input: InputPod): Promise<PodObservation> => {
    const found = await observePod(input);
    const logs = logsOfPod(input.pod, dumped, tail, atMs);
    const withLogs = logs.length === 0 ? found : { ...found, logs };
    const observed = report !== null && input === reported ? asReported(withLogs, report, tail) : withLogs;
    const needs = await needsOf(input.pod, observed.logs ?? []);
    return needs.length === 0 ? observed : { ...observed, needs };
  };
  return {
    pods: reported == null ? pods : [reported],
    source,
    atMs,
    observe: async (selected) => {
      const chosen = new Set(selected);
      const others = pods.filter((pod) => !chosen.has(pod));
      const needing = await needingPods(others, { observe: observePod, needs: needsOf, dumped, atMs });
      const observed = await Promise.all(selected.map(observeSelected));
      return { atMs, atBasis, pods: observed, ...(needing.length > 0 && { needing }) };
    },
  };
}

async function readObjects(sources: readonly InputSource[], onNote: (sentence: string) => void) {
  const objects: InputObject[] = [];
  const logs: DumpedLog[] = [];
  const skipped: { readonly skipped: string; readonly source: string }[] = [];
  for (const source of sources) {
    const { documents, cutOff, logs: found } = await parsedOrNoted(source, onNote);
    for (const log of found) logs.push(log);
    if (cutOff) onNote(`Left out the last object in ${source.name}: it is cut off.`);
    for (const object of objectsIn(documents, source.folder)) {
      if ("skipped" in object) skipped.push({ ...object, source: source.name });
      else objects.push(object);
    }
  }
  for (const [singular, found] of Map.groupBy(skipped, (one) => one.skipped)) {
    const what = found.length === 1 ? singular : singular.replace(/\b(object|value)\b/, "$1s");
    const files = new Set(found.map(({ source }) => source));
    const where = files.size === 1 ? found[0]?.source : `${files.size} files`;
    onNote(
      `Skipped ${found.length} ${what} in ${where}: only Pod, Event, Node, Service, EndpointSlice, kubelet configuration and ` +
        "workloads matter here.",
    );
  }
  return { objects, logs };
}

async function parsedOrNoted(source: InputSource, onNote: (sentence: string) => void): Promise<ParsedText> {
  try {
    return await parseDocuments(await readText(source), source.name);
  } catch (error) {
    if (source.isNamed || !(error instanceof UserError)) throw error;
    onNote(`${error.text.split("\n", 1)} Left it out.`);
    return { documents: [], cutOff: false, logs: [] };
  }
}

interface InputSurroundings {
  readonly source: ObjectSource;
  readonly nodeOf: ReturnType<typeof inputNodes>;
  readonly events: InputEvents;
  readonly neighbours: ReadonlyMap<string | null, readonly PodSnapshot[]>;
}

async function observationOf(
  { raw, pod, earlier }: InputPod,
  surroundings: InputSurroundings,
): Promise<PodObservation> {
  const owners = await observeOwners(surroundings.source, raw);
  const node = surroundings.nodeOf(pod.nodeName);
  const own = surroundings.events.ofPod(pod, eventUidsOf(raw));
  return {
    ...node,
    pod,
    earlier: earlier.map((version) => version.pod),
    events: own.events,
    missing: [...missing("events", surroundings.events.hasEvents ? null : "not-in-input"), ...node.missing],
    neighbours: pod.nodeName === null ? [pod] : (surroundings.neighbours.get(pod.nodeName) ?? []),
    objects: [
      ...[...earlier, { raw }].map((version) => ({ kind: "Pod", raw: version.raw })),
      ...own.objects,
      ...(node.objects ?? []),
    ],
    ...(owners !== undefined && { owners }),
  };
}

function inputSource(existingOf: ObjectsOfKind, pods: readonly InputPod[]): ObjectSource {
  const all = (kind: ObjectKind, namespace: string | null): readonly JsonObject[] => {
    const found = kind === "Pod" ? pods : existingOf(kind);
    return found.map(({ raw }) => raw).filter((raw) => namespace === null || namespaceOf(raw) === namespace);
  };
  return {
    get: async (kind, namespace, name) => {
      const value = all(kind, namespace).find((raw) => nameOf(raw) === name);
      if (value !== undefined) return { value, why: null };
      const error = new RequestFailure("not-found", { message: "it is not in the input" });
      return { value: null, why: "not-in-input", error };
    },
    list: async (kind, namespace, selector) => {
      const found = all(kind, namespace);
      const matching =
        selector === null ? found : found.filter((raw) => selector.matches(at(raw, "metadata", "labels")));
      return { value: matching, why: null };
    },
  };
}

interface Report {
  readonly raw: unknown;
  readonly header: ReportHeader;
}

function reportIn(objects: readonly InputObject[], onNote: (sentence: string) => void): Report | null {
  const reports = objects.flatMap(({ raw }) => {
    const header = toReportHeader(raw);
    return header === null ? [] : [{ raw, header }];
  });
  if (reports.length > 1) throw new UserError("severalReports", reports.length);
  const [report] = reports;
  if (report === undefined) return null;
  const { flags } = report.header;
  if (flags.length > 0) onNote(`The report was made with ${flags.join(" ")}: pass that to explain it the same way.`);
  return report;
}

function asReported(observed: PodObservation, report: Report, tail: number): PodObservation {
  const { missing, ownersMissing } = report.header;
  const { owners } = observed;
  const log = caughtLog(report.raw, tail);
  return {
    ...observed,
    missing,
    ...(log !== null && { logs: [log] }),
    ...(owners !== undefined && { owners: { ...owners, missing: ownersMissing } }),
  };
}

function caughtLog(raw: unknown, tail: number): ContainerLog | null {
  const container = textOf(at(raw, "container"));
  const all = objectsOf(at(raw, "log", "lines")).map((line) => textOf(at(line, "text")) ?? "");
  if (container === null || all.length === 0 || tail === 0) return null;
  const leftOut = countOf(at(raw, "log", "leftOut", "lines")) ?? 0;
  const instance = textOf(at(raw, "run", "finishedAt")) === null ? "running" : "last-exit";
  return { container, instance, ...endOfLog(all, leftOut, tail) };
}
