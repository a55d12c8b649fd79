import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RecordedLine } from "../../lab/recordings/recordings.ts";
import { repositoryFile, runFile } from "../support/command.ts";
import { temporaryFolder } from "../support/kubeconfig.ts";
import { exitOf, heldBack, podLine, running, terminated, timeOf } from "./made-up-recording.ts";

const NODE = { metadata: { name: "node-x" }, status: { nodeInfo: { kubeletVersion: "v1.34.4" } } };

function folderWhereNextStartIs(nextStartedAt: number): string {
  const folder = temporaryFolder();
  const previous = { lastState: exitOf("a", timeOf(0), 5), restartCount: 1 };
  const lines = [
    podLine(6, terminated("a", 0, 5)),
    podLine(7, { ...running("b", 6), ...previous }),
    podLine(21, { ...terminated("b", 6, 20), ...previous }),
    podLine(22, { ...heldBack("b", 6, 20, "10s"), restartCount: 1 }),
    podLine(nextStartedAt + 1, {
      ...running("c", nextStartedAt),
      lastState: exitOf("b", timeOf(6), 20),
      restartCount: 2,
    }),
  ];
  mkdirSync(join(folder, "node-x"));
  writeFileSync(join(folder, "node-x", "node.json"), JSON.stringify(NODE));
  writeFileSync(join(folder, "node-x", "web.ndjson"), lines.map(textOf).join("\n"));
  return folder;
}

function textOf({ atMs, ...line }: RecordedLine): string {
  return JSON.stringify({ at: new Date(atMs).toISOString(), ...line });
}

const calibrate = (...args: string[]) => runFile(repositoryFile("scripts/calibrate.ts"), args);

describe("npm run calibrate", () => {
  const RUNNING = "right          100.0 %, 2 of 2 forecasts of the wait after the next exit";
  const WRONG = "node-x/web, container app, at 2026-11-21T12:00:09.500Z: said 10 s (exits), ran 14 s, waited 580 s";
  it.each([
    { nextStartAt: 33, flags: [], says: "inside         100.0 %, 4 of 4" },
    { nextStartAt: 33, flags: ["--running"], says: RUNNING },
    { nextStartAt: 600, flags: ["--misses", "1"], says: "late: node-x/web, container app" },
    { nextStartAt: 600, flags: ["--running", "--misses", "1"], says: WRONG },
  ])("says with $flags of a next start at second $nextStartAt: $says", async ({ nextStartAt, flags, says }) => {
    const { exitCode, stdout } = await calibrate(folderWhereNextStartIs(nextStartAt), "--at-least", "0.95", ...flags);
    expect(stdout).toContain(says);
    expect(exitCode).toBe(nextStartAt === 33 ? 0 : 1);
  });

  it("prints the same as JSON, for one node and pod", async () => {
    const folder = folderWhereNextStartIs(33);
    const { exitCode, stdout } = await calibrate(folder, "--node", "node-x", "--pod", "web", "-o", "json");
    expect(JSON.parse(stdout)).toMatchObject({ kind: "Calibration", totals: { moments: 4, inside: 4 } });
    expect(exitCode).toBe(0);
  });

  it("fails without a moment to judge", async () => {
    const { exitCode, stderr } = await calibrate(folderWhereNextStartIs(33), "--pod", "other");
    expect(stderr).toContain("No wait in these recordings is long enough");
    expect(exitCode).toBe(1);
  });

  it.each([
    { args: [], says: "Name at least one folder" },
    { args: ["a", "--at-least", "95"], says: '--at-least cannot be "95".' },
    { args: ["a", "-o", "yaml"], says: "-o knows json only." },
    { args: ["a", "--what"], says: "--what" },
  ])("refuses $args", async ({ args, says }) => {
    const { exitCode, stdout, stderr } = await calibrate(...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(says);
    expect(stderr).toContain("Usage: npm run calibrate");
  });

  it("says that it cannot read a folder", async () => {
    const { exitCode, stderr } = await calibrate("/no/such/recordings");
    expect(stderr).toMatch(/^Cannot read the recordings in .*ENOENT/);
    expect(exitCode).toBe(1);
  });
});
