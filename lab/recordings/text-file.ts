import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

export function readTextFile(file: string | URL): string {
  const bytes = readFileSync(file);
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return (isGzip ? gunzipSync(bytes) : bytes).toString("utf8");
}
