import { describe, expect, it } from "vitest";
import { repositoryFile, runFile } from "../support/command.ts";

const script = (name: string): string => repositoryFile(`scripts/${name}.ts`);

describe("the scripts", () => {
  it.each([
    { name: "bench", argv: ["--rounds", "14"], usage: "npm run bench" },
    { name: "bench", argv: ["--rounds", "many"], usage: "npm run bench" },
    { name: "test-cluster", argv: ["--minutes", "soon"], usage: "npm run test:cluster" },
    { name: "test-krew", argv: ["--no-such-flag"], usage: "npm run test:krew" },
  ])("reject $argv for $name, and print its usage", async ({ name, argv, usage }) => {
    const { exitCode, stdout, stderr } = await runFile(script(name), argv);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(`Usage: ${usage}`);
  });
});
