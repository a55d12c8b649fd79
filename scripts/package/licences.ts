import { readFileSync } from "node:fs";
import manifest from "../../package.json" with { type: "json" };
import type { BundledPackage } from "./bundled-packages.ts";

/** This page also has the licences of the libraries in Bun. */
const OF_BUN = "node_modules/bun-types/docs/project/license.mdx";

export function licenceTexts(packages: readonly BundledPackage[]): string {
  const ofPackages = packages.map(({ name, version, licence, licenceText }) => {
    return `${name} ${version} (${licence})\n\n${licenceText.trim() || textOf(licence)}\n`;
  });
  return [...ofBun(), ...ofPackages].join(`\n${"-".repeat(80)}\n\n`);
}

function ofBun(): string[] {
  const statement = readFileSync(OF_BUN, "utf8").replace(/^---\n.*?\n---\n/s, "");
  return [
    `Bun ${manifest.devDependencies.bun}, which runs the program\n\n${statement.trim()}\n`,
    `JavaScriptCore, in Bun (LGPL-2.0-or-later)

The source of this program and the scripts that compile it are at
${manifest.homepage}.
To run the program with a changed JavaScriptCore, build Bun with it as said above,
put that in the place of node_modules/bun/bin/bun.exe, and run: npm run compile.

${textOf("LGPL-2.0-or-later")}\n`,
    `Other parts of Bun (LGPL-2.1-or-later)\n\n${textOf("LGPL-2.1-or-later")}\n`,
    `Bun itself (MIT)\n\n${textOf("MIT")}\n`,
  ];
}

function textOf(licence: string): string {
  const file = readFileSync(`node_modules/spdx-license-list/licenses/${licence}.json`, "utf8");
  return (JSON.parse(file) as { licenseText: string }).licenseText.trim();
}
