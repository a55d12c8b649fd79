import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** Where the recordings are, as seen from this file. The build puts another module in the place of this one. */
const FOLDER = new URL("../../../examples/", import.meta.url);

/** The text of a file among the examples: a recording, or their index. */
export function readExample(file: string): string {
  const bytes = readFileSync(new URL(file, FOLDER));
  return (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}
