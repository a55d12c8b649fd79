import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import manifest from "../package.json" with { type: "json" };
import { compile } from "./compile/compile.ts";
import { writeArchive } from "./package/archive.ts";
import { billOfMaterials } from "./package/bill-of-materials.ts";
import { runtimeFor } from "./package/bun-runtime.ts";
import { bundledPackages } from "./package/bundled-packages.ts";
import { requireKind } from "./package/executable-kind.ts";
import { licenceTexts } from "./package/licences.ts";
import { homebrewFormula, nixExpression, scoopManifest, shortDescriptionOf } from "./package/other-managers.ts";
import { filledManifest } from "./package/plugin-manifest.ts";
import { archiveName, programName, TARGETS, type Target } from "./package/targets.ts";

const OUTPUT = process.argv[2] ?? "dist/release";

const { version } = manifest;

async function main(): Promise<void> {
  mkdirSync(OUTPUT, { recursive: true });
  const sums = new Map<string, string>();
  let metafile: Metafile | undefined;
  for (const target of TARGETS) {
    const folder = mkdtempSync(join(tmpdir(), "kubectl-backoff-package-"));
    try {
      metafile = await writePrograms(target, folder);
      await writeArchive(target, folder, join(OUTPUT, archiveName(target, version)));
      sums.set(archiveName(target, version), sumOf(archiveName(target, version)));
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  const packages = bundledPackages(metafile === undefined ? [] : [metafile]);
  const bill = JSON.stringify(billOfMaterials(packages), null, 2);
  writeFileSync(join(OUTPUT, `kubectl-backoff-v${version}.cdx.json`), `${bill}\n`);
  writeFileSync(join(OUTPUT, "SHA256SUMS"), [...sums].map(([name, sum]) => `${sum}  ${name}\n`).join(""));
  const template = readFileSync("plugin.yaml", "utf8");
  writeFileSync(join(OUTPUT, "backoff.yaml"), filledManifest(template, sums));
  const release = { version, shortDescription: shortDescriptionOf(template), sums };
  writeFileSync(join(OUTPUT, "kubectl-backoff.rb"), homebrewFormula(release));
  writeFileSync(join(OUTPUT, "kubectl-backoff.json"), scoopManifest(release));
  writeFileSync(join(OUTPUT, "kubectl-backoff.nix"), nixExpression(release));
}

async function writePrograms(target: Target, folder: string): Promise<Metafile> {
  const file = join(folder, programName(target));
  const metafile = compile(file, { name: target.bun, runtime: await runtimeFor(target) });
  requireKind(readFileSync(file), target);
  writeFileSync(join(folder, "LICENSE"), readFileSync("LICENSE"));
  writeFileSync(join(folder, "LICENSES-OF-OTHERS"), licenceTexts(bundledPackages([metafile])));
  return metafile;
}

function sumOf(name: string): string {
  const bytes = readFileSync(join(OUTPUT, name));
  const sum = createHash("sha256").update(bytes).digest("hex");
  console.log(`${sum}  ${name}  ${(bytes.length / 2 ** 20).toFixed(1)} MiB`);
  return sum;
}

await main();
