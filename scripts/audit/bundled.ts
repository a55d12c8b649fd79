import type { Metafile } from "esbuild";
import { type BundledPackage, bundledPackages } from "../package/bundled-packages.ts";
import type { Manifest } from "./lockfile.ts";

/** A package that is part of the built file, and how much of it. */
export interface BundledPart extends Pick<BundledPackage, "name" | "version" | "licence"> {
  readonly bytes: number;
}

/** Everything in the built file that is from somebody else: the largest program first, for it has most of each. */
export function bundledParts(metafiles: readonly Metafile[]): BundledPart[] {
  return bundledPackages(metafiles).map(({ name, version, licence, folder }) => {
    const bytes = metafiles.map((metafile) => bytesBelow(metafile, folder));
    return { name, version, licence, bytes: Math.max(...bytes) };
  });
}

/** What package.json asks for and nothing of which is in the built file. */
export function toolsOf({ devDependencies = {} }: Manifest, parts: readonly BundledPart[]): string[] {
  return Object.keys(devDependencies).filter((name) => !parts.some((part) => part.name === name));
}

function bytesBelow({ outputs }: Metafile, folder: string): number {
  const inputs = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const own = inputs.filter(
    ([file]) => file.startsWith(`${folder}/`) && !file.slice(folder.length).includes("node_modules/"),
  );
  return own.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
}
