import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { repositoryFile } from "../support/command.ts";

const POLICY = readFileSync(repositoryFile("SECURITY.md"), "utf8");

describe("SECURITY.md", () => {
  it("says how to report to the repository of package.json, and is linked in the README and in the package", () => {
    expect(POLICY).toContain(`<${manifest.homepage}/security/advisories/new>`);
    expect(manifest.repository.url).toBe(`git+${manifest.homepage}.git`);
    expect(readFileSync(repositoryFile("README.md"), "utf8")).toContain("](SECURITY.md)");
    expect(manifest.files).toContain("SECURITY.md");
  });
});

describe("the package", () => {
  it("contains every page that the README links to", () => {
    const links = [...readFileSync(repositoryFile("README.md"), "utf8").matchAll(/\]\(([^):#]+)\)/g)].map(
      ([, link]) => link ?? "",
    );
    const always = ["LICENSE"];
    const isPacked = (link: string): boolean =>
      [...always, ...manifest.files].some((file) => link === file || link.startsWith(`${file}/`));
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter((link) => !isPacked(link))).toEqual([]);
  });

  it("installs both programs, and no archives that may lie beside them", () => {
    expect(Object.values(manifest.bin).every((file) => manifest.files.includes(file))).toBe(true);
    expect(Object.keys(manifest.bin).sort()).toEqual(["kubectl-backoff", "kubectl_complete-backoff"]);
    expect(manifest.files).not.toContain("dist");
  });
});
