import { readFileSync } from "node:fs";
import { brokenLockfiles } from "../../test/support/broken-lockfiles.ts";
import { bundledParts, toolsOf } from "../audit/bundled.ts";
import { differencesOf, readPage } from "../audit/dependencies-page.ts";
import { findingsIn } from "../audit/findings.ts";
import { BUNDLED_LICENCES, isAllowed } from "../audit/licences.ts";
import { type Lockfile, lockedPackages, type Manifest } from "../audit/lockfile.ts";
import { completionProgram, mainProgram } from "../build/programs.ts";
import { type Effort, markdownTable, type Section } from "./section.ts";

/** What the built file is made of, and what holds of the lock. The same for every effort. */
export async function supplyChainSection(_: Effort): Promise<Section> {
  const manifest: Manifest = JSON.parse(readFileSync("package.json", "utf8"));
  const lock: Lockfile = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const findings = findingsIn(lock, manifest);
  const broken = brokenLockfiles(lock, manifest);
  const noticed = broken.filter((it) =>
    findingsIn(it.lock, it.manifest).some(({ rule, violations }) => rule === it.rule && violations.length > 0),
  );
  const rows = findings.map(({ rule, says, violations }) => {
    const of = (list: typeof broken): string => String(list.filter((it) => it.rule === rule).length);
    return [says, String(violations.length), `${of(noticed)} of ${of(broken)}`];
  });
  return {
    title: "Supply chain",
    lines: [
      ...(await made(manifest)),
      "",
      `The lock has ${lockedPackages(lock).length} packages with those for other platforms and all that is for development only. \`npm run audit\` checks it offline:`,
      "",
      ...markdownTable(["rule", "violations", "broken locks noticed"], rows),
    ],
  };
}

async function made(manifest: Manifest): Promise<string[]> {
  const parts = bundledParts([(await mainProgram()).metafile, (await completionProgram()).metafile]);
  const tools = toolsOf(manifest, parts);
  const page = readPage(readFileSync("docs/dependencies.md", "utf8"));
  const count = (licence: string): number => parts.filter((part) => part.licence === licence).length;
  const licences = [...new Set(parts.map(({ licence }) => licence))].sort().map((name) => `${name} ${count(name)}`);
  const refused = parts.filter(({ licence }) => !isAllowed(licence, BUNDLED_LICENCES));
  return [
    `The program is one file. Parts of ${parts.length} packages are in it (licences: ${licences.join(", ")}; not on the list of those that are allowed: ${refused.length}).`,
    `[dependencies.md](dependencies.md) names them, and ${tools.length} that are only for development; differences between that page and what is built: ${differencesOf(page, parts, tools).length}.`,
    `Packages that are installed with it: ${Object.keys(manifest.dependencies ?? {}).length}.`,
  ];
}
