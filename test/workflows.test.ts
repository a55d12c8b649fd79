import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { TARGETS } from "../scripts/package/targets.ts";
import { repositoryFile } from "./support/command.ts";

const FOLDER = repositoryFile(".github/workflows");
const WORKFLOWS = readdirSync(FOLDER).map((name) => ({ name, text: readFileSync(`${FOLDER}/${name}`, "utf8") }));

describe.each(WORKFLOWS)("$name", ({ text }) => {
  it("uses nothing that could change under its name", () => {
    const used = [...text.matchAll(/^ *(?:- )?uses: (\S+)/gm)].map(([, action = ""]) => action);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/^\.\/|@[0-9a-f]{40}$/);
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
