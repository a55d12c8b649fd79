import { eventSubjectOf, toEventSnapshot } from "../../src/cluster/objects/event.ts";
import { at, textOf } from "../../src/cluster/objects/json-access.ts";
import { toKubeletConfig, toNodeSnapshot } from "../../src/cluster/objects/node.ts";
import { toPodSnapshot } from "../../src/cluster/objects/pod.ts";
import type {
  EventSnapshot,
  KubeletConfig,
  Missing,
  NodeSnapshot,
  Observation,
  PodSnapshot,
} from "../../src/explain/observed/observation.ts";
import type { RecordedLine, Recording } from "./recordings.ts";

interface RecordedMoment {
  readonly pod: RecordedLine;
  readonly events: readonly RecordedLine[];
  readonly nodeEvents: readonly RecordedLine[];
}

/** Returns null if the recording shows no pod at `atMs`. */
export function momentAt(recording: Recording, atMs: number): RecordedMoment | null {
  const arrived = recording.lines.slice(0, arrivedBy(recording.lines, atMs));
  const pod = arrived.findLast((line) => line.kind === "Pod");
  if (pod === undefined || pod.type === "DELETED") return null;
  const uid = at(pod.object, "metadata", "uid");
  const ofThisPod = (line: RecordedLine) => [null, uid].includes(subjectUid(line));
  const nodeLines = recording.nodeEventLines;
  return {
    pod,
    events: newestEvents(arrived.filter((line) => line.kind === "Event" && ofThisPod(line))),
    nodeEvents: newestEvents(nodeLines.slice(0, arrivedBy(nodeLines, atMs))),
  };
}

export function observationAt(recording: Recording, atMs: number): Observation | null {
  const moment = momentAt(recording, atMs);
  if (moment === null) return null;
  const pod = podOf(moment.pod);
  const scheduled = pod.nodeName !== null;
  const node = scheduled && recording.nodeRaw !== null ? nodeOf(recording.nodeRaw as object) : null;
  const kubeletConfig = scheduled && recording.configzRaw !== null ? configOf(recording.configzRaw as object) : null;
  const missing: Missing[] = [];
  if (scheduled && node === null) missing.push({ what: "node", why: "not-in-input" });
  if (scheduled && kubeletConfig === null) missing.push({ what: "node-config", why: "not-in-input" });
  const nodeEvents = scheduled ? moment.nodeEvents.map(eventOf) : [];
  const observed = { pod, earlier: [], events: moment.events.map(eventOf), node, nodeEvents, kubeletConfig, missing };
  return { atMs, atBasis: "flag", pods: [observed] };
}

export const podOf = oncePerObject((line: RecordedLine): PodSnapshot => toPodSnapshot(line.object));

export const eventOf = oncePerObject((line: RecordedLine): EventSnapshot => toEventSnapshot(line.object));

const subjectUid = oncePerObject((line: RecordedLine): string | null => eventSubjectOf(line.object).uid);
const eventName = oncePerObject((line: RecordedLine): string => textOf(at(line.object, "metadata", "name")) ?? "");
const nodeOf = oncePerObject((raw: object): NodeSnapshot => toNodeSnapshot(raw));
const configOf = oncePerObject((raw: object): KubeletConfig | null => toKubeletConfig(raw));

/** Converts each object once, because the calibration asks for many moments of a recording. */
function oncePerObject<K extends object, V>(convert: (key: K) => V): (key: K) => V {
  const converted = new WeakMap<K, { value: V }>();
  return (key) => {
    const known = converted.get(key) ?? { value: convert(key) };
    converted.set(key, known);
    return known.value;
  };
}

function newestEvents(arrived: readonly RecordedLine[]): readonly RecordedLine[] {
  const newest = new Map<string, RecordedLine>();
  for (const line of arrived) newest.set(eventName(line), line);
  return [...newest.values()].filter((line) => line.type !== "DELETED");
}

function arrivedBy(lines: readonly RecordedLine[], atMs: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((lines[middle]?.atMs ?? Number.POSITIVE_INFINITY) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
