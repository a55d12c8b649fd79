import { describe, expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { clockReadings, layerOf, mentions, tooLong, undeclaredPackages, violationsIn } from "./support/architecture.ts";
import { importCycles } from "./support/import-cycles.ts";
import { filesBelow } from "./support/source-text.ts";

const SOURCES = filesBelow("src", /\.ts$/);
const CODE = [...SOURCES, ...["bin", "scripts", "test"].flatMap((folder) => filesBelow(folder, /\.[jt]s$|^bin\//))];
const TEXTS = ["src", "bin", "scripts", "test"].flatMap((folder) => filesBelow(folder, /(?<!\.gz)$/));

/** Past this a file holds more than one idea. */
const MOST_LINES = 250;
/** Folders outside the repository, in two parts so that this file does not mention them. */
const OUTSIDE = ["/wor" + "k/", "share" + "d/"];

describe("the architecture", () => {
  it.each([...new Set(SOURCES.map(({ path }) => layerOf(path)))])("src/%s keeps to its layer", (layer) => {
    const files = SOURCES.filter(({ path }) => layerOf(path) === layer);
    expect(files.flatMap(violationsIn)).toEqual([]);
  });

  it("imports only packages that are declared, and is built into a file that needs none of them", () => {
    expect(undeclaredPackages(SOURCES, Object.keys(manifest.devDependencies))).toEqual([]);
    expect(manifest).not.toHaveProperty("dependencies");
  });

  it("has no files that need each other to be loaded", () => {
    expect(importCycles(SOURCES)).toEqual([]);
  });

  it("reads the clock in one place, in src/commands", () => {
    expect(clockReadings(SOURCES)).toEqual([expect.stringMatching(/^src\/commands\//)]);
  });

  it(`has no file of more than ${MOST_LINES} lines`, () => {
    expect(CODE.length).toBeGreaterThan(0);
    expect(tooLong(CODE, MOST_LINES)).toEqual([]);
  });

  it("mentions nothing outside the repository", () => {
    expect(mentions(TEXTS, OUTSIDE)).toEqual([]);
  });
});

describe("the checker of the architecture", () => {
  const DOC = "/** What it means. */\n";

  it.each([
    {
      path: "src/backoff/bad.ts",
      text: 'import { explain } from "../explain/explain.ts";',
      says: "src/backoff may not import src/explain/explain.ts",
    },
    {
      path: "src/kubelet/bad.ts",
      text: 'import type { Run } from "../explain/answer/explanation.ts";',
      says: "may not import src/explain/answer/explanation.ts",
    },
    {
      path: "src/explain/bad.ts",
      text: 'import {\n  CoreV1Api,\n} from "@kubernetes/client-node";',
      says: "may not import @kubernetes/client-node",
    },
    {
      path: "src/explain/bad.ts",
      text: 'import "../../scripts/calibrate.ts";',
      says: "may not import scripts/calibrate.ts",
    },
    {
      path: "src/cluster/bad.ts",
      text: 'export { explain } from "../explain/explain.ts";',
      says: "may not import src/explain/explain.ts",
    },
    { path: "src/cluster/bad.ts", text: 'import { Command } from "@oclif/core";', says: "may not import @oclif/core" },
    {
      path: "src/cluster/bad.ts",
      text: 'import { CoreV1Api } from "@kubernetes/client-node";',
      says: "may not import @kubernetes/client-node",
    },
    {
      path: "src/cluster/connection/bad.ts",
      text: 'import { observePod } from "../observe-pod.ts";',
      says: "src/cluster/connection may not import src/cluster/observe-pod.ts",
    },
    { path: "src/render/svg/bad.ts", text: 'import { format } from "date-fns";', says: "may not import date-fns" },
    {
      path: "src/render/bad.ts",
      text: 'import { run } from "../simulate/run.ts";',
      says: "may not import src/simulate/run.ts",
    },
    {
      path: "src/commands/bad.ts",
      text: 'const table = await import("cli-table3");',
      says: "may not import cli-table3",
    },
    {
      path: "src/commands/bad.ts",
      text: 'import { KubeConfig, type V1Pod } from "@kubernetes/client-node";',
      says: "may not import @kubernetes/client-node",
    },
    { path: "src/commands/bad.ts", text: 'import { Flags } from "@oclif/core";', says: "may not import @oclif/core" },
    { path: "src/surprise/bad.ts", text: 'import "node:fs";', says: "src/surprise is no known layer" },
    { path: "src/explain/bad.ts", text: "const atMs = Date.now();", says: "Date.now in a pure folder" },
    { path: "src/explain/bad.ts", text: "const at = new Date();", says: "new Date in a pure folder" },
    { path: "src/backoff/bad.ts", text: "const random = Math.random;", says: "Math.random in a pure folder" },
    { path: "src/simulate/bad.ts", text: "const atMs = performance.now();", says: "performance. in a pure folder" },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the code of a file
    { path: "src/explain/bad.ts", text: "const why = `at ${Date.now()}`;", says: "Date.now in a pure folder" },
    { path: "src/render/bad.ts", text: "const width = process.stdout.columns;", says: "process. outside src/commands" },
    { path: "src/cluster/bad.ts", text: "const { env } = process;", says: "= process; outside src/commands" },
    { path: "src/errors.ts", text: "console.error(1);", says: "console. outside src/commands" },
    {
      path: "src/kubelet/bad.ts",
      text: "// Not a doc comment.\nexport const LIMIT = 1;",
      says: "no doc comment above: export const LIMIT",
    },
    { path: "src/kubelet/bad.ts", text: "export default class {}", says: "no doc comment above: export default class" },
  ])("reports in $path: $text", ({ path, text, says }) => {
    expect(violationsIn({ path, text })).toEqual([expect.stringContaining(says)]);
  });

  it.each([
    {
      path: "src/explain/good.ts",
      text: 'import { next } from "../backoff/backoff.ts";\nimport type { Run } from "./explanation.ts";',
    },
    {
      path: "src/cluster/connection/good.ts",
      text: 'import type { User } from "@kubernetes/client-node";\nimport { readFileSync } from "node:fs";',
    },
    {
      path: "src/render/good.ts",
      text: 'import { formatRFC3339 } from "date-fns/formatRFC3339";\nimport type { Timeline } from "../simulate/run.ts";',
    },
    {
      path: "src/commands/good.ts",
      text: 'import type { Command } from "@oclif/core";\nprocess.exitCode = 1;',
    },
    {
      path: "src/main.ts",
      text: 'import { parse } from "@oclif/core/parser";\nimport { type A, B } from "./commands/list.ts";',
    },
    { path: "src/explain/good.ts", text: "// Date.now() would be wrong here\nconst at = new Date(0);" },
    { path: "src/explain/good.ts", text: 'const meaning = "The process. It ended by itself; see console.log";' },
    {
      path: "src/explain/good.ts",
      text: `${DOC}export function f(): void;\nexport type { Run } from "./explanation.ts";`,
    },
    { path: "src/kubelet/good.ts", text: 'const quote = /["`]/;\nconst hint = "Math.random()";' },
  ])("is content in $path with: $text", ({ path, text }) => {
    expect(violationsIn({ path, text })).toEqual([]);
  });

  it("knows a package by its name, scope and subpath", () => {
    const text = 'import "@a/b/c";\nimport "d/e";\nimport "node:fs";\nimport "./f.ts";';
    const file = { path: "src/errors.ts", text };
    expect(undeclaredPackages([file], ["d"])).toEqual(["src/errors.ts: @a/b"]);
    expect(undeclaredPackages([file], ["@a/b", "d"])).toEqual([]);
  });

  it("finds the ways around of imports, each once, those of types and of what is loaded later aside", () => {
    const files = [
      { path: "src/a.ts", text: 'import { b } from "./b.ts";\nimport { own } from "./a.ts";' },
      { path: "src/b.ts", text: 'export { c } from "./c.ts";\nimport type { A } from "./a.ts";' },
      { path: "src/c.ts", text: 'import "./a.ts";\nconst b = await import("./b.ts");' },
      { path: "src/d.ts", text: 'import { a } from "./a.ts";\nimport { type B } from "./e.ts";' },
      { path: "src/e.ts", text: 'import { d } from "./d.ts";' },
    ];
    expect(importCycles(files)).toEqual(["src/a.ts > src/a.ts", "src/a.ts > src/b.ts > src/c.ts > src/a.ts"]);
  });

  it("counts lines, clocks and mentions", () => {
    const file = { path: "src/commands/a.ts", text: "Date.now();\nDate.now(); // Date.now()\n" };
    expect(clockReadings([file])).toEqual(["src/commands/a.ts", "src/commands/a.ts"]);
    expect(tooLong([file], 1)).toEqual(["src/commands/a.ts: 2 lines"]);
    expect(tooLong([file], 2)).toEqual([]);
    expect(mentions([file], ["now", "then"])).toEqual(["src/commands/a.ts: now"]);
  });
});
