import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readTextFile } from "./text-file.ts";

export interface RecordedLine {
  readonly atMs: number;
  readonly kind: "Pod" | "Event";
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: unknown;
}

export interface Recording {
  readonly node: string;
  /** The base name of the file. Several pods may have had this name, one after another. */
  readonly pod: string;
  /** In order of arrival. */
  readonly lines: readonly RecordedLine[];
  /** Null if there is no node.json. */
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

export const RECORDINGS = fileURLToPath(new URL("../../test/fixtures/recordings", import.meta.url));

const LINES_FILE = /\.ndjson(\.gz)?$/;
const NODE_EVENTS = "node-events";

/** `folder` is the folder of one node, with a node.json, or holds the folders of several nodes. */
export function loadRecordingFolder(folder: string, wanted: (pod: string) => boolean = () => true): Recording[] {
  if (existsSync(join(folder, "node.json"))) return loadNodeFolder(folder, wanted);
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name))
    .sort()
    .flatMap((node) => loadNodeFolder(node, wanted));
}

/** `path` is below test/fixtures/recordings, e.g. "node-a/oom". */
export function recordingOf(path: string): Recording {
  const [recording] = loadRecordingFolder(join(RECORDINGS, dirname(path)), (pod) => pod === basename(path));
  if (recording === undefined) throw new Error(`There is no recording ${path}`);
  return recording;
}

export function interventions(folder: string): Intervention[] {
  const file = join(folder, "interventions.json");
  if (!existsSync(file)) return [];
  const entries = JSON.parse(readTextFile(file)) as { at: string; node: string; pod?: string; what: string }[];
  return entries.map(({ at, node, pod, what }) => ({ atMs: Date.parse(at), node, pod: pod ?? null, what }));
}

function loadNodeFolder(folder: string, wanted: (pod: string) => boolean): Recording[] {
  const files = new Map(readdirSync(folder).flatMap((file) => (LINES_FILE.test(file) ? [[podOf(file), file]] : [])));
  const linesOf = (name: string): RecordedLine[] => {
    const file = files.get(name);
    return file === undefined ? [] : readLines(join(folder, file));
  };
  const shared = {
    node: basename(folder),
    nodeRaw: readJson(join(folder, "node.json")),
    configzRaw: readJson(join(folder, "configz.json")),
    nodeEventLines: linesOf(NODE_EVENTS),
  };
  const pods = [...files.keys()].filter((name) => name !== NODE_EVENTS && wanted(name));
  return pods.sort().map((pod) => ({ ...shared, pod, lines: linesOf(pod) }));
}

function podOf(file: string): string {
  return file.replace(LINES_FILE, "");
}

function readLines(file: string): RecordedLine[] {
  return readTextFile(file)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const { at, ...rest } = JSON.parse(line) as Omit<RecordedLine, "atMs"> & { at: string };
      return { atMs: Date.parse(at), ...rest };
    });
}

function readJson(file: string): unknown {
  return existsSync(file) ? JSON.parse(readTextFile(file)) : null;
}
