import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { readTextFile } from "../../lab/recordings/text-file.ts";

const SCRIPT = fileURLToPath(new URL("../../scripts/vectors.ts", import.meta.url));
const VECTORS = fileURLToPath(new URL("../fixtures/vectors.ndjson.gz", import.meta.url));
const FOLDER = mkdtempSync(join(tmpdir(), "vectors-"));

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], { encoding: "utf8" });
  return { status, lines: stdout.trimEnd().split("\n"), stderr };
}

function fileOf(text: string): string {
  const path = join(FOLDER, "traces.ndjson");
  writeFileSync(path, text);
  return path;
}

afterAll(() => rmSync(FOLDER, { recursive: true }));

describe("npm run vectors", () => {
  it("reports that all 400 traces of client-go v0.37.1 agree", () => {
    expect(run(VECTORS)).toEqual({ status: 0, lines: ["400 traces, 26454 operations, 0 differ"], stderr: "" });
  });

  it("prints the first differences and exits with 1", () => {
    const text = readTextFile(VECTORS);
    const { status, lines } = run(fileOf(text.replaceAll('"result":true', '"result":false')));
    expect(status).toBe(1);
    expect(lines[0]).toMatch(/^trace 1, op 6: \{.*\}: expected false, got true$/);
    expect(lines).toHaveLength(12);
    expect(lines.at(-1)).toMatch(/^400 traces, 26454 operations, [1-9]\d* differ$/);
  });

  it("says why it cannot read a file, and prints its usage without one", () => {
    expect(run(fileOf("nonsense\n"))).toMatchObject({ status: 1, stderr: expect.stringContaining("line 1: not JSON") });
    expect(run(join(FOLDER, "none"))).toMatchObject({ status: 1, stderr: expect.stringContaining("ENOENT") });
    expect(run()).toMatchObject({ status: 2, stderr: "Usage: npm run vectors -- FILE\n" });
  });
});
