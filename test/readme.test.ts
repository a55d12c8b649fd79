import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { calibrate } from "../scripts/calibration/calibration.ts";
import { withCalibration, withNodeTable } from "../scripts/calibration/markdown.ts";
import { reportLines } from "../scripts/calibration/report.ts";
import { judgeRunning } from "../scripts/calibration/running.ts";
import { interventions, loadRecordingFolder } from "../scripts/recordings.ts";
import { explain } from "../src/explain/explain.ts";
import { loadCommands } from "../src/main.ts";
import { repositoryFile, stdoutOf } from "./support/command.ts";
import { RECORDINGS } from "./support/recording.ts";

const COMMANDS = await loadCommands();

const FILE = repositoryFile("README.md");
const README = readFileSync(FILE, "utf8");
const BLOCKS = [...README.matchAll(/^```(?:yaml)?\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
/** The flags of each command, of all of them, and of other programs. */
const FLAGS = [
  ...Object.values(COMMANDS).flatMap(({ flags }) => Object.keys(flags)),
  ...["help", "version"],
  ...["field-selector", "previous", "raw"],
];

const SIMULATE = "$ kubectl backoff simulate --run 42s --compare default,max=60s,v1.34";
const RECORDED = loadRecordingFolder(RECORDINGS);
const KNOWN = interventions(RECORDINGS);
const CALIBRATION = calibrate(RECORDED, KNOWN, (observation) => explain(observation, {}));

describe("docs/predictions.md", () => {
  it("has the figures of today (if this is all that differs, vitest -u writes them)", async () => {
    const file = repositoryFile("docs/predictions.md");
    const running = judgeRunning(RECORDED, KNOWN, (observation) => explain(observation, {}));
    const page = withCalibration(readFileSync(file, "utf8"), RECORDED, CALIBRATION, running);
    const overloaded = loadRecordingFolder(repositoryFile("test/fixtures/overloaded"));
    const late = calibrate(overloaded, [], (observation) => explain(observation, {}));
    await expect(withNodeTable(page, "overloaded", overloaded, late)).toMatchFileSnapshot(file);
  });
});

describe("README.md", () => {
  it("shows what the programs print (if this is all that differs, vitest -u writes it)", {
    timeout: 60_000,
  }, async () => {
    vi.stubEnv("TZ", "UTC");
    vi.stubEnv("COLUMNS", "80");
    const demo = `$ npm ci && npm run demo\n${await stdoutOf(["demo"])}`;
    const withDemo = withBlock(README, "$ npm ci && npm run demo\n", demo);
    const simulation = `${SIMULATE}\n${await stdoutOf(SIMULATE.split(" ").slice(3))}`;
    const withBoth = withBlock(withDemo, SIMULATE, simulation);
    await expect(withBlock(withBoth, "answered ", calibrationTotals())).toMatchFileSnapshot(FILE);
  });

  it.each([
    { picture: "timeline", argv: ["demo", "-o", "svg"] },
    { picture: "curves", argv: [...SIMULATE.split(" ").slice(3), "-o", "svg"] },
  ])("shows the picture that the program draws: $picture", async ({ picture, argv }) => {
    vi.stubEnv("TZ", "UTC");
    await expect(await stdoutOf(argv)).toMatchFileSnapshot(repositoryFile(`docs/images/${picture}.svg`));
  });

  it("has the role of docs/permissions.md", () => {
    const [role = "none"] =
      readFileSync(repositoryFile("docs/permissions.md"), "utf8").match(/```yaml\n.*?```\n/s) ?? [];
    expect(README).toContain(role);
  });

  it("has blocks of at most 80 columns", () => {
    expect(BLOCKS.flatMap((block) => block.split("\n")).filter((line) => line.length > 80)).toEqual([]);
  });

  it("names commands, flags and scripts that there are", () => {
    expect(namedIn(/kubectl[ -]backoff ([a-z]+)\b/g).filter((command) => !Object.hasOwn(COMMANDS, command))).toEqual(
      [],
    );
    expect(namedIn(/(?<![\w-])--([a-z][a-z-]+)/g).filter((flag) => !FLAGS.includes(flag))).toEqual([]);
    expect(namedIn(/npm run ([\w:-]+)/g).filter((script) => !Object.hasOwn(manifest.scripts, script))).toEqual([]);
  });

  it("names files and folders that there are", () => {
    const paths = [...namedIn(/\]\(([^)]+)\)/g), ...namedIn(/`((?:bin|docs|examples|scripts|src|test)\/[\w./-]*)`/g)];
    expect(paths).toContain("src/README.md");
    expect(paths.filter((path) => !existsSync(repositoryFile(path)))).toEqual([]);
  });
});

/** The text with the block that begins with `start` replaced; the test fails without it. */
function withBlock(text: string, start: string, block: string): string {
  const old = BLOCKS.find((candidate) => candidate.startsWith(start));
  if (old === undefined) throw new Error(`README.md has no block that begins with ${start}`);
  return text.replace(old, () => block);
}

/** The totals as `npm run calibrate` prints them, without the remarks in parentheses and what the machine decides. */
function calibrationTotals(): string {
  const lines = reportLines(CALIBRATION, 0).filter((line) => /^(answered|delay right|inside|early|median)/.test(line));
  return lines.map((line) => `${line.replace(/ \(.*\)$/, "")}\n`).join("");
}

/** What the first group of the pattern finds; the test fails if that is nothing. */
function namedIn(pattern: RegExp): string[] {
  const found = [...README.matchAll(pattern)].map(([, name = ""]) => name);
  if (found.length === 0) throw new Error(`README.md has nothing like ${pattern}`);
  return found;
}
