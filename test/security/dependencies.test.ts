import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { type BundledPart, bundledParts, toolsOf } from "../../scripts/audit/bundled.ts";
import { differencesOf, readPage, renewedPage } from "../../scripts/audit/dependencies-page.ts";
import { BUNDLED_LICENCES, isAllowed } from "../../scripts/audit/licences.ts";
import { bundle } from "../../scripts/build/bundle.ts";
import { repositoryFile } from "../support/command.ts";

const PAGE = readFileSync(repositoryFile("docs/dependencies.md"), "utf8");
let parts: readonly BundledPart[];
let tools: readonly string[];

beforeAll(async () => {
  const bundles = await Promise.all(["bin/main.js", "bin/complete.js"].map((entryPoint) => bundle(entryPoint)));
  parts = bundledParts(bundles.map(({ metafile }) => metafile));
  tools = toolsOf(manifest, parts);
});

describe("docs/dependencies.md", () => {
  it("names what is in the built file, and what only develops it: `npm run audit -- --write` renews it", () => {
    expect(differencesOf(readPage(PAGE), parts, tools)).toEqual([]);
    expect(parts.length).toBeGreaterThan(20);
  });

  it("is kept as it is when it is renewed, but for sizes that have changed a little", () => {
    const withoutSizes = (text: string): string => text.replaceAll(/\| \d+\.\d \|/g, "");
    expect(withoutSizes(renewedPage(PAGE, parts, tools))).toBe(withoutSizes(PAGE));
  });

  it.each([
    {
      what: "a package is not on it",
      change: ["| js-yaml |", "| yaml |"],
      says: /^js-yaml .* is in the built file, but/,
    },
    {
      what: "a version has changed",
      change: ["| cli-table3 | 0.6.5", "| cli-table3 | 0.6.4"],
      says: /^cli-table3 0\.6\.4 is on/,
    },
    { what: "a licence has changed", change: ["| 3.17.0 | ISC", "| 3.17.0 | MIT"], says: /: the licence is ISC$/ },
    {
      what: "it has grown",
      change: [/(?<=js-yaml \| \S+ \| MIT \| )[\d.]+/, "30.0"],
      says: /^js-yaml .*: there are \d+\.\d kB of it$/,
    },
    { what: "there is no reason", change: ["| runs tests |", "| |"], says: /^vitest: there is no reason$/ },
    { what: "a tool is not on it", change: ["| vitest |", "| jest |"], says: /^vitest is in package\.json, but/ },
  ] as const)("is wrong if $what", ({ change: [from, to], says }) => {
    expect(PAGE).toMatch(from);
    expect(differencesOf(readPage(PAGE.replace(from, to)), parts, tools)).toContainEqual(expect.stringMatching(says));
  });
});

describe("licences", () => {
  it("in the built file ask for nothing but to be named", () => {
    expect(parts.filter(({ licence }) => !isAllowed(licence, BUNDLED_LICENCES))).toEqual([]);
  });

  it.each([
    { expression: "MIT", isRight: true },
    { expression: "(MIT OR GPL-3.0)", isRight: true },
    { expression: "MIT AND ISC", isRight: true },
    { expression: "(MIT AND GPL-3.0) OR Apache-2.0", isRight: true },
    { expression: "MIT AND GPL-3.0", isRight: false },
    { expression: "(GPL-2.0 OR GPL-3.0) AND MIT", isRight: false },
    { expression: "SEE LICENSE IN FILE", isRight: false },
    { expression: "NOASSERTION", isRight: false },
    { expression: "", isRight: false },
  ])("such as $expression will do: $isRight", ({ expression, isRight }) => {
    expect(isAllowed(expression, BUNDLED_LICENCES)).toBe(isRight);
  });
});
