import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { extract } from "tar";
import lock from "../../package-lock.json" with { type: "json" };
import type { Target } from "./targets.ts";

/** Keeps the downloaded packages, so that npm fetches each only once. */
const FOLDER = "node_modules/.cache/kubectl-backoff/bun";

/** Returns the path of Bun for a platform. Throws if the package does not have the SHA-512 sum of package-lock.json. */
export async function runtimeFor({ os, bun }: Target): Promise<string> {
  const name = `@oven/${bun.replace("arm64", "aarch64")}`;
  const { version, integrity } = lockedPackage(name);
  const archive = join(FOLDER, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`);
  mkdirSync(FOLDER, { recursive: true });
  if (!existsSync(archive))
    execFileSync("npm", ["pack", `${name}@${version}`, "--loglevel=error", "--pack-destination", FOLDER]);
  const actual = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
  if (actual !== integrity) throw new Error(`${archive} is not what package-lock.json says: its sum is ${actual}.`);
  const folder = archive.replace(/\.tgz$/, "");
  mkdirSync(folder, { recursive: true });
  await extract({ file: archive, cwd: folder });
  return join(folder, "package", "bin", os === "windows" ? "bun.exe" : "bun");
}

function lockedPackage(name: string): { readonly version: string; readonly integrity: string } {
  const packages: Readonly<Record<string, { readonly version?: string; readonly integrity?: string }>> = lock.packages;
  const { version, integrity } = packages[`node_modules/${name}`] ?? {};
  if (version === undefined || integrity === undefined) throw new Error(`package-lock.json does not have ${name}.`);
  return { version, integrity };
}
