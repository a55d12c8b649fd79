import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { observationAt as observationOfRecording } from "../../scripts/recorded-moment.ts";
import { type RecordedLine, type Recording, readRecordedLines } from "../../scripts/recordings.ts";
import type { Observation } from "../../src/explain/observed/observation.ts";

/** What real kubelets did: test/fixtures/README.md. */
export const RECORDINGS = fileURLToPath(new URL("../fixtures/recordings", import.meta.url));

type NodeFiles = Pick<Recording, "node" | "nodeRaw" | "configzRaw" | "nodeEventLines">;

/** The lines of one recording, e.g. `node-a/oom.ndjson.gz`, in order of arrival. */
export function readRecording(file: string): readonly RecordedLine[] {
  return readRecordedLines(join(RECORDINGS, file));
}

/** The Node, its configuration and its events. */
export function readNodeFiles(node: string): NodeFiles {
  const json = (file: string): unknown => JSON.parse(readFileSync(join(RECORDINGS, node, file), "utf8"));
  return {
    node,
    nodeRaw: json("node.json"),
    configzRaw: json("configz.json"),
    nodeEventLines: readRecording(`${node}/node-events.ndjson.gz`),
  };
}

/** The observation at `atMs`; throws if the pod did not exist then. */
export function observationAt(lines: readonly RecordedLine[], nodeFiles: NodeFiles, atMs: number): Observation {
  const observation = observationOfRecording({ ...nodeFiles, pod: "", lines }, atMs);
  if (observation === null) throw new Error(`No pod in the recording at ${new Date(atMs).toISOString()}`);
  return observation;
}

/** The recording of one pod with its node, e.g. `node-a/oom`. */
export function recordingOf(path: string): Recording {
  return { ...readNodeFiles(dirname(path)), pod: basename(path), lines: readRecording(`${path}.ndjson.gz`) };
}
