import type { Script } from "node:vm";
import { bytesOf, partsIn } from "./compiled-parts.ts";
import { program } from "./program.ts";
import type { PerPart } from "./run-parts.ts";

const HOUR_MS = 3_600_000;
const MONTH_MS = 30 * 24 * HOUR_MS;
const WRITABLE_BY_OTHERS = 0o022;

/** Compiled code from an earlier run. */
export interface KeptCode {
  readonly compiled: PerPart<Buffer>;
  /** Whether to write it anew: one run compiles what another did not need. */
  readonly isOld: boolean;
}

const NONE: KeptCode = { compiled: { first: null, rest: null }, isOld: true };

/** The file for what this run compiles, in the folder that the system has for such; null where there is none, or none is wanted. */
export function cacheFile(): string | null {
  const { join } = process.getBuiltinModule("node:path");
  const { env, argv, version, arch } = process;
  const folder = cacheFolder(env);
  // The variable with which Node's own cache of this kind is switched off.
  if (folder === null || env["NODE_DISABLE_COMPILE_CACHE"]) return null;
  const command = program.commands.find((name) => name === argv[2]) ?? program.commands[0] ?? "any";
  return join(folder, "kubectl-backoff", [program.name, program.hash, version, arch, command].join("-"));
}

function cacheFolder(env: NodeJS.ProcessEnv): string | null {
  const { join, isAbsolute } = process.getBuiltinModule("node:path");
  if (process.platform === "win32") return env["LOCALAPPDATA"] || null;
  const { XDG_CACHE_HOME: folder, HOME: home } = env;
  if (folder && isAbsolute(folder)) return folder;
  return home ? join(home, ...(process.platform === "darwin" ? ["Library", "Caches"] : [".cache"])) : null;
}

/** What is in the file. Code that somebody else could have written is not run: it is taken for none. */
export function readCode(file: string): KeptCode {
  const { closeSync, fstatSync, openSync, readFileSync } = process.getBuiltinModule("node:fs");
  const { dirname } = process.getBuiltinModule("node:path");
  try {
    if (!isOwnFolder(dirname(file))) return NONE;
    const descriptor = openSync(file, "r");
    try {
      const { uid, mode, mtimeMs } = fstatSync(descriptor);
      if (!isOwn(uid, mode)) return NONE;
      return { compiled: partsIn(readFileSync(descriptor)), isOld: Date.now() - mtimeMs > HOUR_MS };
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return NONE;
  }
}

/** Whether nobody else can have put there what is there. Windows keeps the folder to its user by itself. */
function isOwn(uid: number, mode: number): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & WRITABLE_BY_OTHERS) === 0);
}

/** The same for a folder; a link to it has to be one's own too. */
function isOwnFolder(folder: string): boolean {
  const { lstatSync, statSync } = process.getBuiltinModule("node:fs");
  const { uid, mode } = statSync(folder);
  return isOwn(uid, mode) && isOwn(lstatSync(folder).uid, 0);
}

/** Puts it into the file, all at once, and removes what has not been used for a month. Not to succeed is no failure. */
export function keepCode(file: string, scripts: PerPart<Script>): void {
  const { mkdirSync } = process.getBuiltinModule("node:fs");
  const { dirname } = process.getBuiltinModule("node:path");
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    if (!isOwnFolder(dirname(file))) return;
    write(file, bytesOf(scripts));
    removeOld(dirname(file));
  } catch {
    // The next run compiles again.
  }
}

/** Where the disk is full, nothing is left. */
function write(file: string, bytes: Uint8Array): void {
  const { renameSync, rmSync, writeFileSync } = process.getBuiltinModule("node:fs");
  const unfinished = `${file}.${process.pid}`;
  try {
    writeFileSync(unfinished, bytes, { flag: "wx", mode: 0o600 });
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

function removeOld(folder: string): void {
  const { readdirSync, rmSync, statSync } = process.getBuiltinModule("node:fs");
  const { join } = process.getBuiltinModule("node:path");
  for (const name of readdirSync(folder).filter((other) => other.startsWith(program.name))) {
    if (Date.now() - statSync(join(folder, name)).mtimeMs > MONTH_MS) rmSync(join(folder, name));
  }
}
