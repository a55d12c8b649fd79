import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { listExamples } from "../../src/cluster/files/examples.ts";
import { loadCommands } from "../../src/commands/commands.ts";
import { repositoryFile } from "../support/command.ts";

const COMMANDS = await loadCommands();
const FLAGS = [...Object.values(COMMANDS).flatMap(({ flags }) => Object.keys(flags)), "help"];
const EXAMPLES = listExamples().map(({ name }) => name);
/** Flags of other programs that the pages mention. */
const OTHER_FLAGS = [
  ...[
    "clusterrole",
    "cpu-prof-interval",
    "cpu-prof-md",
    "field-selector",
    "group",
    "local",
    "minutes",
    "project",
    "raw",
  ],
  ...["record", "scenario", "table", "update", "version", "without", "write"],
];

const DOCS = readdirSync(repositoryFile("docs"))
  .filter((file) => file.endsWith(".md"))
  .map((file) => `docs/${file}`);
const PAGES = [...DOCS, "README.md", "CONTRIBUTING.md"].map((path) => {
  return { path, text: readFileSync(repositoryFile(path), "utf8") };
});

function found(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, first = ""]) => first);
}

it("docs contains the pages that the README links to, and no others", () => {
  const linked = found(readFileSync(repositoryFile("README.md"), "utf8"), /\]\((docs\/[\w-]+\.md)\)/g);
  expect([...new Set(linked)].sort()).toEqual(DOCS.toSorted());
});

describe.each(PAGES)("$path", ({ path, text }) => {
  it("links only to files that exist", () => {
    const targets = found(text, /\]\(([^)#]+)(?:#[^)]*)?\)/g).filter((target) => !/^https?:/.test(target));
    const missing = targets.filter((target) => !existsSync(repositoryFile(join(dirname(path), target))));
    expect(missing).toEqual([]);
  });

  it("names only commands, examples, flags and scripts that exist", () => {
    const commands = found(text, /kubectl backoff ([a-z]+)\b/g).filter((command) => !Object.hasOwn(COMMANDS, command));
    const recordings = found(text, /kubectl backoff demo ([a-z][\w-]*)/g).filter((name) => !EXAMPLES.includes(name));
    const flags = found(text, /(?<![\w-])--([a-z][a-z-]+)/g).filter(
      (flag) => ![...FLAGS, ...OTHER_FLAGS].includes(flag),
    );
    const scripts = found(text, /npm run ([\w:-]+)/g).filter((script) => !Object.hasOwn(manifest.scripts, script));
    expect({ commands, recordings, flags, scripts }).toEqual({ commands: [], recordings: [], flags: [], scripts: [] });
  });
});
