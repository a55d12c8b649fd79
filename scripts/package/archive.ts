import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Zippable, zipSync } from "fflate";
import { create } from "tar";
import { programName, type Target } from "./targets.ts";

/** A ZIP archive needs a date for each file, and has no earlier date. */
const FIRST_DAY = new Date(1980, 0, 1);
const MADE_BY_UNIX = 3;
const REGULAR_FILE = 0o100000;

/** Dates are fixed, so that equal files make equal archives. */
export async function writeArchive(target: Target, folder: string, archive: string): Promise<void> {
  const files = readdirSync(folder)
    .sort()
    .map((name) => ({ name, path: join(folder, name), mode: name === programName(target) ? 0o755 : 0o644 }));
  for (const { path, mode } of files) chmodSync(path, mode);
  if (target.os !== "windows") {
    const names = files.map(({ name }) => name);
    return create({ portable: true, mtime: new Date(0), gzip: { level: 9 }, cwd: folder, file: archive }, names);
  }
  const entries: Zippable = {};
  for (const { name, path, mode } of files) {
    const attrs = ((REGULAR_FILE | mode) << 16) >>> 0;
    entries[name] = [readFileSync(path), { mtime: FIRST_DAY, os: MADE_BY_UNIX, attrs }];
  }
  writeFileSync(archive, zipSync(entries));
}
