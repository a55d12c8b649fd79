import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { bundle } from "../../scripts/build/bundle.ts";
import { writeArchive } from "../../scripts/package/archive.ts";
import { billOfMaterials } from "../../scripts/package/bill-of-materials.ts";
import { bundledPackages } from "../../scripts/package/bundled-packages.ts";
import { licenceTexts } from "../../scripts/package/licences.ts";
import { filledManifest } from "../../scripts/package/plugin-manifest.ts";
import { archiveName, programName, TARGETS, type Target } from "../../scripts/package/targets.ts";
import { repositoryFile } from "../support/command.ts";
import { temporaryFolder } from "../support/kubeconfig.ts";

const TEMPLATE = readFileSync(repositoryFile("plugin.yaml"), "utf8");
const SUMS = new Map(
  TARGETS.map((target, index) => [archiveName(target, manifest.version), `${index + 1}`.repeat(64)]),
);

describe("filledManifest()", () => {
  it("gives every archive its sum", () => {
    const filled = filledManifest(TEMPLATE, SUMS);
    const plugin = load(filled) as { spec: { platforms: { uri: string; sha256: string }[] } };
    expect(plugin.spec.platforms.map(({ uri, sha256 }) => [uri.split("/").at(-1), sha256])).toEqual([...SUMS]);
    expect(filled).not.toContain("Nothing is released yet");
  });

  it("rejects an unknown archive, one too many, and a manifest that already has its sums", () => {
    const [first = ""] = SUMS.keys();
    expect(() => filledManifest(TEMPLATE.replace(first, "other.zip"), SUMS)).toThrow(
      "There is no other.zip to sum up.",
    );
    expect(() => filledManifest(TEMPLATE, new Map([...SUMS, ["more.zip", "1"]]))).toThrow("does not name more.zip");
    expect(() => filledManifest(filledManifest(TEMPLATE, SUMS), SUMS)).toThrow(`There is no ${first} to sum up.`);
  });
});

describe("writeArchive()", () => {
  async function archiveOf(target: Target, mode: number): Promise<{ file: string; bytes: Buffer }> {
    const [folder, file] = [temporaryFolder(), join(temporaryFolder(), "archive")];
    writeFileSync(join(folder, "LICENSE"), "free", { mode });
    writeFileSync(join(folder, programName(target)), "#!/bin/sh\n".repeat(100), { mode });
    await writeArchive(target, folder, file);
    return { file, bytes: readFileSync(file) };
  }

  it.each(TARGETS)("packs the same files into the same bytes: $os $arch", async (target) => {
    const [once, again] = [await archiveOf(target, 0o600), await archiveOf(target, 0o666)];
    expect(once.bytes.equals(again.bytes)).toBe(true);
  });

  it.runIf(process.platform !== "win32")("packs what tar unpacks, with the right to be run", async () => {
    const { file } = await archiveOf({ os: "linux", arch: "amd64", bun: "" }, 0o600);
    const folder = join(temporaryFolder(), "unpacked");
    mkdirSync(folder);
    execFileSync("tar", ["-xzf", file, "-C", folder]);
    expect(statSync(join(folder, "kubectl-backoff")).mode & 0o777).toBe(0o755);
    expect(statSync(join(folder, "LICENSE")).mode & 0o777).toBe(0o644);
    expect(readFileSync(join(folder, "LICENSE"), "utf8")).toBe("free");
  });

  it("packs for Windows what an unzipper unpacks", async () => {
    const { bytes } = await archiveOf({ os: "windows", arch: "amd64", bun: "" }, 0o600);
    const files = unzipSync(bytes);
    expect(Object.keys(files)).toEqual(["LICENSE", "kubectl-backoff.exe"]);
    expect(strFromU8(files["LICENSE"] ?? new Uint8Array())).toBe("free");
  });
});

describe("what comes with the archives", async () => {
  const packages = bundledPackages([(await bundle("main.js")).metafile]);
  const names = packages.map(({ name }) => name);

  it("covers each package in the program once, with its version, and no development tool", () => {
    expect(names).toEqual(expect.arrayContaining(["@kubernetes/client-node", "@oclif/core", "cli-table3", "js-yaml"]));
    for (const name of ["vitest", "esbuild", "ajv"]) expect(names).not.toContain(name);
    for (const { version } of packages) expect(version).toMatch(/^\d+\.\d+\.\d+/);
    expect(new Set(packages.map(({ name, version }) => `${name}@${version}`)).size).toBe(packages.length);
  });

  it("is listed in a bill of materials, the same each time", { timeout: 60_000 }, () => {
    const bill = billOfMaterials(packages);
    expect(bill).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.5", version: 1 });
    expect(bill.metadata.component).toMatchObject({ name: manifest.name, version: manifest.version });
    expect(bill.components.map(({ name }) => name).sort()).toEqual(["bun", ...names].sort());
    expect(bill).toEqual(billOfMaterials(packages));
  });

  it("has the text of every licence, Bun's and JavaScriptCore's too", () => {
    const text = licenceTexts(packages);
    expect(text).toMatch(/^Bun \d+\.\d+\.\d+, which runs the program\n\nBun itself is MIT-licensed\./);
    expect(text).toMatch(
      /JavaScriptCore, in Bun \(LGPL-2\.0-or-later\).+GNU LIBRARY GENERAL PUBLIC LICENSE\n\nVersion 2,/s,
    );
    for (const { name, version } of packages) expect(text).toContain(`\n${name} ${version} (`);
  });
});
