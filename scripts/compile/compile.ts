import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Metafile } from "esbuild";

const IN_BUN = fileURLToPath(new URL("in-bun.ts", import.meta.url));
const ARCHITECTURES: Partial<Record<NodeJS.Architecture, string>> = { x64: "x64", arm64: "aarch64" };

/** By default, the platform of this machine. */
interface CompileTarget {
  /** As Bun names it, e.g. bun-linux-arm64. */
  readonly name: string;
  readonly runtime: string;
}

export function compile(output: string, target?: CompileTarget): Metafile {
  const folder = mkdtempSync(join(tmpdir(), "kubectl-backoff-compile-"));
  const metafile = join(folder, "metafile.json");
  try {
    const targetArgs = target === undefined ? [] : [target.name, target.runtime];
    execFileSync(bunFile(), [IN_BUN, output, metafile, ...targetArgs], { stdio: ["ignore", "pipe", "inherit"] });
    return JSON.parse(readFileSync(metafile, "utf8"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Bun for this machine. It is a package of its own; the install script of the package `bun` moves the file there, if
 * install scripts run.
 */
export function bunFile(): string {
  const { platform, arch } = process;
  const os = platform === "win32" ? "windows" : platform;
  const file = `bun${platform === "win32" ? ".exe" : ""}`;
  const packaged = ["", "-musl"].map(
    (libc) => `node_modules/@oven/bun-${os}-${ARCHITECTURES[arch]}${libc}/bin/${file}`,
  );
  const found = [...packaged, "node_modules/bun/bin/bun.exe"].find((path) => existsSync(path));
  if (found === undefined) throw new Error(`There is no Bun for ${platform} on ${arch}: npm ci installs it.`);
  return found;
}
