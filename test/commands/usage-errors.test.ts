import { describe, expect, it } from "vitest";
import { nearestWords } from "../../src/commands/argv/misspelled-command.ts";
import { usageErrorOf } from "../../src/commands/argv/usage-error.ts";
import { loadCommands } from "../../src/commands/commands.ts";
import { run, stderrOf, stdoutOf } from "../support/command.ts";

const COMMANDS = await loadCommands();
const NO_CONFIG = ["--kubeconfig", "/there/is/none"];

const see = (command: string): string => `See kubectl backoff ${command} --help.`;
const ONE_POD =
  "kubectl backoff wait takes one pod. To follow many until they are up: kubectl backoff eta -w -l SELECTOR, or -A.";
const GOALS = "Pass restart, reset or recovered";

const FORMS = "Pass table, wide, json, yaml, svg, html, md or name";
const EVERYTHING_DOWN = "For everything that is down: kubectl backoff list; a pod of that name is";
const verbSays = (verb: string, better: string): string =>
  `kubectl backoff has no command "${verb}".\nUse ${better}; for a pod of that name: kubectl backoff explain ${verb}.`;

describe("wrong usage", () => {
  it.each([
    ["explain --namspace prod web-0", `Unknown flag: --namspace\nDid you mean --namespace? ${see("explain")}`],
    ["web-0 --all=x", `Unknown flag: --all\nDid you mean --all-namespaces? ${see("explain")}`],
    ["list --hepl", `Unknown flag: --hepl\nDid you mean --help? ${see("list")}`],
    ["demo --xyz", `Unknown flag: --xyz\n${see("demo")}`],
    ["version -Z", `Unknown flag: -Z\n${see("version")}`],
    ["wait -l app=web", `Unknown flag: -l\n${ONE_POD}`],
    ["explain web-0 -n", `--namespace needs a value.\nPass --namespace NAME. ${see("explain")}`],
    ["explain --context --watch web-0", `--context needs a value.\nPass --context NAME. ${see("explain")}`],
    ["demo --color", `--color needs a value.\nPass auto, always or never. ${see("demo")}`],
    ["demo --color=yes", 'Invalid value "yes" for --color.\nPass auto, always or never.'],
    ["wait web-0", `kubectl backoff wait needs --for.\n${GOALS}. ${see("wait")}`],
    [
      "wait web-0 --for=condition=Ready",
      `Invalid value "condition=Ready" for --for.\n${GOALS}; for conditions: kubectl wait.`,
    ],
    ["demo -o json -o yaml", "--output is given more than once.\nPass it once."],
    ["demo sidecar healthy", 'Unexpected argument "healthy".\nUsage: kubectl backoff demo [NAME] [flags].'],
    ["version of it", 'Unexpected arguments "of" and "it".\nUsage: kubectl backoff version [flags].'],
    ["demo --list=maybe", 'Invalid value "maybe" for --list.\nPass true or false.'],
    ["get pod web-0", verbSays("get", "kubectl backoff explain pod web-0")],
    ["get pods", verbSays("get", "kubectl backoff list")],
    ["get -n prod pods", verbSays("get", "kubectl backoff list")],
    ["set image deploy/web app=web:2", verbSays("set", "kubectl set")],
    ["certificate approve web", verbSays("certificate", "kubectl certificate")],
    ["uncordon node-a", verbSays("uncordon", "kubectl uncordon")],
    ["kuberc view", verbSays("kuberc", "kubectl kuberc")],
    [
      "wait deploy --for=restart",
      `"deploy" is a type and needs a name: deployment/NAME.\n${EVERYTHING_DOWN} pod/deploy.`,
    ],
    ["web-0 --exit-code=4", 'Invalid value "4" for --exit-code.\nPass any, or no value.'],
    ["eta -w -f x", "--watch can't be combined with -f.\nA watch follows a cluster, and prints a table or json."],
    [
      "demo -o jsonpath={.x}",
      `There is no output format "jsonpath={.x}".\n${FORMS}; for single values, pipe -o json into jq.`,
    ],
    ["simulate -c app", "-c needs a pod.\nName it: kubectl backoff simulate POD -c NAME."],
    [
      "simulate --compare default,max=400s",
      'Invalid value "max=400s" for --compare.\nPass max= and a duration from 1s to 300s, such as 60s or 2m.',
    ],
    [
      "simulate --compare v1.30+max=60s",
      'Invalid value "v1.30+max=60s" for --compare.\nPass v1.32 or newer with it: v1.30 has no maxContainerRestartPeriod.',
    ],
    [
      "simulate --kubelet-version v1.32 --max-restart-period 60s --reduced-decay",
      'Invalid value "true" for --reduced-decay.\nPass v1.33 or newer with it: v1.32 has no ReduceDefaultCrashLoopBackOffDecay.',
    ],
    ["help foo", 'There is no command "foo".\nkubectl backoff --help names all of them.'],
    ["help lsit", 'There is no command "lsit".\nDid you mean list? kubectl backoff --help names all of them.'],
    ["-n prod help web-0", 'There is no command "web-0".\nkubectl backoff --help names all of them.'],
    ["explain -", '"-" is the name of a file, not of a pod.\nDid you mean -f -?'],
    [
      "expalin web-0",
      'There is no command "expalin". Did you mean kubectl backoff explain?\nFor a pod of that name: kubectl backoff explain expalin.',
    ],
    [
      "-n prod Wiat --for restart web-0",
      'There is no command "Wiat". Did you mean kubectl backoff wait?\nFor a pod of that name: kubectl backoff explain Wiat.',
    ],
  ])("is an error of two lines: %s", async (line, says) => {
    expect(await stderrOf(line.split(" "), 2)).toBe(`Error: ${says}\n`);
  });

  it("returns other errors as they are", () => {
    const bug = new TypeError("x is not a function");
    expect(usageErrorOf(bug, "demo", COMMANDS.demo)).toBe(bug);
  });
});

describe("a single word that is nearly a command", () => {
  it("is read as a pod's name, and the command is suggested if that fails", async () => {
    const [, hint] = (await stderrOf(["lsit", ...NO_CONFIG], 1)).split("\n");
    expect(hint).toBe("Did you mean the command kubectl backoff list?");
  });

  it("is an error with a suggestion if the flags do not fit a pod", async () => {
    expect(await stderrOf(["lsit", "-A"], 2)).toContain("Did you mean the command kubectl backoff list?");
  });

  it.each([["web-0"], ["demo-1"], ["wait1"], ["explain", "lsit"], ["--", "lsit"]])(
    "is not suspected in: %s %s",
    async (...argv) => {
      expect((await run(...NO_CONFIG, ...argv)).stderr).not.toContain("Did you mean");
    },
  );

  it("is not suspected in two names that are like no command", async () => {
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
    { word: "test", nearest: [], why: "a short word takes one mistake" },
    { word: "web", nearest: [], why: "no word is like it" },
    { word: "list", nearest: ["list"], why: "the word is known" },
  ])("finds $nearest for $word: $why", ({ word, nearest }) => expect(nearestWords(word, WORDS)).toEqual(nearest));
});

describe("a switch with a value", () => {
  it("is on or off", async () => {
    expect(await stdoutOf(["demo", "healthy", "--list=false", "-o", "name"])).toBe("pod/healthy\n");
    expect(await stdoutOf(["demo", "--list=true"])).toContain("healthy");
  });
});
