import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import lock from "../../package-lock.json" with { type: "json" };
import { builtPackages, renewedPage, unexplained } from "../../scripts/audit/dependencies-page.ts";
import { BUNDLED_LICENCES, isAllowed } from "../../scripts/audit/licences.ts";
import type { BundledPackage } from "../../scripts/package/bundled-packages.ts";
import { repositoryFile } from "../support/command.ts";

const PAGE = readFileSync(repositoryFile("docs/dependencies.md"), "utf8");
let packages: readonly BundledPackage[];

beforeAll(async () => {
  packages = await builtPackages();
}, 60_000);

describe("docs/dependencies.md", () => {
  it("names the packages in the built file and the packages for development, and why (`npm run audit -- --write` renews it)", () => {
    expect(renewedPage(PAGE, packages)).toBe(PAGE);
    expect(unexplained(PAGE)).toEqual([]);
    expect(packages.length).toBeGreaterThan(20);
  });
});

describe("licences", () => {
  it("in the built file require only attribution", () => {
    expect(packages.filter(({ licence }) => !isAllowed(licence, BUNDLED_LICENCES))).toEqual([]);
  });

  it.each([
    { expression: "MIT", isRight: true },
    { expression: "(MIT OR GPL-3.0)", isRight: true },
    { expression: "(MIT AND GPL-3.0) OR Apache-2.0", isRight: true },
    { expression: "MIT AND GPL-3.0", isRight: false },
    { expression: "SEE LICENSE IN FILE", isRight: false },
    { expression: "", isRight: false },
  ])("allow $expression: $isRight", ({ expression, isRight }) => {
    expect(isAllowed(expression, BUNDLED_LICENCES)).toBe(isRight);
  });
});

describe("package-lock.json", () => {
  type Locked = { readonly integrity?: string; readonly resolved?: string; readonly hasInstallScript?: boolean };
  const { "": _, ...others } = lock.packages;
  const locked = Object.entries<Locked>(others).map(([folder, entry]) => ({ folder, ...entry }));

  it("has a SHA-512 sum for every package, and no address to get one from", () => {
    expect(locked.length).toBeGreaterThan(100);
    for (const { folder, integrity, resolved } of locked)
      expect({ folder, integrity, resolved }).toEqual({ folder, integrity: expect.stringMatching(/^sha512-/) });
  });

  it("lets only bun, esbuild and node run install scripts, and package.json has no dependencies", () => {
    const running = locked.filter(({ hasInstallScript }) => hasInstallScript).map(({ folder }) => folder);
    expect(running).toEqual(["node_modules/bun", "node_modules/esbuild", "node_modules/node"]);
    expect(manifest).not.toHaveProperty("dependencies");
  });
});
