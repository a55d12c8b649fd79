import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";

export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly licenceText: string;
  readonly folder: string;
}

export function bundledPackages(metafiles: readonly Metafile[]): BundledPackage[] {
  const files = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
    ),
  );
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  const packages = [...new Set(folders)].map(read);
  const once = new Map(packages.map((bundled) => [`${bundled.name}@${bundled.version}`, bundled]));
  return [...once].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, bundled]) => bundled);
}

function read(folder: string): BundledPackage {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const licenceFile = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  return {
    folder,
    name: manifest.name,
    version: manifest.version,
    licence: typeof manifest.license === "string" ? manifest.license : "NOASSERTION",
    licenceText: licenceFile === undefined ? "" : readFileSync(join(folder, licenceFile), "utf8"),
  };
}
