import { existsSync, readFileSync } from "node:fs";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { archiveName, programName, TARGETS } from "../scripts/package/targets.ts";
import { repositoryFile } from "./support/command.ts";
import { krewComplaints, matchesPlatform, PLATFORMS, type PluginManifest } from "./support/krew.ts";

const plugin = load(readFileSync(repositoryFile("plugin.yaml"), "utf8")) as PluginManifest;
const { spec } = plugin;

describe("plugin.yaml", () => {
  it("is what krew accepts in its index", () => {
    expect(krewComplaints(plugin)).toEqual([]);
  });

  it("says of the program what package.json says", () => {
    expect(`kubectl-${plugin.metadata.name}`).toBe(manifest.name);
    expect(spec.version).toBe(`v${manifest.version}`);
    expect(spec.homepage).toBe(manifest.homepage);
  });

  it("names every archive that a release makes, for the platform that it is for", () => {
    const names = spec.platforms.map(({ uri }) => uri);
    const release = `${manifest.homepage}/releases/download/${spec.version}`;
    expect(names).toEqual(TARGETS.map((target) => `${release}/${archiveName(target, manifest.version)}`));
    for (const [index, { selector }] of spec.platforms.entries()) {
      const { os, arch } = TARGETS[index] ?? {};
      expect(PLATFORMS.filter((pair) => matchesPlatform(selector, pair))).toEqual([`${os}/${arch}`]);
    }
  });

  it("installs the program with all that it needs, and the licences", () => {
    for (const [index, { bin, files }] of spec.platforms.entries()) {
      const target = TARGETS[index];
      if (target === undefined) throw new Error("There are more platforms than archives.");
      expect(bin).toBe(programName(target));
      expect(files?.map(({ from }) => from)).toEqual([bin, "LICENSE", "LICENSES-OF-OTHERS"]);
    }
    expect(existsSync(repositoryFile("LICENSE"))).toBe(true);
  });
});

describe("the checker of plugin manifests", () => {
  const [platform] = spec.platforms;
  if (platform === undefined) throw new Error("plugin.yaml has no platform");
  const withSpec = (changes: object) => ({ ...plugin, spec: { ...spec, ...changes } });
  const withPlatform = (changes: object) => withSpec({ platforms: [{ ...platform, ...changes }] });

  it.each([
    { broken: { ...plugin, apiVersion: "v1" }, says: "apiVersion" },
    { broken: { ...plugin, kind: "Plug" }, says: "kind" },
    { broken: { ...plugin, metadata: { name: "back off" } }, says: "name" },
    { broken: { ...plugin, metadata: { name: "Aux" } }, says: "name" },
    { broken: withSpec({ shortDescription: "" }), says: "shortDescription" },
    { broken: withSpec({ shortDescription: "two\nlines" }), says: "shortDescription" },
    { broken: withSpec({ caveats: `${"long ".repeat(20)}` }), says: "caveats" },
    { broken: withSpec({ version: "0.1.0" }), says: "version" },
    { broken: withSpec({ version: "v0.1" }), says: "version" },
    { broken: withSpec({ platforms: [] }), says: "no platform" },
    { broken: withSpec({ platforms: [platform, platform] }), says: "linux/amd64 is matched 2 times" },
    { broken: withPlatform({ uri: "" }), says: "uri" },
    { broken: withPlatform({ sha256: "0".repeat(63) }), says: "sha256" },
    { broken: withPlatform({ bin: "" }), says: "bin" },
    { broken: withPlatform({ files: [] }), says: "files" },
    { broken: withPlatform({ files: [{ from: "kubectl-backoff" }] }), says: "files" },
    { broken: withPlatform({ files: [{ from: "kubectl-backoff", to: "." }] }), says: "no licence" },
    { broken: withPlatform({ selector: {} }), says: "selector" },
    { broken: withPlatform({ selector: { matchLabels: { kernel: "linux" } } }), says: "selector" },
    { broken: withPlatform({ selector: { matchLabels: { os: "plan9" } } }), says: "no platform that krew knows" },
  ])("says $says of what krew refuses", ({ broken, says }) => {
    expect(krewComplaints(broken as PluginManifest)).toContainEqual(expect.stringContaining(says));
  });
});
