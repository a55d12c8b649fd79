import { spawn, spawnSync } from "node:child_process";
import { existsSync, openSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { repositoryFile } from "../support/command.ts";

const PROGRAM = repositoryFile("bin/main.js");
const SIDECAR = ["demo", "sidecar", "-o", "json"];
const FULL = "Error: Cannot write the output: no space left on device.\nMake room there, or send it elsewhere.\n";
const isFullThere = existsSync("/dev/full");

/** Runs the program with these as its standard streams. */
function runWith(argv: readonly string[], stdio: readonly ("pipe" | "ignore" | number)[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...argv], {
    stdio: [...stdio],
    encoding: "utf8",
  });
  return { exitCode: status, stdout: stdout ?? "", stderr: stderr ?? "" };
}

describe("the output", () => {
  it.skipIf(!isFullThere).each([
    { argv: ["demo"], why: "a table" },
    { argv: ["version"], why: "a line" },
    { argv: ["--help"], why: "help" },
  ])("that cannot be written is an error, told once: $why", ({ argv }) => {
    expect(runWith(argv, ["ignore", openSync("/dev/full", "w"), "pipe"])).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: FULL,
    });
  });

  it.skipIf(!isFullThere)("for errors may be written nowhere: the exit code says it all the same", () => {
    expect(runWith(["demo", "--bogus"], ["ignore", "pipe", openSync("/dev/full", "w")]).exitCode).toBe(2);
    expect(runWith(["demo", "--bogus"], ["ignore", "pipe", "ignore"]).exitCode).toBe(2);
  });

  it("may go nowhere, and come from nowhere", () => {
    expect(runWith(["demo"], ["ignore", "ignore", "pipe"])).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    expect(runWith(["explain", "-f", "-"], ["ignore", "pipe", "pipe"])).toMatchObject({
      exitCode: 1,
      stdout: "",
      stderr: expect.stringMatching(/^Error: .+\n.+\n$/),
    });
  });

  it("is broken off without a word when nobody reads on", async () => {
    const child = spawn(process.execPath, [PROGRAM, ...SIDECAR], { stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.destroy();
    let stderr = "";
    child.stderr.on("data", (text) => {
      stderr += text;
    });
    const exitCode = await new Promise((resolve) => child.on("close", resolve));
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  });
});
