import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type Command, type Interfaces, Plugin, run } from "@oclif/core";
import manifest from "../../package.json" with { type: "json" };
import type { BackoffCommand } from "./backoff-command.ts";

/** What `kubectl backoff` alone says. */
const INTRODUCTION = `# Explain a pod; the word explain may be left out
  kubectl backoff web-0 -n prod
# Explain offline what kubectl printed
  kubectl get pod web-0 -o json | kubectl backoff -f -
# See what that looks like, without a cluster
  kubectl backoff demo
# Read more of a command and its flags
  kubectl backoff explain --help`;

type Commands = Readonly<Record<string, typeof BackoffCommand>>;

/** Prints the help that oclif makes for `argv`: of the command that it begins with, or of the whole program. */
export async function printHelp(argv: readonly string[], commands: Commands): Promise<void> {
  const plugin = await commandPlugin(commands);
  const { root, pjson } = plugin;
  await run([...argv], { root, pjson, plugins: new Map([[plugin.name, plugin]]) });
}

/**
 * The commands as oclif takes them: loaded already, and package.json with them. oclif would otherwise look for files, and the
 * program is also built into one file that has none beside it.
 */
async function commandPlugin(commands: Commands): Promise<Interfaces.Plugin> {
  const root = dirname(fileURLToPath(import.meta.url));
  const description = `${manifest.description}\n${INTRODUCTION}`;
  const oclif = { ...manifest.oclif, description, topicSeparator: " " as const, additionalHelpFlags: ["-h"] };
  const pjson: Interfaces.PJSON = { ...manifest, oclif };
  const plugin = new Plugin({ root, pjson, isRoot: true, ignoreManifest: true });
  await plugin.load();
  plugin.commands = Object.entries(commands).map(([id, command]) => helpOf(id, command));
  return plugin;
}

function helpOf(id: string, command: typeof BackoffCommand): Command.Loadable {
  const { summary, description, usage, examples } = command;
  return {
    id,
    ...{ summary, description, usage, examples },
    args: withNames(command.args),
    flags: withNames(command.flags),
    aliases: [],
    hiddenAliases: [],
    hidden: false,
    load: () => Promise.reject(new Error("oclif only explains the commands, it does not run them")),
  };
}

/** oclif's help needs every name in its definition, where only its parser puts it. */
function withNames<T extends object>(definitions: Readonly<Record<string, T>>): Record<string, T & { name: string }> {
  return Object.fromEntries(Object.entries(definitions).map(([name, definition]) => [name, { ...definition, name }]));
}
