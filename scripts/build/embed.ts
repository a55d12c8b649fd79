import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Plugin } from "esbuild";
import { COMMAND_TABLE } from "../../src/commands/completion/command-table.ts";

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

/** Embeds the table of commands and flags, so that the program need not load the commands to know them. */
export const embedCommands: Plugin = {
  name: "embed-commands",
  setup({ onLoad }) {
    const contents = `export const COMMAND_TABLE = ${JSON.stringify(COMMAND_TABLE)};`;
    onLoad({ filter: /[\\/]src[\\/]commands[\\/]completion[\\/]command-table\.ts$/ }, () => ({
      loader: "js",
      contents,
    }));
  },
};

const OCLIF_FLAGS_AND_ERRORS = /[\\/]@oclif[\\/]core[\\/]lib[\\/](flags|errors[\\/]handle|parser[\\/]help)\.js$/;

/**
 * Leaves out what libraries import and the program never calls. When ejs is loaded, it makes code from a string, which
 * the executable forbids.
 */
export const withoutUncalled: Plugin = {
  name: "without-uncalled",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(ejs|typescript|undici)$/ }, ({ path }) => ({ path, namespace: "uncalled" }));
    onResolve({ filter: /^\.\.?[\\/](help(\/index)?|ux)$/ }, ({ path, importer }) =>
      OCLIF_FLAGS_AND_ERRORS.test(importer) ? { path, namespace: "uncalled" } : undefined,
    );
    onLoad({ filter: /^/, namespace: "uncalled" }, () => ({ loader: "js", contents: "module.exports = {};" }));
  },
};

/**
 * Leaves out client-node's generated classes. KubeConfig imports only `createConfiguration` and `ServerConfiguration`
 * from their index.
 */
export const withoutGeneratedClasses: Plugin = {
  name: "without-generated-classes",
  setup({ onLoad }) {
    const contents = 'export * from "./configuration.js"; export * from "./servers.js";';
    onLoad({ filter: /[\\/]client-node[\\/]dist[\\/]gen[\\/]index\.js$/ }, ({ path }) => {
      return { loader: "js", contents, resolveDir: dirname(path) };
    });
  },
};
