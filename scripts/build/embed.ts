import { readdirSync, readFileSync } from "node:fs";
import type { Plugin } from "esbuild";
import { COMMAND_SHAPES } from "../../src/commands/argv/command-shapes.ts";
import { COMMAND_TABLE } from "../../src/commands/completion/command-table.ts";

/** Puts the recordings into the program, in the place of the module that reads them from their folder. */
export const embedExamples: Plugin = {
  name: "embed-examples",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/]cluster[\\/]files[\\/]example-files\.ts$/ }, () => {
      const files = readdirSync("examples").filter((file) => /\.json(\.gz)?$/.test(file));
      const embedded = Object.fromEntries(files.map((file) => [file, readFileSync(`examples/${file}`, "base64")]));
      return { loader: "js", contents: moduleWith(embedded) };
    });
  },
};

function moduleWith(files: Readonly<Record<string, string>>): string {
  return `
    import { gunzipSync } from "node:zlib";
    const FILES = ${JSON.stringify(files)};
    export function readExample(file) {
      const bytes = Buffer.from(FILES[file], "base64");
      return (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
    }`;
}

/** Puts what can be typed into the program, which then need not load the commands to know. */
export const embedCommands: Plugin = {
  name: "embed-commands",
  setup({ onLoad }) {
    const embed = (filter: RegExp, name: string, value: unknown): void =>
      onLoad({ filter }, () => ({ loader: "js", contents: `export const ${name} = ${JSON.stringify(value)};` }));
    embed(/[\\/]src[\\/]commands[\\/]completion[\\/]command-table\.ts$/, "COMMAND_TABLE", COMMAND_TABLE);
    embed(/[\\/]src[\\/]commands[\\/]argv[\\/]command-shapes\.ts$/, "COMMAND_SHAPES", COMMAND_SHAPES);
  },
};

/**
 * Leaves out what libraries load and the program never calls, because it takes longer to load than an explanation takes:
 * - oclif's help: the program prints its own. Its template engine makes code from strings as soon as it is loaded, and the
 *   executable refuses that to everybody. Nor does oclif print errors here, whose lines it would wrap.
 * - What the KubeConfig of client-node has for generated classes over fetch: the program sends its requests by node:https.
 * - Its authenticators: the program gives it users whose plugin or provider is one of our own, which those would pass over.
 * The client of socks5 proxies is loaded when it is first called.
 */
export const withoutUncalled: Plugin = {
  name: "without-uncalled",
  setup({ onLoad }) {
    const put = (filter: RegExp, contents: string, except = /^$/): void =>
      onLoad({ filter }, ({ path }) => (except.test(path) ? undefined : { loader: "js", contents }));
    put(/[\\/]@oclif[\\/]core[\\/]lib[\\/](help[\\/]index|parser[\\/]help)\.js$/, "module.exports = {};");
    put(/[\\/]node_modules[\\/]wrap-ansi[\\/]index\.js$/, "module.exports = {};", /[\\/]log-update[\\/]/);
    put(/[\\/]node_modules[\\/]undici[\\/]index\.js$/, "module.exports = {};");
    put(/[\\/]node_modules[\\/]socks[\\/]build[\\/]index\.js$/, SOCKS);
    const inClient = (file: string): RegExp => new RegExp(`[\\\\/]client-node[\\\\/]dist[\\\\/]${file}\\.js$`);
    put(
      inClient("gen[\\\\/]index"),
      'export { createConfiguration } from "./configuration.js"; export { ServerConfiguration } from "./servers.js";',
    );
    for (const [file, name] of AUTHENTICATORS)
      put(inClient(file), `export class ${name} { isAuthProvider() { return false; } }`);
  },
};

const SOCKS = `
  exports.SocksClient = { createConnection: (...args) => require("./client/socksclient").SocksClient.createConnection(...args) };`;

/** The modules of client-node's own authenticators, and what each exports. */
const AUTHENTICATORS = [
  ["azure_auth", "AzureAuth"],
  ["exec_auth", "ExecAuth"],
  ["file_auth", "FileAuth"],
  ["gcp_auth", "GoogleCloudPlatformAuth"],
  ["oidc_auth", "OpenIDConnectAuth"],
] as const;
