// Cuts the bundled examples from recordings of real kubelets: node scripts/cut-example.ts [FOLDER], by default the fixtures.
// What to cut, and when, is in examples/index.json.
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { loadRecordingFolder, RECORDINGS } from "../lab/recordings/recordings.ts";
import { cutExample } from "./cut-example/cut.ts";

interface Entry {
  readonly name: string;
  readonly at: string;
  readonly file: string;
  /** `NODE/POD` in the folder of recordings. Absent if the file does not come from there. */
  readonly recording?: string;
}

const examples = new URL("../examples/", import.meta.url);
const folder = process.argv[2] ?? RECORDINGS;
const recordings = loadRecordingFolder(folder);

for (const entry of JSON.parse(readFileSync(new URL("index.json", examples), "utf8")) as Entry[]) {
  if (entry.recording === undefined) continue;
  const recording = recordings.find(({ node, pod }) => `${node}/${pod}` === entry.recording);
  if (recording === undefined) throw new Error(`No recording ${entry.recording} in ${folder}`);
  const text = `${JSON.stringify(cutExample(recording, Date.parse(entry.at)), null, 2)}\n`;
  writeFileSync(new URL(entry.file, examples), gzipSync(text, { level: 9 }));
  console.log(`${entry.file}: ${entry.recording} at ${entry.at}`);
}
