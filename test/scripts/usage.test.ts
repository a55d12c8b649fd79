import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repositoryFile, runFile } from "../support/command.ts";
import { temporaryFolder } from "../support/kubeconfig.ts";

const script = (name: string): string => repositoryFile(`scripts/${name}.ts`);

describe("the scripts", () => {
  it.each([
    { name: "bench", argv: ["--rounds", "14"], usage: "npm run bench" },
    { name: "bench", argv: ["--rounds", "many"], usage: "npm run bench" },
    { name: "test-cluster", argv: ["--minutes", "soon"], usage: "npm run test:cluster" },
    { name: "test-krew", argv: ["--no-such-flag"], usage: "npm run test:krew" },
  ])("say how to call $name instead of with $argv", async ({ name, argv, usage }) => {
    const { exitCode, stdout, stderr } = await runFile(script(name), argv);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(`Usage: ${usage}`);
  });

  it.each([
    { name: "test-cluster", tools: [], says: "kubectl is not on PATH" },
    { name: "test-krew", tools: [], says: "krew is not in PATH" },
    { name: "test-krew", tools: ["krew"], says: "kubectl is not in PATH" },
    { name: "test-krew", tools: ["krew", "kubectl"], says: "npm run package makes them" },
  ])("skip $name with nothing but $tools on PATH", async ({ name, tools, says }) => {
    const PATH = temporaryFolder();
    for (const tool of tools) writeFileSync(join(PATH, tool), "", { mode: 0o755 });
    const argv = name === "test-krew" ? ["--release", PATH] : [];
    const { exitCode, stdout, stderr } = await runFile(script(name), argv, { env: { PATH } });
    expect(exitCode).toBe(0);
    expect(stdout + stderr).toMatch(/^Skipped: /);
    expect(stdout + stderr).toContain(says);
  });
});
