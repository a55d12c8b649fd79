import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { mainProgram } from "../../scripts/build/programs.ts";
import { bundledPackages, licenceTexts } from "../../scripts/package/bundled-packages.ts";
import { filledManifest } from "../../scripts/package/plugin-manifest.ts";
import { billOfMaterials } from "../../scripts/package/sbom.ts";
import { archiveName, NODE_VERSION, TARGETS } from "../../scripts/package/targets.ts";
import { repositoryFile } from "../support/command.ts";
import { krewComplaints, type PluginManifest } from "../support/krew.ts";

const TEMPLATE = readFileSync(repositoryFile("plugin.yaml"), "utf8");
const SUMS = new Map(
  TARGETS.map((target, index) => [archiveName(target, manifest.version), `${index + 1}`.repeat(64)]),
);

describe("filledManifest()", () => {
  it("gives every archive its sum, and krew nothing to complain of", () => {
    const filled = filledManifest(TEMPLATE, SUMS);
    const plugin = load(filled) as PluginManifest;
    expect(krewComplaints(plugin)).toEqual([]);
    expect(plugin.spec.platforms.map(({ uri, sha256 }) => [uri.split("/").at(-1), sha256])).toEqual([...SUMS]);
    expect(filled).not.toContain("Nothing is released yet");
  });

  it("refuses another archive than there is, one too many and one too few", () => {
    const [first = ""] = SUMS.keys();
    expect(() => filledManifest(TEMPLATE.replace(first, "other.zip"), SUMS)).toThrow(
      "There is no other.zip to sum up.",
    );
    expect(() => filledManifest(TEMPLATE, new Map([...SUMS, ["more.zip", "1"]]))).toThrow("does not name more.zip");
    expect(() => filledManifest(filledManifest(TEMPLATE, SUMS), SUMS)).toThrow(`There is no ${first} to sum up.`);
  });
});

describe("what comes with the archives", async () => {
  const packages = bundledPackages([(await mainProgram()).metafile]);
  const names = packages.map(({ name }) => name);

  it("is what is in the program, in versions, and nothing that is only used to make it", () => {
    expect(names).toEqual(expect.arrayContaining(["@kubernetes/client-node", "@oclif/core", "cli-table3", "js-yaml"]));
    for (const name of ["vitest", "esbuild", "undici", "ajv"]) expect(names).not.toContain(name);
    for (const { version } of packages) expect(version).toMatch(/^\d+\.\d+\.\d+/);
    expect(new Set(packages.map(({ name, version }) => `${name}@${version}`)).size).toBe(packages.length);
  });

  it("is listed in a bill of materials, with licences", () => {
    const bill = billOfMaterials(manifest, packages);
    expect(bill).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.5", version: 1 });
    expect(bill.metadata.component).toMatchObject({ name: manifest.name, version: manifest.version });
    expect(bill.components.map(({ name }) => name)).toEqual(["node", ...names]);
    expect(bill.components[0]).toMatchObject({ version: NODE_VERSION });
    const references = bill.components.map((component) => component["bom-ref"]);
    expect(bill.dependencies[0]?.dependsOn).toEqual(references);
    expect(new Set(references).size).toBe(references.length);
    expect(JSON.stringify(bill)).not.toContain("NOASSERTION");
  });

  it("has the text of every licence", () => {
    const text = licenceTexts(packages, "Node's own");
    expect(text).toContain("Node's own");
    for (const { name, version } of packages) expect(text).toContain(`\n${name} ${version} (`);
    expect(text.match(/It comes without the text of its licence/g) ?? []).toHaveLength(0);
  });
});
