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
 * Leaves out the template engine of oclif's help, which the program does not print: it makes code from strings as soon as it is
 * loaded, and the executable refuses that to everybody.
 */
export const withoutTemplates: Plugin = {
  name: "without-templates",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/]ejs[\\/]/ }, () => ({ loader: "js", contents: "module.exports = {};" }));
  },
};

/**
 * Leaves out what client-node's KubeConfig imports for its own way to send requests, by generated classes over fetch: the program
 * sends its requests by node:https. Of the generated code remain the two names that KubeConfig imports; of undici nothing.
 */
export const withoutGeneratedApi: Plugin = {
  name: "without-generated-api",
  setup({ onLoad }) {
    const load = (filter: RegExp, contents: string): void => onLoad({ filter }, () => ({ loader: "js", contents }));
    load(
      /[\\/]@kubernetes[\\/]client-node[\\/]dist[\\/]gen[\\/]index\.js$/,
      'export { createConfiguration } from "./configuration.js"; export { ServerConfiguration } from "./servers.js";',
    );
    load(/[\\/]node_modules[\\/]undici[\\/]index\.js$/, "module.exports = {};");
  },
};
