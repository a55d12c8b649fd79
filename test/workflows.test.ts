import { readdirSync, readFileSync, statSync } from "node:fs";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { TARGETS } from "../scripts/package/targets.ts";
import { repositoryFile } from "./support/command.ts";

const FOLDER = repositoryFile(".github/workflows");
const WORKFLOWS = readdirSync(FOLDER).map((name) => ({ name, text: readFileSync(`${FOLDER}/${name}`, "utf8") }));

/** Windows does not say. */
function isExecutable(file: string): boolean {
  return (statSync(file).mode & 0o111) > 0 || process.platform === "win32";
}

describe.each(WORKFLOWS)("$name", ({ text }) => {
  it("uses nothing that could change under its name", () => {
    const used = [...text.matchAll(/^ *(?:- )?uses: (\S+)/gm)].map(([, action = ""]) => action);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/^\.\/|@[0-9a-f]{40}$/);
  });

  it("is YAML, with steps that exist", () => {
    const { jobs } = load(text) as { jobs: Record<string, { uses?: string; steps?: { run?: string }[] }> };
    expect(Object.keys(jobs).length).toBeGreaterThan(0);
    const commands = Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ run = "" }) => run.split("\n")));
    const scripts = commands.flatMap((command) => /npm run ([\w:]+)/.exec(command)?.[1] ?? []);
    expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(scripts));
    const files = commands.flatMap((command) => /^scripts\/\S+/.exec(command)?.[0] ?? []);
    for (const file of files) expect(isExecutable(repositoryFile(file))).toBe(true);
  });

  it("may do nothing but read, unless a job says so", () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
  });
});

describe("ci.yml", () => {
  it("runs every archive", () => {
    const { text = "" } = WORKFLOWS.find(({ name }) => name === "ci.yml") ?? {};
    const run = [...text.matchAll(/archive: (\w+-\w+)\./g)].map(([, platform]) => platform);
    expect(run).toEqual(TARGETS.map(({ os, arch }) => `${os}-${arch}`));
  });
});
