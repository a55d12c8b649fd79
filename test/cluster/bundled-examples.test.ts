import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readTextFile } from "../../lab/recordings/text-file.ts";
import { observePaths } from "../support/input.ts";

interface Entry {
  readonly name: string;
  readonly title: string;
  readonly at: string;
  readonly file: string;
}

const FOLDER = fileURLToPath(new URL("../../examples/", import.meta.url));
const INDEX = JSON.parse(readFileSync(`${FOLDER}index.json`, "utf8")) as Entry[];

describe("examples/index.json", () => {
  it("lists every example, each with its own name and title", () => {
    const files = readdirSync(FOLDER).filter((file) => file.endsWith(".gz"));
    expect(INDEX.map(({ file }) => file).sort()).toEqual(files.sort());
    for (const key of ["name", "title"] as const)
      expect(new Set(INDEX.map((entry) => entry[key])).size).toBe(INDEX.length);
  });

  it.each(INDEX)(
    "$name: has one pod, of which nothing is missing, and nothing later than its moment",
    async ({ at, file }) => {
      const atMs = Date.parse(at);
      const { observation, skipped } = await observePaths([`${FOLDER}${file}`], {
        localNowMs: atMs + 24 * 3_600_000,
      });
      const [observed, ...others] = observation.pods;
      expect(others).toEqual([]);
      expect(skipped).toEqual([]);
      expect(observed?.missing).toEqual([]);
      expect(observed?.kubeletConfig?.syncFrequencyMs).toBe(60_000);
      expect(observed?.node?.kubeletVersion).toMatch(/^v1\.3[147]\./);
      expect(observation.atBasis).toMatch(/^(newest-input|recording)$/);
      expect(observation.atMs).toBeLessThanOrEqual(atMs);
    },
  );

  it.each(INDEX)("$name: has no home folder, no @ and no IP address outside 10.0.0.0/8", ({ file }) => {
    const text = readTextFile(`${FOLDER}${file}`);
    expect(text).not.toMatch(/\/(home|root|Users|work|tmp)\//);
    expect(text).not.toMatch(/@/);
    for (const [address] of text.matchAll(/\d+\.\d+\.\d+\.\d+/g)) expect(address).toMatch(/^10\./);
  });
});
