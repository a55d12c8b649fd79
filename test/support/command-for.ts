import { closeSync, openSync, readSync } from "node:fs";

export function commandFor(file: string, nodeFlags: readonly string[] = []): readonly [string, ...string[]] {
  const isScript = /\.[jt]s$/.test(file) || beginningOf(file) === "#!";
  return isScript ? [process.execPath, ...nodeFlags, file] : [file];
}

function beginningOf(file: string): string {
  const bytes = Buffer.alloc(2);
  const descriptor = openSync(file, "r");
  readSync(descriptor, bytes);
  closeSync(descriptor);
  return bytes.toString("latin1");
}
