import { printable, UserError } from "../../errors.ts";
import type { ContainerLog, Missing, Observation, PodObservation } from "../../explain/observed/observation.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import { eventUidsOf } from "../objects/event.ts";
import { nameOf, namespaceOf } from "../objects/owner-reference.ts";
import { type ReportHeader, toReportHeader } from "../objects/report-header.ts";
import { at, countOf, objectsOf, textOf } from "../objects/untrusted.ts";
import { newestOfEach } from "../objects/versions.ts";
import type { ObjectKind } from "../objects/workload-kinds.ts";
import { observeOwners } from "../owners/owner-chain.ts";
import type { ObjectSource, RawObject } from "../owners/workload-source.ts";
import { ALL_LINES, type LogsRequest } from "../pods/observe-logs.ts";
import { InputEvents } from "./input-events.ts";
import { InputNodes } from "./input-nodes.ts";
import { nowOf } from "./input-now.ts";
import { type InputObject, objectsIn } from "./input-objects.ts";
import { type InputPod, type PodSelection, podsOf, SkippedObjects, selectPods } from "./input-pods.ts";
import { findSources, type InputSource, readText } from "./input-text.ts";
import { parseDocuments } from "./parse-documents.ts";

/** What to read, which pods of it are asked for, and what is needed to say when "now" is. */
export interface ReadFilesOptions extends PodSelection {
  /** Files, folders, or "-" for `stdin`. */
  readonly filenames: readonly string[];
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly localNowMs: number;
  /** --at; `null` if it was not given. */
  readonly atMs: number | null;
  /** Is told, in sentences, what of the input is left out. */
  readonly onSkip: (sentence: string) => void;
  /** How much to take of the log in the file of a catch; no other input holds a log. */
  readonly logs?: Pick<LogsRequest, "tail"> | undefined;
  /** Chooses among the pods instead of the name and the namespace. */
  readonly choose?: (input: InputPods) => Promise<readonly InputPod[]>;
}

/** The pods of an input, what there is besides, and the moment that it is explained for. */
export interface InputPods {
  readonly pods: readonly InputPod[];
  readonly source: ObjectSource;
  readonly atMs: number;
}

/**
 * What files say of pods: any mix of Pod, Event, Node and kubelet configuration objects, in any order, as JSON or YAML.
 * Throws `UserError` badInput for what cannot be read, noPodInInput, and podNotInInput.
 */
export async function observeFiles(asked: ReadFilesOptions): Promise<Observation> {
  const options = { ...asked, onSkip: (sentence: string) => asked.onSkip(printable(sentence)) };
  const sources = await findSources(options.filenames, options.stdin);
  const objects = await readObjects(sources, options.onSkip);
  const pods = podsOf(ofKind(objects, "Pod"), options.onSkip);
  if (pods.length === 0) throw new UserError("noPodInInput", [...new Set(options.filenames)]);
  const report = new InputReport(ofKind(objects, "Report"), options.onSkip);
  const moment = report.momentIf(options.atMs === null) ?? nowOf(objects, options.localNowMs, options.atMs);
  const source = inputSource(objects, pods);
  const meant = report.podsOf(pods);
  const choose = options.choose ?? (async () => selectPods(meant, options));
  const selected = await choose({ pods: meant, source, atMs: moment.atMs });
  const nodes = new InputNodes(ofKind(objects, "Node"), ofKind(objects, "KubeletConfiguration"));
  const events = new InputEvents(ofKind(objects, "Event"));
  const ofNode = Map.groupBy(
    pods.map(({ pod }) => pod),
    ({ nodeName }) => nodeName,
  );
  const observed = await Promise.all(
    selected.map(async (input) => {
      const neighbours = ofNode.get(input.pod.nodeName) ?? [];
      return { ...(await observationOf(input, nodes, events, source)), neighbours };
    }),
  );
  return { ...moment, pods: observed.map((pod) => report.asReported(pod, options.logs?.tail ?? 0)) };
}

async function readObjects(sources: readonly InputSource[], onSkip: (sentence: string) => void) {
  const objects: InputObject[] = [];
  const skipped = new SkippedObjects();
  for (const source of sources) {
    const { documents, cutOff } = await parseDocuments(await readText(source), source.name);
    if (cutOff) onSkip(`Left out the last object in ${source.name}: it is cut off.`);
    for (const object of objectsIn(documents, source.folder)) {
      if ("skipped" in object) skipped.add(object, source.name);
      else objects.push(object);
    }
  }
  for (const sentence of skipped.sentences()) onSkip(sentence);
  return objects;
}

function ofKind(objects: readonly InputObject[], kind: InputObject["kind"]): readonly InputObject[] {
  return objects.filter((object) => object.kind === kind);
}

/** A pod without a node misses nothing of a node. */
async function observationOf(
  { raw, pod, earlier }: InputPod,
  nodes: InputNodes,
  events: InputEvents,
  source: ObjectSource,
): Promise<PodObservation> {
  const owners = await observeOwners(source, raw as RawObject);
  const scheduled = pod.nodeName !== null;
  const found = scheduled ? nodes.node(pod.nodeName) : null;
  const config = nodes.kubeletConfig(pod.nodeName);
  const own = events.ofPod(pod, eventUidsOf(raw));
  const ofNode = scheduled ? events.ofNode(pod.nodeName) : { events: [], objects: [] };
  const missing: Missing[] = [];
  if (!events.any) missing.push({ what: "events", why: "not-in-input" });
  if (scheduled && found === null) missing.push({ what: "node", why: "not-in-input" });
  if (scheduled && !events.anyOfNodes) missing.push({ what: "node-events", why: "not-in-input" });
  if (scheduled && typeof config === "string") missing.push({ what: "node-config", why: config });
  return {
    pod,
    earlier: earlier.map((version) => version.pod),
    events: own.events,
    node: found?.node ?? null,
    nodeEvents: ofNode.events,
    kubeletConfig: typeof config === "string" ? null : config.config,
    missing,
    objects: [
      ...[...earlier, { raw }].map((version) => ({ kind: "Pod", raw: version.raw })),
      ...own.objects,
      ...(found === null ? [] : [{ kind: "Node", raw: found.raw }]),
      ...ofNode.objects,
      ...(typeof config === "string" ? [] : [{ kind: "KubeletConfiguration", raw: config.raw }]),
    ],
    ...(owners !== undefined && { owners }),
  };
}

/** The workloads, revisions and pods of an input. What is not there is missing, and nobody's fault. */
function inputSource(objects: readonly InputObject[], pods: readonly InputPod[]): ObjectSource {
  const keyOf = ({ kind, raw }: InputObject): string => JSON.stringify([kind, namespaceOf(raw), nameOf(raw)]);
  const newest = newestOfEach(objects, keyOf).filter(({ deleted }) => !deleted);
  const byKind = Map.groupBy(newest, ({ kind }) => kind);
  const all = (kind: ObjectKind, namespace: string | null): readonly RawObject[] => {
    const found = kind === "Pod" ? pods : (byKind.get(kind) ?? []);
    return found
      .map(({ raw }) => raw as RawObject)
      .filter((raw) => namespace === null || namespaceOf(raw) === namespace);
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

/** The Report object of an input, if the input has one. The input is then explained as it was when the report was made. */
class InputReport {
  readonly #raw: unknown;
  readonly #header: ReportHeader | null;

  /** Tells `onNote` which flags the explanation depended on. Throws `UserError` severalReports: each report has its own moment. */
  constructor(objects: readonly InputObject[], onNote: (sentence: string) => void) {
    const headers = objects.flatMap(({ raw }) => toReportHeader(raw) ?? []);
    if (headers.length > 1) throw new UserError("severalReports", headers.length);
    this.#header = headers[0] ?? null;
    this.#raw = objects[0]?.raw;
    const flags = this.#header?.flags ?? [];
    if (flags.length > 0) onNote(`The report was made with ${flags.join(" ")}: pass that to explain it the same way.`);
  }

  /** The moment that was explained, if it `isWanted`; null where there is no report. */
  momentIf(isWanted: boolean): Pick<Observation, "atMs" | "atBasis"> | null {
    if (this.#header === null || !isWanted) return null;
    const { atMs, atBasis } = this.#header;
    return { atMs, atBasis };
  }

  /** The pod that the report is about, because the other pods are in it only for their owner. All pods if it is not among them. */
  podsOf(pods: readonly InputPod[]): readonly InputPod[] {
    const meant = pods.filter(({ pod }) => this.#isMeant(pod));
    return meant.length === 0 ? pods : meant;
  }

  /** The pod with what the objects of the report do not tell: the requests that failed when it was made, and so many lines of a log. */
  asReported(observed: PodObservation, tail: number): PodObservation {
    if (this.#header === null || !this.#isMeant(observed.pod)) return observed;
    const { missing, ownersMissing } = this.#header;
    const { owners } = observed;
    const log = caughtLog(this.#raw, tail);
    return {
      ...observed,
      missing,
      ...(log !== null && { logs: [log] }),
      ...(owners !== undefined && { owners: { ...owners, missing: ownersMissing } }),
    };
  }

  #isMeant({ namespace, name }: { readonly namespace: string; readonly name: string }): boolean {
    const pod = this.#header?.pod;
    return pod?.namespace === namespace && pod.name === name;
  }
}

/** The last `tail` lines of the log in the file of a catch; null where there are none. */
function caughtLog(raw: unknown, tail: number): ContainerLog | null {
  const container = textOf(at(raw, "container"));
  const all = objectsOf(at(raw, "log", "lines")).map((line) => textOf(at(line, "text")) ?? "");
  if (container === null || all.length === 0 || tail === 0) return null;
  const lines = tail === ALL_LINES ? all : all.slice(-tail);
  const isTruncated = lines.length === all.length && (countOf(at(raw, "log", "leftOut", "lines")) ?? 0) > 0;
  const instance = textOf(at(raw, "run", "finishedAt")) === null ? "running" : "last-exit";
  return { container, instance, text: { lines, isTruncated } };
}
