import manifest from "../../../package.json" with { type: "json" };
import { sentence } from "../../errors.ts";
import {
  type CommandHelp,
  type HelpEntry,
  type HelpGroup,
  renderCommandHelp,
  renderProgramHelp,
} from "../../render/help.ts";
import { type BackoffCommand, columnsOf } from "../base/backoff-command.ts";
import { CONNECTION_FLAGS } from "../flags/connection-flags.ts";
import { KUBELET_FLAGS } from "../flags/flags.ts";
import { forTerminal, standardOutput } from "../terminal/standard-output.ts";

const PROGRAM = {
  summary: manifest.description,
  examples: [
    "# Explain a pod; the word explain may be left out\n  kubectl backoff web-0 -n prod",
    "# List what is down in the current namespace, or in the whole cluster\n  kubectl backoff\n  kubectl backoff list -A",
    "# Explain offline what kubectl printed\n  kubectl get pod web-0 -o json | kubectl backoff -f -",
    "# See what that looks like, without a cluster\n  kubectl backoff demo",
  ],
  usage: ["kubectl backoff", "kubectl backoff COMMAND [flags]", "kubectl backoff POD [flags]"],
  hint:
    'Use "kubectl backoff COMMAND --help" for more information about a given command. ' +
    "kubectl accepts flags only after the plugin's name: kubectl backoff -n prod web-0.",
};

type Commands = Readonly<Record<string, typeof BackoffCommand>>;

/** Prints the help of the command that `argv` begins with, or of the whole program, as wide as the terminal allows. */
export async function printHelp(argv: readonly string[], commands: Commands): Promise<void> {
  const [name = ""] = argv;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const columns = columnsOf(process.stdout);
  const text =
    command === undefined
      ? renderProgramHelp({ ...PROGRAM, commands: summariesOf(commands) }, columns)
      : renderCommandHelp(await commandHelp(name, command), columns);
  standardOutput().write(forTerminal(text));
}

function summariesOf(commands: Commands): [string, string][] {
  return Object.entries(commands).map(([name, { summary }]) => [name, summary]);
}

async function commandHelp(name: string, command: typeof BackoffCommand): Promise<CommandHelp> {
  const { summary, description = "", examples } = command;
  return { summary, description, examples, groups: await groupsOf(command), usage: usageOf(name, command) };
}

/** The command lines that a command takes. */
export function usageOf(name: string, { usage = `${name} [flags]` }: typeof BackoffCommand): string[] {
  return [usage].flat().map((line) => `kubectl backoff ${line.replace("[FLAGS]", "[flags]")}`);
}

type FlagDefinition = (typeof BackoffCommand)["flags"][string];

/** The flags that commands share, below their own. */
const KUBELET_NAMES = Object.keys(KUBELET_FLAGS);
/** What `kubectl options` explains, but for the namespace, which is needed every day, and the timeout, which has another default. */
const GLOBAL_NAMES = Object.keys(CONNECTION_FLAGS).filter((name) => !["namespace", "request-timeout"].includes(name));

async function groupsOf({ args, flags }: typeof BackoffCommand): Promise<HelpGroup[]> {
  const words = Object.entries(args).map(([word, { description = "" }]) => ({
    head: word.toUpperCase(),
    text: sentence(description),
  }));
  const isOwn = (flag: string): boolean => ![...KUBELET_NAMES, ...GLOBAL_NAMES].includes(flag);
  const kubelet = await entriesOf(flags, (flag) => KUBELET_NAMES.includes(flag));
  const global = (await entriesOf(flags, (flag) => GLOBAL_NAMES.includes(flag))).map(({ head }) => head.split("=")[0]);
  return [
    { title: "Arguments:", entries: words },
    { title: "Options:", entries: await entriesOf(flags, isOwn) },
    { title: "Options about the node's kubelet:", entries: kubelet },
    { title: "Global flags of kubectl (see kubectl options):", entries: [], folded: global.map(String) },
  ];
}

/** In the order of the alphabet, as kubectl has it. */
async function entriesOf(
  flags: (typeof BackoffCommand)["flags"],
  isMeant: (flag: string) => boolean,
): Promise<HelpEntry[]> {
  const meant = Object.entries(flags).filter(([name, { hidden }]) => hidden !== true && isMeant(name));
  const sorted = meant.sort(([a], [b]) => a.localeCompare(b, "en"));
  return Promise.all(
    sorted.map(async ([name, flag]) => {
      const short = flag.char === undefined ? "" : `-${flag.char}, `;
      const value = flag.type === "option" ? `=${valueWord(flag)}` : "";
      return { head: `${short}--${name}${value}`, text: await textOf(flag) };
    }),
  );
}

/** What stands for the value of a flag: all of the few that there are, or a word. */
export function valueWord({ options, helpValue }: Extract<FlagDefinition, { type: "option" }>): string {
  return options?.join("|") ?? [helpValue ?? "VALUE"].flat().join(" ");
}

async function textOf(flag: FlagDefinition): Promise<string> {
  const text = sentence(flag.summary ?? flag.description ?? "");
  const value = await defaultOf(flag);
  return typeof value === "string" ? `${text} Default: ${value}.` : text;
}

/** As it would be typed; where a value is parsed, `defaultHelp` says that. */
async function defaultOf(flag: FlagDefinition): Promise<unknown> {
  if (flag.type === "boolean") return undefined;
  const { defaultHelp } = flag;
  return typeof defaultHelp === "function"
    ? defaultHelp({ options: flag, flags: {} }, false)
    : (defaultHelp ?? flag.default);
}
