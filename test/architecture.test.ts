import { describe, expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { codeOnly, filesBelow, importsOf, type SourceFile } from "./support/source-text.ts";

const SOURCES = filesBelow("src", /\.ts$/);
const CODE = [
  ...SOURCES,
  ...["bin", "scripts", "test", "lab"].flatMap((folder) => filesBelow(folder, /\.[jt]s$|^bin\//)),
];
const TEXTS = ["src", "bin", "scripts", "test", "lab"].flatMap((folder) => filesBelow(folder, /(?<!\.gz)$/));

/** The imports that each folder of src may have, besides its own files (see ROOMS) and src/error*.ts. */
const MAY_IMPORT: Readonly<Record<string, RegExp>> = {
  backoff: /^$/,
  kubelet: /^src\/backoff\//,
  explain: /^src\/(kubelet|backoff)\//,
  simulate: /^src\/(kubelet|backoff)\//,
  cluster:
    /^src\/(explain\/(observed\/|triage\.ts)|kubelet\/|backoff\/jitter-strategies\.ts)|^node:|^(js-yaml|openid-client|cross-spawn|p-limit|fastest-levenshtein)$|^@kubernetes\/client-node($|\/dist\/)/,
  report: /^src\/(explain\/observed\/|cluster\/objects\/|kubelet\/go-duration\.ts)/,
  render:
    /^src\/(explain\/(answer|observed|follow)\/|explain\/triage\.ts|simulate\/|kubelet\/)|^node:util$|^(string-width|cli-table3|js-yaml)$|^d3-(scale|shape)$|^date-fns\/\w+$/,
  commands:
    /^(src\/|package\.json$|node:|js-yaml$|log-update$|fastest-levenshtein$|@clack\/prompts$)|^@oclif\/core($|\/(args|errors|flags|parser)$)/,
};

/**
 * The rooms of each folder, in order: a room may import, types included, only from itself and from rooms before it. "."
 * stands for the files of the folder that are not listed by name.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  explain: [
    "observed",
    "answer",
    "triage.ts",
    "history",
    "replay",
    "prediction",
    "words",
    "follow",
    ".",
    "eta",
    "next-steps",
    "owners",
  ],
  cluster: ["objects", "connection", "api", "owners", "pods", "list", "files", "watch"],
  render: [
    "page",
    "json",
    "timeline",
    "list",
    "charts",
    "pod",
    "catch",
    "strategies",
    "watch",
    "simulation",
    "eta",
    ".",
  ],
  commands: [
    "flags",
    "terminal",
    "debug",
    "base",
    "argv",
    "simulate",
    "watch",
    "list",
    "explain",
    "eta",
    "wait",
    "catch",
    ".",
    "completion",
  ],
};

const PURE = ["backoff", "kubelet", "explain", "simulate", "render", "report"];
const IMPURE =
  /\bDate\.now\b|\bnew Date\b(?!\s*\(\s*[^\s)])|(?<!new )\bDate\(|\bMath\.random\b|\bperformance\.|\bcrypto\.|\b(setTimeout|setInterval|fetch)\(/;
const FROM_OUTSIDE = /\bprocess\s*(\?\.|[.[])|=\s*process\s*;|\bconsole\s*(\?\.|[.[])/;
const MOST_LINES = 250;
const MOST_FILES = 20;
/** The names are split, because this file is checked, too. */
const OUTSIDE = ["/wor" + "k/", "share" + "d/"];

function placeOf(path: string): { readonly layer: string; readonly room: string } {
  const [, layer = "", second, third] = path.split("/");
  if (second === undefined) return { layer: layer === "main.ts" ? "commands" : "errors", room: "." };
  const hasOwnPlace = ROOMS[layer]?.includes(second) === true;
  return { layer, room: third !== undefined || hasOwnPlace ? second : "." };
}

function violationsOf(file: SourceFile): string[] {
  const { layer, room } = placeOf(file.path);
  const order = ROOMS[layer] ?? ["."];
  const isOutOfPlace = (target: string): boolean => {
    if (/^src\/error[^/]*\.ts$/.test(target)) return false;
    if (!target.startsWith(`src/${layer}/`)) return MAY_IMPORT[layer]?.test(target) !== true && layer !== "errors";
    return order.indexOf(placeOf(target).room) > order.indexOf(room) && file.path !== "src/main.ts";
  };
  const imports = importsOf(file);
  const code = codeOnly(file.text);
  return [
    ...imports.filter(isOutOfPlace).map((target) => `${file.path} may not import ${target}`),
    ...(order.includes(room) ? [] : [`${file.path}: ${room} is no known room`]),
    ...(PURE.includes(layer) && IMPURE.test(code) ? [`${file.path} is not pure`] : []),
    ...(layer !== "commands" && FROM_OUTSIDE.test(code) ? [`${file.path} uses process or console`] : []),
  ];
}

function filesInCircles(): string[] {
  const needs = new Map(SOURCES.map((file) => [file.path, importsOf(file)]));
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    (needs.get(from) ?? []).some((next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))));
  return [...needs.keys()].filter((path) => reaches(path, path));
}

const EXPORT = /^export (?:async )?(?:abstract )?(?:function\*?|const|class|interface|type) (\w+)/gm;
const EXPORTED = SOURCES.flatMap(({ path, text }) =>
  [...codeOnly(text).matchAll(EXPORT)].map(([, name = ""]) => ({ name, path })),
);

describe("the architecture", () => {
  it.each(Object.keys(MAY_IMPORT))(
    "src/%s imports only from folders that it may use, and its subfolders only from earlier ones",
    (layer) => {
      const files = SOURCES.filter(({ path }) => placeOf(path).layer === layer);
      expect(files.flatMap(violationsOf)).toEqual([]);
      expect(files.length).toBeGreaterThan(0);
    },
  );

  it("has no files that import each other in a circle", () => {
    expect(filesInCircles()).toEqual([]);
  });

  it("imports only packages that package.json declares as devDependencies, and has no dependencies", () => {
    const packages = SOURCES.flatMap(importsOf).flatMap(
      (target) => /^(?!src\/|node:|package\.json)(@[^/]+\/)?[^/]+/.exec(target)?.[0] ?? [],
    );
    expect([...new Set(packages)].filter((name) => !Object.keys(manifest.devDependencies).includes(name))).toEqual([]);
    expect(manifest).not.toHaveProperty("dependencies");
  });

  it("calls Date.now() in only one file, which is in src/commands", () => {
    const callers = SOURCES.filter(({ text }) => /\bDate\.now\b/.test(codeOnly(text)));
    expect(callers.map(({ path }) => path)).toEqual([expect.stringMatching(/^src\/commands\//)]);
  });

  it("imports no file of scripts/ in lab/", () => {
    const labs = CODE.filter(({ path }) => path.startsWith("lab/"));
    const imports = labs.flatMap((file) => importsOf(file).map((target) => `${file.path} imports ${target}`));
    expect(imports.filter((each) => each.includes(" imports scripts/"))).toEqual([]);
    expect(imports.length).toBeGreaterThan(0);
  });

  it(`has no file of more than ${MOST_LINES} lines, and no folder of src of more than ${MOST_FILES} files`, () => {
    const long = CODE.filter(({ text }) => text.split("\n").length - 1 > MOST_LINES);
    const folders = Map.groupBy(SOURCES, ({ path }) => path.replace(/\/[^/]*$/, ""));
    const crowded = [...folders].filter(([, files]) => files.length > MOST_FILES);
    expect([...long.map(({ path }) => path), ...crowded.map(([folder]) => folder)]).toEqual([]);
  });

  it("exports each name from one file only", () => {
    const files = Map.groupBy(EXPORTED, ({ name }) => name);
    const several = [...files].filter(([, found]) => new Set(found.map(({ path }) => path)).size > 1);
    expect(several.map(([name, found]) => `${name}: ${found.map(({ path }) => path).join(", ")}`)).toEqual([]);
    expect(files.size).toBeGreaterThan(100);
  });

  it("exports only what another file uses", () => {
    const words = CODE.map(({ path, text }) => ({ path, words: new Set(text.match(/\w+/g)) }));
    const unused = EXPORTED.filter((own) => {
      return !words.some((other) => other.path !== own.path && other.words.has(own.name));
    });
    expect(unused).toEqual([]);
  });

  it("mentions neither of two folders outside the repository", () => {
    const mentions = TEXTS.filter(({ text }) => OUTSIDE.some((word) => text.includes(word)));
    expect(mentions.map(({ path }) => path)).toEqual([]);
  });
});
