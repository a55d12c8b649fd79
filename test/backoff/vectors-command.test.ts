import { describe, expect, it } from "vitest";
import { readTextFile } from "../../lab/recordings/text-file.ts";
import { repositoryFile, runFile } from "../support/command.ts";
import { writeDocument } from "../support/kubeconfig.ts";

const VECTORS = repositoryFile("test/fixtures/vectors.ndjson.gz");

const vectors = (...files: string[]) => runFile(repositoryFile("scripts/vectors.ts"), files);

describe("npm run vectors", () => {
  it("reports that all 400 traces of client-go v0.37.1 agree", async () => {
    const stdout = "400 traces, 26454 operations, 0 differ\n";
    expect(await vectors(VECTORS)).toEqual({ exitCode: 0, stdout, stderr: "" });
  });

  it("prints the first differences and exits with 1", async () => {
    const text = readTextFile(VECTORS).replaceAll('"result":true', '"result":false');
    const { exitCode, stdout } = await vectors(writeDocument(text, "traces.ndjson"));
    const lines = stdout.trimEnd().split("\n");
    expect(exitCode).toBe(1);
    expect(lines[0]).toMatch(/^trace 1, op 6: \{.*\}: expected false, got true$/);
    expect(lines).toHaveLength(12);
    expect(lines.at(-1)).toMatch(/^400 traces, 26454 operations, [1-9]\d* differ$/);
  });

  it("says why it cannot read a file, and prints its usage without one", async () => {
    const nonsense = writeDocument("nonsense\n", "traces.ndjson");
    expect(await vectors(nonsense)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("line 1: not JSON") });
    expect(await vectors("/there/is/none")).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("ENOENT") });
    expect(await vectors()).toMatchObject({ exitCode: 2, stderr: "Usage: npm run vectors -- FILE\n" });
  });
});
