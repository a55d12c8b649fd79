import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { observationAt as observationOfRecording } from "../../scripts/recorded-moment.ts";
import { type RecordedLine, type Recording, readRecordedLines } from "../../scripts/recordings.ts";
import type { Observation } from "../../src/explain/observed/observation.ts";

/** What real kubelets did: test/fixtures/README.md. */
export const RECORDINGS = fileURLToPath(new URL("../fixtures/recordings", import.meta.url));

type NodeFiles = Pick<Recording, "node" | "nodeRaw" | "configzRaw" | "nodeEventLines">;

/** The lines of one recording in order of arrival, e.g. of `node-a/oom.ndjson.gz`. */
export function readRecording(file: string): readonly RecordedLine[] {
  return readRecordedLines(join(RECORDINGS, file));
}

/** Reads the Node, its configuration and its events, e.g. of `node-a`. */
export function readNodeFiles(node: string): NodeFiles {
  const json = (file: string): unknown => JSON.parse(readFileSync(join(RECORDINGS, node, file), "utf8"));
  return {
    node,
    nodeRaw: json("node.json"),
    configzRaw: json("configz.json"),
    nodeEventLines: readRecording(`${node}/node-events.ndjson.gz`),
  };
}

/** The observation that was possible at `atMs`; throws if the recording has no pod at that moment. */
export function observationAt(lines: readonly RecordedLine[], nodeFiles: NodeFiles, atMs: number): Observation {
  const observation = observationOfRecording({ ...nodeFiles, pod: "", lines }, atMs);
  if (observation === null) throw new Error(`No pod in the recording at ${new Date(atMs).toISOString()}`);
  return observation;
}

/** Reads the recording of one pod and of its node, e.g. `node-a/oom`. */
export function recordingOf(path: string): Recording {
  return { ...readNodeFiles(dirname(path)), pod: basename(path), lines: readRecording(`${path}.ndjson.gz`) };
}
