import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Intervention, RecordedLine, Recording } from "../recordings.ts";

/** Writes recordings as `npm run calibrate` reads them: a folder per node, a file per pod, and what was done from outside. */
export function saveRecordings(
  folder: string,
  recordings: readonly Recording[],
  interventions: readonly Intervention[],
): void {
  for (const { node, pod, lines, nodeRaw, configzRaw, nodeEventLines } of recordings) {
    const ofNode = join(folder, node);
    mkdirSync(ofNode, { recursive: true });
    writeLines(join(ofNode, `${pod}.ndjson.gz`), lines);
    writeLines(join(ofNode, "node-events.ndjson.gz"), nodeEventLines);
    writeFileSync(join(ofNode, "node.json"), JSON.stringify(nodeRaw));
    if (configzRaw !== null) writeFileSync(join(ofNode, "configz.json"), JSON.stringify(configzRaw));
  }
  const entries = interventions.map(({ atMs, node, pod, what }) => ({
    at: timeOf(atMs),
    node,
    ...(pod !== null && { pod }),
    what,
  }));
  writeFileSync(join(folder, "interventions.json"), `${JSON.stringify(entries, null, 1)}\n`);
}

function writeLines(file: string, lines: readonly RecordedLine[]): void {
  const texts = lines.map(({ atMs, ...line }) => `${JSON.stringify({ at: timeOf(atMs), ...line })}\n`);
  writeFileSync(file, gzipSync(texts.join("")));
}

function timeOf(atMs: number): string {
  return new Date(atMs).toISOString();
}
