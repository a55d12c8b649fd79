import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { readTar } from "./tar.ts";
import { NODE_VERSION, type Target } from "./targets.ts";

/** Where the packages stay, to be fetched once. */
const FOLDER = "node_modules/.cache/kubectl-backoff/node";

/** Node.js for one platform, as its makers have published it. Fetched with npm, unless it has been; throws for other bytes. */
export function nodeBinary(target: Target): Buffer {
  return fileOf(target, `bin/node${target.os === "windows" ? ".exe" : ""}`);
}

/** Its licence, and those of what it contains; the packages for Windows come without. */
export function nodeLicence(target: Target): string {
  return fileOf(target, "LICENSE").toString("utf8");
}

function fileOf({ nodePackage, integrity }: Target, name: string): Buffer {
  const file = join(FOLDER, `${nodePackage}-${NODE_VERSION}.tgz`);
  if (!existsSync(file)) fetch(nodePackage);
  const bytes = readFileSync(file);
  const actual = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  if (actual !== integrity) throw new Error(`${file} is not what was expected: ${actual}`);
  const found = readTar(gunzipSync(bytes)).get(`package/${name}`);
  if (found === undefined) throw new Error(`${file} has no ${name}.`);
  return found;
}

function fetch(nodePackage: string): void {
  mkdirSync(FOLDER, { recursive: true });
  const what = `${nodePackage}@${NODE_VERSION}`;
  execFileSync("npm", ["pack", what, "--loglevel=error", "--pack-destination", FOLDER], { stdio: "inherit" });
}
