import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { archiveName, programName, TARGETS } from "../package/targets.ts";

const OS_NAMES: Partial<Record<NodeJS.Platform, string>> = { linux: "linux", darwin: "darwin", win32: "windows" };
const ARCH_NAMES: Partial<Record<NodeJS.Architecture, string>> = { x64: "amd64", arm64: "arm64" };

/** Unpacks the archive for this machine from `releaseFolder` into `folder`: the program in it. Null if there is none. */
export function unpackProgram(releaseFolder: string, version: string, folder: string): string | null {
  const own = TARGETS.find(({ os, arch }) => os === OS_NAMES[process.platform] && arch === ARCH_NAMES[process.arch]);
  const archive = own === undefined ? null : join(releaseFolder, archiveName(own, version));
  if (own === undefined || archive === null || !existsSync(archive)) return null;
  const unpacked = join(folder, "unpacked");
  mkdirSync(unpacked);
  execFileSync("tar", ["-xf", archive, "-C", unpacked]);
  return join(unpacked, programName(own));
}
