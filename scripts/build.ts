import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build, type Plugin } from "esbuild";
import { COMMAND_TABLE } from "../src/commands/completion/command-table.ts";

/** One file that needs nothing but Node: it can be copied anywhere in PATH. Another place may be given as argument. */
const OUTPUT = process.argv[2] ?? "dist/kubectl-backoff";
/** Another one beside it, which kubectl knows by this name. */
const COMPLETION = join(dirname(OUTPUT), "kubectl_complete-backoff");

/** What an older Node does: the program says what it needs, the completion completes nothing. */
const TOO_OLD = {
  program: `console.error("Error: kubectl-backoff needs Node.js 22.20 or newer, and this is " + process.version + ". Install a newer one.");
  process.exit(1);`,
  completion: `console.log(":4");
  process.exit(0);`,
} as const;

/** Before all else, in a syntax that every Node with modules knows; the rest is what bundled CommonJS expects to find. */
const bannerOf = (kind: keyof typeof TOO_OLD): string => `#!/usr/bin/env node
import { createRequire as __createRequire } from "node:module";
import { fileURLToPath as __fileURLToPath } from "node:url";
const [__major, __minor] = process.versions.node.split(".").map(Number);
if (__major < 22 || (__major === 22 && __minor < 20)) {
  ${TOO_OLD[kind]}
}
const require = __createRequire(import.meta.url);
const __filename = __fileURLToPath(import.meta.url);
const __dirname = __fileURLToPath(new URL(".", import.meta.url));
`;

/** Puts the recordings into the program, in the place of the module that reads them from their folder. */
const embedExamples: Plugin = {
  name: "embed-examples",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/]cluster[\\/]example-files\.ts$/ }, () => {
      const files = readdirSync("examples").filter((file) => /\.json(\.gz)?$/.test(file));
      const embedded = Object.fromEntries(files.map((file) => [file, readFileSync(`examples/${file}`, "base64")]));
      return { loader: "js", contents: embeddedModule(embedded) };
    });
  },
};

function embeddedModule(files: Readonly<Record<string, string>>): string {
  return `
    import { gunzipSync } from "node:zlib";
    const FILES = ${JSON.stringify(files)};
    export function readExample(file) {
      const bytes = Buffer.from(FILES[file], "base64");
      return (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
    }`;
}

/**
 * Of @kubernetes/client-node only the reading of credentials is used. Its generated API and undici come with that, are never
 * called, and would make up four fifths of the program and most of its start.
 */
const withoutApiClient: Plugin = {
  name: "without-api-client",
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^@kubernetes\/client-node$/ }, ({ resolveDir, kind }) =>
      resolve("@kubernetes/client-node/dist/config.js", { resolveDir, kind }),
    );
    onResolve({ filter: /^undici$|^\.\/gen\/index\.js$/ }, ({ path, importer }) =>
      importer.includes("client-node") ? { path, namespace: "unused" } : null,
    );
    onLoad({ filter: /.*/, namespace: "unused" }, () => ({ contents: "module.exports = {};" }));
  },
};

/** Puts what can be typed into the completion, which then need not load the commands to know. */
const embedCommandTable: Plugin = {
  name: "embed-command-table",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/]commands[\\/]completion[\\/]command-table\.ts$/ }, () => ({
      loader: "js",
      contents: `export const COMMAND_TABLE = ${JSON.stringify(COMMAND_TABLE)};`,
    }));
  },
};

interface Executable {
  readonly kind: keyof typeof TOO_OLD;
  readonly entryPoint: string;
  readonly outfile: string;
  /** The imports of Node's own modules stand at the top of "esm"; in "cjs" they are loaded when their module is. */
  readonly format: "esm" | "cjs";
}

async function makeExecutable({ kind, entryPoint, outfile, format }: Executable): Promise<void> {
  await build({
    entryPoints: [entryPoint],
    outfile,
    format,
    bundle: true,
    minify: true,
    platform: "node",
    target: "node22",
    banner: { js: bannerOf(kind) },
    legalComments: "none",
    plugins: [embedExamples, withoutApiClient, embedCommandTable],
  });
  chmodSync(outfile, 0o755);
}

await makeExecutable({ kind: "program", entryPoint: "bin/main.js", outfile: OUTPUT, format: "esm" });
await makeExecutable({ kind: "completion", entryPoint: "bin/complete.js", outfile: COMPLETION, format: "cjs" });
