import manifest from "../../../package.json" with { type: "json" };
import { sentence } from "../../errors.ts";
import { type HelpEntry, type HelpGroup, renderCommandHelp, renderProgramHelp } from "../../render/help.ts";
import { type BackoffCommand, columnsOf } from "../base/backoff-command.ts";
import { CONNECTION_FLAGS } from "../flags/connection-flags.ts";
import { KUBELET_FLAGS, valuePlaceholder } from "../flags/flags.ts";
import { forTerminal, print } from "../terminal/standard-output.ts";

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

export async function printHelp(name: string, commands: Commands): Promise<void> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const columns = columnsOf(process.stdout);
  if (command === undefined) {
    const summaries = Object.entries(commands).map(([known, { summary }]) => [known, summary] as const);
    void print(forTerminal(renderProgramHelp({ ...PROGRAM, commands: summaries }, columns)));
    return;
  }
  const { summary, description = "", examples } = command;
  const help = { summary, description, examples, groups: await groupsOf(command), usage: usageOf(name, command) };
  void print(forTerminal(renderCommandHelp(help, columns)));
}

export function usageOf(name: string, { usage = `${name} [flags]` }: typeof BackoffCommand): string[] {
  return [usage].flat().map((line) => `kubectl backoff ${line.replace("[FLAGS]", "[flags]")}`);
}

type FlagDefinition = (typeof BackoffCommand)["flags"][string];

const KUBELET_NAMES = Object.keys(KUBELET_FLAGS);
/** --namespace has a description because users need it often, --request-timeout because kubectl's default differs. */
const NAMES_WITHOUT_DESCRIPTION = Object.keys(CONNECTION_FLAGS).filter(
  (name) => !["namespace", "request-timeout"].includes(name),
);

async function groupsOf({ args, flags }: typeof BackoffCommand): Promise<HelpGroup[]> {
  const words = Object.entries(args).map(([word, { description = "" }]) => ({
    head: word.toUpperCase(),
    text: sentence(description),
  }));
  const isOwn = (flag: string): boolean => ![...KUBELET_NAMES, ...NAMES_WITHOUT_DESCRIPTION].includes(flag);
  const kubelet = await entriesOf(flags, (flag) => KUBELET_NAMES.includes(flag));
  const others = await entriesOf(flags, (flag) => NAMES_WITHOUT_DESCRIPTION.includes(flag));
  const folded = others.map(({ head }) => String(head.split("=")[0]));
  return [
    { title: "Arguments:", entries: words },
    { title: "Options:", entries: await entriesOf(flags, isOwn) },
    { title: "Options about the node's kubelet:", entries: kubelet },
    { title: "Global flags of kubectl (see kubectl options):", entries: [], folded },
  ];
}

async function entriesOf(
  flags: (typeof BackoffCommand)["flags"],
  isMeant: (flag: string) => boolean,
): Promise<HelpEntry[]> {
  const meant = Object.entries(flags).filter(([name, { hidden }]) => hidden !== true && isMeant(name));
  const sorted = meant.sort(([a], [b]) => a.localeCompare(b, "en"));
  return Promise.all(
    sorted.map(async ([name, flag]) => {
      const short = flag.char === undefined ? "" : `-${flag.char}, `;
      const value = valuePlaceholder(flag);
      return { head: `${short}--${name}${value && `=${value}`}`, text: await textOf(flag) };
    }),
  );
}

async function textOf(flag: FlagDefinition): Promise<string> {
  const text = sentence(flag.description ?? "");
  if (flag.type === "boolean") return text;
  const value =
    typeof flag.defaultHelp === "function" ? await flag.defaultHelp({ options: flag, flags: {} }) : flag.default;
  return typeof value === "string" ? `${text} Default: ${value}.` : text;
}
