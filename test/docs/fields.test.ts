import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { BUGS } from "../../src/kubelet/bugs.ts";
import { repositoryFile } from "../support/command.ts";
import { filesBelow } from "../support/source-text.ts";

const PAGE = readFileSync(repositoryFile("docs/fields.md"), "utf8");
const NAMED = [...PAGE.matchAll(/`([^`\n]+)`/g)].flatMap(([, name = ""]) => [name, name.split(".").at(-1) ?? ""]);
const SOURCES = filesBelow("src", /\.ts$/);

function inSources(pattern: RegExp, files = /^src\//): string[] {
  const texts = SOURCES.filter(({ path }) => files.test(path)).map(({ text }) => text);
  const found = texts.flatMap((text) => [...text.matchAll(pattern)].map(([, first = ""]) => first));
  expect(found.length).toBeGreaterThan(0);
  return [...new Set(found)].sort();
}

function wordsOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(wordsOf);
  if (typeof schema !== "object" || schema === null) return [];
  const { properties = {}, enum: values = [] } = schema as { properties?: object; enum?: unknown[] };
  const words = [...Object.keys(properties), ...values.filter((value) => typeof value === "string")];
  return [...words, ...Object.values(schema).flatMap(wordsOf)];
}

describe("docs/fields.md", () => {
  it.each(["explanation", "backoff-list", "eta", "catch"])(
    "explains every field and every word of the %s schema",
    (name) => {
      const words = wordsOf(JSON.parse(readFileSync(repositoryFile(`docs/${name}.schema.json`), "utf8")));
      expect(words.length).toBeGreaterThan(20);
      expect([...new Set(words)].filter((word) => !NAMED.includes(word))).toEqual([]);
    },
  );

  it("explains every gap that has a code of its own", () => {
    const codes = inSources(/\bcode: "([a-z-]+)"/g);
    expect(codes).toContain("node-not-ready");
    expect(codes.filter((code) => !NAMED.includes(code))).toEqual([]);
  });

  it("explains both halves of every other gap", () => {
    const lists = (name: string) =>
      inSources(new RegExp(`\\breadonly ${name}: ("[a-z-]+"(?: \\| "[a-z-]+")+);`, "g"), /observed\/[\w-]+\.ts$/);
    const wordsIn = (texts: readonly string[]) => texts.flatMap((text) => [...text.matchAll(/[a-z-]+/g)].map(String));
    const whats = [...wordsIn(lists("what")), ...inSources(/\bcode: `([a-z]+)-\$\{why\}`/g)];
    expect(whats).toEqual(expect.arrayContaining(["events", "node-config", "owner", "logs"]));
    expect(whats.filter((what) => !NAMED.includes(`${what}-…`))).toEqual([]);
    const whys = wordsIn(lists("why"));
    expect(whys).toContain("forbidden");
    expect(whys.filter((why) => !NAMED.includes(`…-${why}`))).toEqual([]);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the code of a file
    expect(inSources(/\bcode: `([^`]+)`/g)).toEqual(["${what}-${why}", "logs-${why}"]);
  });

  it("explains every rule of the sources, and no other", () => {
    const rules = [
      ...inSources(/\brule: "([a-z-]+)"/g),
      ...inSources(/\b(?:stated|concluded)\(\s*"([a-z-]+)",/g),
      ...inSources(/^ {2}"([a-z-]+)":\s*"/gm, /words\/evidence\.ts$/),
      ...Object.values(BUGS).map(({ code }) => code),
    ];
    const table = PAGE.slice(PAGE.indexOf("### Rules"), PAGE.indexOf("## `list`"));
    const rows = table.split("\n").filter((line) => line.startsWith("| `"));
    const explained = rows.flatMap((row) => [...(row.split(" | ")[0] ?? "").matchAll(/`([^`]+)`/g)].map(([, r]) => r));
    expect(explained.sort()).toEqual([...new Set(rules)].sort());
  });
});
