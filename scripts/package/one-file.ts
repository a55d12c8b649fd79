import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "postject";
import { withoutSignature } from "./pe-signature.ts";
import type { Target } from "./targets.ts";

/** Node's own mark of where it notes that it carries a program (Node.js documentation, "Single executable applications"). */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/** What is put into Node: the script that it starts with, and files for that. */
export interface Contents {
  readonly main: string;
  readonly assets: Readonly<Record<string, Buffer>>;
}

/** Puts a program into `node` for that target: one executable file. `ownNode` is the same version for this machine. */
export async function oneFile(contents: Contents, node: Buffer, target: Target, ownNode: string): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "kubectl-backoff-package-"));
  try {
    const file = join(folder, "program");
    writeFileSync(file, target.os === "windows" ? withoutSignature(node) : node);
    await inject(file, "NODE_SEA_BLOB", blob(contents, folder, ownNode), { sentinelFuse: FUSE });
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Made in its folder, by names only: the blob would otherwise say where it was made. */
function blob({ main, assets }: Contents, folder: string, ownNode: string): Buffer {
  const config = {
    main: "main.js",
    output: "blob",
    assets: Object.fromEntries(Object.keys(assets).map((name) => [name, `${name}.asset`])),
    disableExperimentalSEAWarning: true,
  };
  writeFileSync(join(folder, config.main), main);
  for (const [name, bytes] of Object.entries(assets)) writeFileSync(join(folder, `${name}.asset`), bytes);
  writeFileSync(join(folder, "sea.json"), JSON.stringify(config));
  execFileSync(ownNode, ["--experimental-sea-config", "sea.json"], { cwd: folder, stdio: "pipe" });
  return readFileSync(join(folder, config.output));
}
