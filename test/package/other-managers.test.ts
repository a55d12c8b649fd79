import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import {
  homebrewFormula,
  nixExpression,
  scoopManifest,
  shortDescriptionOf,
} from "../../scripts/package/other-managers.ts";
import { archiveName, TARGETS } from "../../scripts/package/targets.ts";
import { repositoryFile } from "../support/command.ts";
import { temporaryFolder } from "../support/kubeconfig.ts";

const SUMS = new Map(
  TARGETS.map((target, index) => [archiveName(target, manifest.version), `${index + 1}`.repeat(64)]),
);
const shortDescription = shortDescriptionOf(readFileSync(repositoryFile("plugin.yaml"), "utf8"));
const RELEASE = { version: manifest.version, shortDescription, sums: SUMS };

const archivesIn = (text: string) =>
  [...text.matchAll(/releases\/download\/v[\d.]+\/(?<archive>[^"]+)".*?"(?<sum>\w{64})"/gs)].map(
    ({ groups }) => [groups?.["archive"], groups?.["sum"]] as const,
  );
const sumsOf = (...systems: readonly string[]) =>
  [...SUMS].filter(([archive]) => systems.some((os) => archive.includes(`-${os}-`)));

const has = (tool: string): boolean =>
  (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, tool)));

function checkedBy(tool: string, args: readonly string[], name: string, text: string): void {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, text);
  execFileSync(tool, [...args, file], { stdio: "pipe" });
}

describe("the file for another package manager", () => {
  it("names each archive of its systems with its sum", () => {
    const ordered = (entries: readonly (readonly (string | undefined)[])[]) => entries.map(String).sort();
    expect(ordered(archivesIn(homebrewFormula(RELEASE)))).toEqual(ordered(sumsOf("darwin", "linux")));
    expect(ordered(archivesIn(nixExpression(RELEASE)))).toEqual(ordered(sumsOf("darwin", "linux")));
    expect(ordered(archivesIn(scoopManifest(RELEASE)))).toEqual(ordered(sumsOf("windows")));
  });

  it("describes the program with krew's shortDescription, in Homebrew's style", () => {
    expect(homebrewFormula(RELEASE)).toContain(`  desc "${shortDescription}"\n`);
    expect(shortDescription).toMatch(/^(?!An? |The )[A-Z].{0,79}(?<!\.)$/);
  });

  it("has the fields that Scoop requires", () => {
    expect(JSON.parse(scoopManifest(RELEASE))).toEqual({
      version: manifest.version,
      description: shortDescription,
      homepage: manifest.homepage,
      license: "Apache-2.0",
      architecture: { "64bit": expect.any(Object), arm64: expect.any(Object) },
      bin: "kubectl-backoff.exe",
    });
  });

  it("fails to be written if an archive has no sum", () => {
    const sums = new Map([...SUMS].slice(1));
    for (const write of [homebrewFormula, nixExpression])
      expect(() => write({ ...RELEASE, sums })).toThrow(`There is no ${[...SUMS.keys()][0]} to sum up.`);
  });

  it.skipIf(!has("ruby"))("is valid Ruby for Homebrew (skipped without ruby)", () => {
    checkedBy("ruby", ["-wc"], "kubectl-backoff.rb", homebrewFormula(RELEASE));
  });

  it.skipIf(!has("nix-instantiate"))("is a valid Nix expression (skipped without nix-instantiate)", () => {
    checkedBy("nix-instantiate", ["--parse"], "kubectl-backoff.nix", nixExpression(RELEASE));
  });
});
