import { existsSync, readFileSync } from "node:fs";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };
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
    expect(spec.platforms.map(({ bin }) => `dist/${bin}`)).toEqual([manifest.bin["kubectl-backoff"]]);
    expect(spec.caveats).toContain(`Node.js ${manifest.engines.node.replace(">=", "")}`);
  });

  it("is for Linux and macOS on both architectures", () => {
    const served = PLATFORMS.filter((pair) => spec.platforms.some(({ selector }) => matchesPlatform(selector, pair)));
    expect(served).toEqual(["linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64"]);
  });

  it("downloads the version that it names, and installs the program with its licence", () => {
    for (const { uri, files } of spec.platforms) {
      expect(uri).toMatch(
        new RegExp(`^${manifest.homepage}/releases/download/${spec.version}/[^/]+\\.(tar\\.gz|zip)$`),
      );
      expect(files?.map(({ from }) => from)).toEqual(["kubectl-backoff", "LICENSE"]);
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
    { broken: withSpec({ platforms: [platform, platform] }), says: "darwin/amd64 is matched 2 times" },
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
