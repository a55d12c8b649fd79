import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type Command, type Interfaces, Plugin } from "@oclif/core";
import manifest from "../../package.json" with { type: "json" };

/** What `kubectl backoff` alone says. */
const INTRODUCTION = `# Explain a pod; the word explain may be left out
  kubectl backoff web-0 -n prod
# Explain offline what kubectl printed
  kubectl get pod web-0 -o json | kubectl backoff -f -
# See what that looks like, without a cluster
  kubectl backoff demo
# Read more of a command and its flags
  kubectl backoff explain --help`;

/**
 * The commands as oclif takes them: loaded already, and package.json with them. oclif would otherwise look for files, and the
 * program is also built into one file that has none beside it.
 */
export async function commandPlugin(commands: Readonly<Record<string, Command.Class>>): Promise<Interfaces.Plugin> {
  const root = dirname(fileURLToPath(import.meta.url));
  const description = `${manifest.description}\n${INTRODUCTION}`;
  const oclif = { ...manifest.oclif, description, topicSeparator: " " as const, additionalHelpFlags: ["-h"] };
  const pjson: Interfaces.PJSON = { ...manifest, oclif };
  const plugin = new Plugin({ root, pjson, isRoot: true, ignoreManifest: true });
  await plugin.load();
  plugin.commands = Object.entries(commands).map(([id, command]) => loaded(id, command));
  return plugin;
}

function loaded(id: string, command: Command.Class): Command.Loadable {
  command.id = id;
  const { summary, description, usage, examples } = command;
  return {
    id,
    ...{ summary, description, usage, examples },
    args: withNames(command.args),
    flags: withNames(command.flags),
    aliases: [],
    hiddenAliases: [],
    hidden: false,
    load: async () => command,
  };
}

/** oclif's help needs every name in its definition, where only its parser puts it. */
function withNames<T extends object>(definitions: Readonly<Record<string, T>>): Record<string, T & { name: string }> {
  return Object.fromEntries(Object.entries(definitions).map(([name, definition]) => [name, { ...definition, name }]));
}
