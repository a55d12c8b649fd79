import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Metafile } from "esbuild";
import { bunFile } from "../../lab/terminal/bun-file.ts";

const IN_BUN = fileURLToPath(new URL("in-bun.ts", import.meta.url));

interface CompileTarget {
  /** As Bun names its targets, e.g. bun-linux-arm64. */
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
