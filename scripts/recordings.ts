import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";

/** An object as the API server sent it, and when it arrived. */
export interface RecordedLine {
  readonly atMs: number;
  readonly kind: "Pod" | "Event";
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: unknown;
}

/** Everything that the API server sent about one pod name, and its node at the end. */
export interface Recording {
  readonly node: string;
  /** The file's base name. Several pods (UIDs) may have had this name, one after another. */
  readonly pod: string;
  /** In order of arrival. */
  readonly lines: readonly RecordedLine[];
  /** The Node object, its kubelet's answer to /configz, and its events in order of arrival. */
  readonly nodeRaw: unknown;
  readonly configzRaw: unknown;
  readonly nodeEventLines: readonly RecordedLine[];
}

export interface Intervention {
  readonly atMs: number;
  readonly node: string;
  readonly pod: string | null;
  readonly what: string;
}

const LINES_FILE = /\.ndjson(\.gz)?$/;
const NODE_EVENTS = "node-events";

/** The recordings below a folder, of all nodes or of one, sorted by node and pod. */
export function loadRecordingFolder(folder: string): Recording[] {
  if (existsSync(join(folder, "node.json"))) return loadNodeFolder(folder);
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name))
    .sort()
    .flatMap(loadNodeFolder);
}

/** The lines of one file (.ndjson or .ndjson.gz), in order of arrival. */
export function readRecordedLines(file: string): RecordedLine[] {
  return readText(file)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const { at, ...rest } = JSON.parse(line) as Omit<RecordedLine, "atMs"> & { at: string };
      return { atMs: Date.parse(at), ...rest };
    });
}

/** The list in `interventions.json`; empty without that file. */
export function interventions(folder: string): Intervention[] {
  const file = join(folder, "interventions.json");
  if (!existsSync(file)) return [];
  const entries = JSON.parse(readText(file)) as { at: string; node: string; pod?: string; what: string }[];
  return entries.map(({ at, node, pod, what }) => ({ atMs: Date.parse(at), node, pod: pod ?? null, what }));
}

function loadNodeFolder(folder: string): Recording[] {
  const files = readdirSync(folder).filter((file) => LINES_FILE.test(file));
  const linesOf = (name: string) => {
    const file = files.find((candidate) => podOf(candidate) === name);
    return file === undefined ? [] : readRecordedLines(join(folder, file));
  };
  const shared = {
    node: basename(folder),
    nodeRaw: readJson(join(folder, "node.json")),
    configzRaw: readJson(join(folder, "configz.json")),
    nodeEventLines: linesOf(NODE_EVENTS),
  };
  const pods = files.map(podOf).filter((name) => name !== NODE_EVENTS);
  return pods.sort().map((pod) => ({ ...shared, pod, lines: linesOf(pod) }));
}

function podOf(file: string): string {
  return file.replace(LINES_FILE, "");
}

function readJson(file: string): unknown {
  return existsSync(file) ? JSON.parse(readText(file)) : null;
}

function readText(file: string): string {
  const bytes = readFileSync(file);
  return (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}
