import { describe, expect, it } from "vitest";
import { nearestWords } from "../../src/commands/argv/misspelled-command.ts";
import { usageErrorOf } from "../../src/commands/argv/usage-error.ts";
import { loadCommands } from "../../src/main.ts";
import { run, stderrOf, stdoutOf } from "../support/command.ts";

const COMMANDS = await loadCommands();
const NO_CONFIG = ["--kubeconfig", "/there/is/none"];

describe("wrong usage", () => {
  it.each([
    {
      line: "explain --namspace prod web-0",
      says: "Unknown flag: --namspace\nDid you mean --namespace? See kubectl backoff explain --help.",
      why: "a misspelled flag",
    },
    {
      line: "web-0 --all=x",
      says: "Unknown flag: --all\nDid you mean --all-namespaces? See kubectl backoff explain --help.",
      why: "the beginning of a flag",
    },
    {
      line: "list --hepl",
      says: "Unknown flag: --hepl\nDid you mean --help? See kubectl backoff list --help.",
      why: "letters in the wrong order",
    },
    {
      line: "demo --xyz",
      says: "Unknown flag: --xyz\nSee kubectl backoff demo --help.",
      why: "a flag that is like none",
    },
    {
      line: "version -Z",
      says: "Unknown flag: -Z\nSee kubectl backoff version --help.",
      why: "a letter: near to a letter is every letter",
    },
    {
      line: "wait -l app=web",
      says: "Unknown flag: -l\nkubectl backoff wait takes one pod. To follow many until they are up: kubectl backoff eta -w -l SELECTOR, or -A.",
      why: "a flag of kubectl wait",
    },
    {
      line: "explain web-0 -n",
      says: "--namespace needs a value.\nPass --namespace NAME. See kubectl backoff explain --help.",
      why: "a missing value",
    },
    {
      line: "explain --context --watch web-0",
      says: "--context needs a value.\nPass --context NAME. See kubectl backoff explain --help.",
      why: "a flag where a value should be",
    },
    {
      line: "demo --color",
      says: "--color needs a value.\nPass auto, always or never. See kubectl backoff demo --help.",
      why: "a missing value of few",
    },
    {
      line: "demo --color=yes",
      says: 'Invalid value "yes" for --color.\nPass auto, always or never.',
      why: "another value than there are",
    },
    {
      line: "wait web-0",
      says: "kubectl backoff wait needs --for.\nPass restart, reset or recovered. See kubectl backoff wait --help.",
      why: "a missing flag",
    },
    {
      line: "wait web-0 --for=condition=Ready",
      says: 'Invalid value "condition=Ready" for --for.\nPass restart, reset or recovered; for conditions: kubectl wait.',
      why: "a condition, which kubectl wait takes",
    },
    {
      line: "demo -o json -o yaml",
      says: "--output is given more than once.\nPass it once.",
      why: "a flag twice",
    },
    {
      line: "demo sidecar healthy",
      says: 'Unexpected argument "healthy".\nUsage: kubectl backoff demo [NAME] [flags].',
      why: "an argument too many",
    },
    {
      line: "version of it",
      says: 'Unexpected arguments "of" and "it".\nUsage: kubectl backoff version [flags].',
      why: "two of them",
    },
    {
      line: "demo --list=maybe",
      says: 'Invalid value "maybe" for --list.\nPass true or false.',
      why: "a switch that is neither on nor off",
    },
    {
      line: "expalin web-0",
      says: 'There is no command "expalin". Did you mean kubectl backoff explain?\nFor a pod of that name: kubectl backoff explain expalin.',
      why: "a misspelled command before a word",
    },
    {
      line: "-n prod Wiat --for restart web-0",
      says: 'There is no command "Wiat". Did you mean kubectl backoff wait?\nFor a pod of that name: kubectl backoff explain Wiat.',
      why: "the same behind flags",
    },
  ])("is told in two lines: $line ($why)", async ({ line, says }) => {
    expect(await stderrOf(line.split(" "), 2)).toBe(`Error: ${says}\n`);
  });

  it("leaves alone what is no error of usage", () => {
    const bug = new TypeError("x is not a function");
    expect(usageErrorOf(bug, "demo", COMMANDS.demo)).toBe(bug);
  });
});

describe("a single word that is nearly a command", () => {
  it("names a pod; if that fails, the command is suggested", async () => {
    const [, hint] = (await stderrOf(["lsit", ...NO_CONFIG], 1)).split("\n");
    expect(hint).toBe("Did you mean the command kubectl backoff list?");
  });

  it.each([["web-0"], ["demo-1"], ["wait1"], ["explain", "lsit"], ["--", "lsit"]])(
    "is none of: %s %s",
    async (...argv) => {
      expect((await run(...NO_CONFIG, ...argv)).stderr).not.toContain("Did you mean");
    },
  );

  it("may be two pods whose names are like no command", async () => {
    expect(await stderrOf(["demo-1", "demo-2", ...NO_CONFIG], 1)).not.toContain("Did you mean");
  });
});

describe("nearestWords()", () => {
  const WORDS = ["demo", "explain", "list", "strategies", "wait"];

  it.each([
    { word: "lst", nearest: ["list"], why: "a letter is missing" },
    { word: "lsit", nearest: ["list"], why: "neighbours are swapped" },
    { word: "explian", nearest: ["explain"], why: "neighbours are swapped" },
    { word: "explan1", nearest: ["explain"], why: "a longer word takes two mistakes" },
    { word: "test", nearest: [], why: "a short one takes one" },
    { word: "web", nearest: [], why: "it is like none" },
    { word: "list", nearest: ["list"], why: "itself" },
  ])("finds $nearest for $word: $why", ({ word, nearest }) => expect(nearestWords(word, WORDS)).toEqual(nearest));
});

describe("a switch with a value", () => {
  it("is on or off", async () => {
    expect(await stdoutOf(["demo", "healthy", "--list=false", "-o", "name"])).toBe("pod/healthy\n");
    expect(await stdoutOf(["demo", "--list=true"])).toContain("healthy");
  });
});
