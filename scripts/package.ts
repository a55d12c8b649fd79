import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { type BundledProgram, mainProgram } from "./build/programs.ts";
import { type Archive, archiveFor } from "./package/archive.ts";
import { type BundledPackage, bundledPackages, licenceTexts } from "./package/bundled-packages.ts";
import { compiledCode } from "./package/compiled-code.ts";
import { nodeBinary, nodeLicence } from "./package/node-binary.ts";
import { filledManifest } from "./package/plugin-manifest.ts";
import { billOfMaterials } from "./package/sbom.ts";
import type { PackedFile } from "./package/tar.ts";
import { HERE, TARGETS } from "./package/targets.ts";

/** Where the archives go, with their sums, what they are made of, and krew's manifest. Another place may be given as argument. */
const OUTPUT = process.argv[2] ?? "dist/release";

const { version } = manifest;

async function makeArchives(
  program: BundledProgram,
  packages: readonly BundledPackage[],
  folder: string,
): Promise<Map<string, string>> {
  const ownNode = join(folder, "node");
  writeFileSync(ownNode, nodeBinary(HERE), { mode: 0o755 });
  const compiled = await compiledCode(program.code, ownNode);
  const licences = licenceFiles(packages);
  const sums = new Map<string, string>();
  for (const target of TARGETS) {
    const own = { node: nodeBinary(target), compiled: target === HERE ? compiled : null };
    sums.set(...written(await archiveFor(target, version, { program, ownNode, licences, ...own })));
  }
  return sums;
}

function licenceFiles(packages: readonly BundledPackage[]): PackedFile[] {
  const others = Buffer.from(licenceTexts(packages, nodeLicence(HERE)));
  return [
    { name: "LICENSE", bytes: readFileSync("LICENSE"), isExecutable: false },
    { name: "LICENSES-OF-OTHERS", bytes: others, isExecutable: false },
  ];
}

/** The name of a file that has been written, and its sum. */
function written({ name, bytes }: Archive): [string, string] {
  writeFileSync(join(OUTPUT, name), bytes);
  const sum = createHash("sha256").update(bytes).digest("hex");
  console.log(`${sum}  ${name}  ${(bytes.length / 2 ** 20).toFixed(1)} MiB`);
  return [name, sum];
}

async function main(): Promise<number> {
  if (process.platform !== "linux" || process.arch !== "x64") {
    console.error("Archives are made on Linux x64, where the program for it can be run. Elsewhere: npm run build.");
    return 1;
  }
  mkdirSync(OUTPUT, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), "kubectl-backoff-package-"));
  try {
    const program = await mainProgram();
    const packages = bundledPackages([program.metafile]);
    const sums = await makeArchives(program, packages, folder);
    written({ name: `kubectl-backoff-v${version}.cdx.json`, bytes: json(billOfMaterials(manifest, packages)) });
    const lines = [...sums].map(([name, sum]) => `${sum}  ${name}\n`);
    writeFileSync(join(OUTPUT, "SHA256SUMS"), lines.join(""));
    writeFileSync(join(OUTPUT, "backoff.yaml"), filledManifest(readFileSync("plugin.yaml", "utf8"), sums));
    return 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function json(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

process.exitCode = await main();
