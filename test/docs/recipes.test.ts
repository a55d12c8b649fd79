import { readFileSync } from "node:fs";
import { raw } from "jq-wasm";
import { describe, expect, it } from "vitest";
import { repositoryFile, run } from "../support/command.ts";

const PAGE = repositoryFile("docs/integrations.md");
const FILE = ["-f", repositoryFile("test/fixtures/incident.json.gz")];
/** The recipes are about a cluster; the test runs these commands instead. */
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  "list -A -o json": ["list", ...FILE, "-o", "json"],
  "explain -l app -A -o json": ["explain", ...FILE, "-l", "app", "-o", "json"],
  "explain POD -o json": ["demo", "-o", "json"],
  "explain POD --logs -o json": [
    "explain",
    "-f",
    repositoryFile("examples/bad-release.json.gz"),
    "--logs",
    "-o",
    "json",
  ],
  "eta -A -o json": ["eta", ...FILE, "--at", "2026-11-23T18:49:50Z", "-o", "json"],
};
const RECIPE = /^```\n(?<typed>\$ kubectl backoff (?<line>.*?) \|\s+jq -r '(?<filter>[^']*)'\n)(?<shown>[^`]*)```$/gms;

describe("the recipes for jq", () => {
  it("print what docs/integrations.md says (vitest --update writes it)", {
    timeout: 60_000,
  }, async () => {
    const text = readFileSync(PAGE, "utf8");
    const recipes = [...text.matchAll(RECIPE)];
    expect(recipes).toHaveLength(8);
    let renewed = text;
    for (const { 0: block, groups } of recipes) {
      const { typed = "", line = "", filter = "" } = groups ?? {};
      const json = await stdoutWith(ANSWERS[line] ?? [`unknown: ${line}`]);
      const printed = await raw(json, filter, ["-r"]);
      expect(printed.trim()).not.toBe("");
      renewed = renewed.replace(block, () => `\`\`\`\n${typed}${printed.trim()}\n\`\`\``);
    }
    await expect(renewed).toMatchFileSnapshot(PAGE);
  });
});

async function stdoutWith(argv: readonly string[]): Promise<string> {
  const { exitCode, stdout } = await run(...argv);
  expect(exitCode).toBe(0);
  return stdout;
}
