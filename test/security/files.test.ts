import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { useBuiltProgram } from "../support/built-program.ts";
import { leaksIn } from "../support/canaries/canary.ts";
import { type Lab, startLab } from "../support/canaries/lab.ts";
import type { PlannedRun } from "../support/canaries/planned-run.ts";
import { runAsProcess } from "../support/canaries/run-as-process.ts";
import { plannedRuns } from "../support/canaries/runs.ts";
import { makeSandbox, type Sandbox, withoutRoot } from "../support/canaries/sandbox.ts";
import { filesBelow, withoutComments } from "../support/source-text.ts";

const programs = useBuiltProgram();
let lab: Lab;

beforeAll(async () => {
  lab = await startLab();
});
afterAll(async () => {
  await lab.close();
});

function sandbox(): Sandbox {
  const made = makeSandbox();
  onTestFinished(() => rmSync(made.folder, { recursive: true }));
  return made;
}

/** A folder that everybody can write to. */
function makeOpen(path: string): void {
  mkdirSync(path);
  chmodSync(path, 0o777);
}

const VERSION: PlannedRun = { what: "version", argv: ["version"], exitCode: 0, says: /^kubectl-backoff v/ };
const CACHED = /^600 home\/\.cache\/kubectl-backoff\/(program|completion)-[0-9a-f]{16}-v[\d.]+-\w+-\w+$/;

/** Some of each kind: the others do nothing with files that these do not. */
const SOME = [
  ...["explain -o table", "list -o json", "completion of pods", "as a user with a plugin", "explain -f in html"],
  ...["401: list -A", "the plugin fails: list -A", "kubeconfig with", "a bug in the command: list -A"],
];

describe("files", () => {
  it("are written in the cache folder alone, for nobody else to read, and hold no secret", async () => {
    const { run, listing, contents } = sandbox();
    const before = listing();
    const runs = SOME.flatMap((what) => plannedRuns(lab).find((planned) => planned.what.startsWith(what)) ?? []);
    expect(runs).toHaveLength(SOME.length);
    for (const planned of runs)
      expect((await run(programs, planned)).text).toMatch(planned.breaks ? /./ : planned.says);
    const written = listing().filter((entry) => !before.includes(entry));
    expect(written.filter((entry) => !CACHED.test(entry))).toEqual([
      "700 home/.cache",
      "700 home/.cache/kubectl-backoff",
    ]);
    expect(written.filter((entry) => CACHED.test(entry)).length).toBeGreaterThanOrEqual(3);
    expect(leaksIn(contents())).toEqual([]);
  });

  it("need not be written: a home that is read-only does as well", async () => {
    const { home, run, listing } = sandbox();
    chmodSync(home, 0o555);
    const before = listing();
    expect(await run(programs, VERSION, withoutRoot())).toEqual({
      exitCode: 0,
      text: expect.stringMatching(VERSION.says),
    });
    expect(listing()).toEqual(before);
  });

  it("are not left in part where the disk is full", async () => {
    const { run, listing } = sandbox();
    const limit = ["sh", "-c", 'ulimit -f 1; exec "$@"', "sh"];
    expect(await run(programs, VERSION, limit)).toEqual({ exitCode: 0, text: expect.stringMatching(VERSION.says) });
    expect(listing().filter((entry) => entry.startsWith("600"))).toEqual([]);
  });

  it.each([
    { what: "that everybody can write to", make: makeOpen },
    {
      what: "that is a link to such a folder",
      make: (cache: string) => {
        makeOpen(`${cache}-elsewhere`);
        symlinkSync(`${cache}-elsewhere`, cache);
      },
    },
    { what: "that is a file", make: (cache: string) => writeFileSync(cache, "") },
    { what: "that is a link to nowhere", make: (cache: string) => symlinkSync("/there/is/none", cache) },
  ])("are not put into a cache folder $what, nor taken from it", async ({ make }) => {
    const { home, run, listing } = sandbox();
    const cache = join(home, ".cache", "kubectl-backoff");
    mkdirSync(join(home, ".cache"));
    make(cache);
    const before = listing();
    expect(await run(programs, VERSION)).toEqual({ exitCode: 0, text: expect.stringMatching(VERSION.says) });
    expect(listing()).toEqual(before);
  });

  it.runIf(process.getuid?.() === 0)("are not put into a folder of somebody else's", async () => {
    const { home, run, listing } = sandbox();
    chmodSync(home, 0o777);
    await run(programs, VERSION, withoutRoot());
    const theirs = listing().find((entry) => CACHED.test(entry));
    expect(theirs).toBeDefined();
    await run(programs, VERSION);
    const owners = readdirSync(join(home, ".cache", "kubectl-backoff"), { recursive: true, encoding: "utf8" });
    expect(owners.map((name) => lstatSync(join(home, ".cache", "kubectl-backoff", name)).uid)).toEqual([65_534]);
  });

  it("are written by nothing in the sources but the report that is asked for", () => {
    const writing =
      /\b(writeFile|appendFile|createWriteStream|mkdir|mkdtemp|rename|copyFile|symlink|chmod|truncate)(Sync)?\b/;
    const writers = filesBelow("src", /\.ts$/).filter(({ text }) => writing.test(withoutComments(text)));
    const allowed = ["src/commands/report-file.ts"];
    expect(writers.map(({ path }) => path).filter((path) => !allowed.includes(path))).toEqual([]);
  });
});

describe("as a process", () => {
  const names = [
    "as a user with an id token that is renewed",
    "the provider refuses",
    "a bug on the side",
    "the plugin fails",
  ];

  it.each(names)("no secret is printed, and only logins are posted: %s", async (name) => {
    const run = plannedRuns(lab).find(({ what }) => what.startsWith(name));
    const outcome = await runAsProcess(lab, programs, run as PlannedRun);
    const text = outcome.stdout + outcome.stderr;
    expect(text).toMatch(run?.says ?? /^$/);
    expect(outcome.exitCode).toBe(run?.exitCode);
    expect(leaksIn(text)).toEqual([]);
    const asked = [...lab.simulator.requests, ...lab.difficult.requests].map(({ method }) => method);
    expect(asked.filter((method) => method !== "GET")).toEqual([]);
    const posted = lab.difficult.logins.filter(({ method }) => method !== "GET").map(({ path }) => path);
    expect(posted.filter((path) => !/^\/idp[\w-]*\/token$/.test(path))).toEqual([]);
  });
});
