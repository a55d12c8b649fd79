import { existsSync, readFileSync } from "node:fs";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { archiveName, programName, TARGETS } from "../scripts/package/targets.ts";
import { repositoryFile } from "./support/command.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test looks at any field of it
const plugin: any = load(readFileSync(repositoryFile("plugin.yaml"), "utf8"));
const { spec } = plugin;

const widthOf = (text: string): number => Math.max(...text.split("\n").map((line) => line.length));

describe("plugin.yaml", () => {
  it("has the name, version and homepage of package.json, and descriptions as short as krew asks for", () => {
    expect(plugin).toMatchObject({ apiVersion: "krew.googlecontainertools.github.com/v1alpha2", kind: "Plugin" });
    expect(`kubectl-${plugin.metadata.name}`).toBe(manifest.name);
    expect(spec.version).toBe(`v${manifest.version}`);
    expect(spec.homepage).toBe(manifest.homepage);
    expect(spec.shortDescription).toMatch(/^.{1,50}$/);
    expect(spec.shortDescription).toContain("CrashLoopBackOff");
    expect(widthOf(spec.description)).toBeLessThanOrEqual(80);
    // Caveats are for what a user has to do besides the installation.
    expect(spec).not.toHaveProperty("caveats");
  });

  it("lists each archive of a release with its platform, the program and the licences", () => {
    const platforms = TARGETS.map((target) => ({
      selector: { matchLabels: { os: target.os, arch: target.arch } },
      uri: `${manifest.homepage}/releases/download/${spec.version}/${archiveName(target, manifest.version)}`,
      sha256: expect.stringMatching(/^[a-f0-9]{64}$/),
      bin: programName(target),
      files: [programName(target), "LICENSE", "LICENSES-OF-OTHERS"].map((from) => ({ from, to: "." })),
    }));
    expect(spec.platforms).toEqual(platforms);
    expect(existsSync(repositoryFile("LICENSE"))).toBe(true);
  });
});
