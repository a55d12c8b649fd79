import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** The build replaces this file, because the executable contains the examples. */
const FOLDER = new URL("../../../examples/", import.meta.url);

export function readExample(file: string): string {
  const bytes = readFileSync(new URL(file, FOLDER));
  return (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}
