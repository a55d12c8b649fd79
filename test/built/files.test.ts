import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { type Lab, startLab } from "../../lab/secrets/lab.ts";
import type { PlannedRun } from "../../lab/secrets/planned-run.ts";
import { ended, type Programs, runAsProcess } from "../../lab/secrets/run-as-process.ts";
import { plannedRuns } from "../../lab/secrets/runs.ts";
import { searchRun } from "../../lab/secrets/search-run.ts";
import { commandFor } from "../support/command-for.ts";
import { temporaryFolder } from "../support/kubeconfig.ts";
import { filesBelow, withoutComments } from "../support/source-text.ts";

const PROGRAMS = [
  { name: "the executable", programs: inject("executable") },
  { name: "the JavaScript file", programs: inject("script") },
];
let lab: Lab;

beforeAll(async () => {
  lab = await startLab();
  return () => lab.close();
});

function sandbox() {
  const folder = temporaryFolder();
  const [home, cwd, temporary] = ["home", "cwd", "tmp"].map((name) => join(folder, name)) as [string, string, string];
  for (const path of [home, cwd, temporary]) mkdirSync(path);
  chmodSync(folder, 0o755);
  const modeOf = (path: string): string => (lstatSync(join(folder, path)).mode & 0o777).toString(8);
  return {
    home,
    run: (programs: Programs, { argv, env, isCompletion }: PlannedRun, wrapper: readonly string[] = []) => {
      const command = commandFor(isCompletion === true ? programs.completion : programs.main);
      const own = { PATH: process.env["PATH"] ?? "", HOME: home, TMPDIR: temporary, ...env };
      return ended([...wrapper, ...command, ...argv], cwd, own);
    },
    listing: () => {
      const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
      return paths.map((path) => `${modeOf(path)} ${path}`);
    },
  };
}

/** The user ID of `nobody`: file modes do not restrict root. */
const NOBODY = 65_534;
const AS_NOBODY = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];

function runsOf(names: readonly string[]): PlannedRun[] {
  return names.flatMap((name) => plannedRuns(lab).find(({ what }) => what.startsWith(name)) ?? []);
}

async function expectNoSecret(programs: Programs, planned: PlannedRun): Promise<void> {
  const { leaks } = await searchRun(planned, () => runAsProcess(lab, programs, planned));
  expect(leaks).toEqual([]);
}

const VERSION: PlannedRun = { what: "version", argv: ["version"], exitCode: 0, says: /^kubectl-backoff v/ };

const SOME = [
  ...["explain -o table", "list -o json", "completion of pods", "as a user with a plugin", "explain -f in html"],
  ...["401: list -A", "the plugin fails: list -A", "kubeconfig with"],
];

describe.each(PROGRAMS)("$name", ({ programs }) => {
  it("leaves the home, the current and the temporary folder as they were", async () => {
    const { run, listing } = sandbox();
    const before = listing();
    const runs = runsOf(SOME);
    expect(runs).toHaveLength(SOME.length);
    for (const planned of runs) {
      const { stdout, stderr } = await run(programs, planned);
      expect(stdout + stderr).toMatch(planned.says);
    }
    expect(listing()).toEqual(before);
  });

  it("runs with a read-only home folder", async () => {
    const { home, run } = sandbox();
    chmodSync(home, 0o555);
    const expected = { exitCode: 0, stdout: expect.stringMatching(VERSION.says), stderr: "" };
    expect(await run(programs, VERSION, process.getuid?.() === 0 ? AS_NOBODY : [])).toEqual(expected);
  });

  it.each(["as a user with an id token that is renewed", "the provider refuses", "the plugin fails"])(
    "prints no secret, and sends POST requests only to log in: %s",
    async (name) => {
      const [planned] = runsOf([name]);
      if (planned === undefined) throw new Error(`There is no run ${name}.`);
      await expectNoSecret(programs, planned);
      const asked = [...lab.simulator.requests, ...lab.difficult.requests].map(({ method }) => method);
      expect(asked.filter((method) => method !== "GET")).toEqual([]);
      const posted = lab.difficult.logins.filter(({ method }) => method !== "GET").map(({ path }) => path);
      expect(posted.filter((path) => !/^\/idp[\w-]*\/token$/.test(path))).toEqual([]);
    },
  );
});

it.each(PROGRAMS)("$name contains no path of the machine that built it", ({ programs }) => {
  expect(readFileSync(programs.main).includes(process.cwd())).toBe(false);
});

describe("the executable", () => {
  it("prints no secret of a file that cannot be read, although its parser's messages differ from Node's", async () => {
    const broken = plannedRuns(lab).filter(({ what }) => what.startsWith("input with") && !what.endsWith("--debug"));
    expect(broken.length).toBeGreaterThan(5);
    for (const planned of broken) await expectNoSecret(inject("executable"), planned);
  });
});

describe("the JavaScript file", () => {
  it("prints no secret that an error of a background task contains", async () => {
    for (const planned of plannedRuns(lab))
      if (planned.breaks === "on the side") await expectNoSecret(inject("script"), planned);
  });
});

describe("the sources", () => {
  it("write files only in src/commands/flags/new-file.ts", () => {
    const writing =
      /\b(writeFile|appendFile|createWriteStream|mkdir|mkdtemp|rename|copyFile|symlink|chmod|truncate)(Sync)?\b/;
    const writers = filesBelow("src", /\.ts$/).filter(({ text }) => writing.test(withoutComments(text)));
    expect(writers.map(({ path }) => path)).toEqual(["src/commands/flags/new-file.ts"]);
  });
});
