import { codeOnly, type Import, importsOf, type SourceFile } from "./source-text.ts";

/**
 * Which layer of src may import what: paths from the root, or packages. A pod flows from `cluster` (what was seen) through
 * `explain` (what it means) to `render`; nothing flows back.
 */
const MAY_IMPORT: Readonly<Record<string, readonly RegExp[]>> = {
  backoff: [/^src\/backoff\//],
  kubelet: [/^src\/(kubelet|backoff)\//],
  explain: [/^src\/(explain|kubelet|backoff)\//],
  simulate: [/^src\/(simulate|kubelet|backoff)\//],
  cluster: [
    /^src\/cluster\//,
    /^src\/errors\.ts$/,
    /^src\/explain\/observed\/observation\.ts$/,
    // Kubernetes' own spelling of durations, which is in what the API answers.
    /^src\/kubelet\/go-duration\.ts$/,
    /^node:/,
    /^js-yaml$/,
  ],
  // It knows servers and credentials, and no object of the API.
  "cluster/connection": [
    /^src\/cluster\/connection\//,
    /^src\/cluster\/(input-bytes|parse-cause|timestamp|untrusted)\.ts$/,
    /^src\/errors\.ts$/,
    /^src\/backoff\/jitter-strategies\.ts$/,
    /^node:/,
    /^@kubernetes\/client-node\/dist\/config\.js$/,
    /^(js-yaml|openid-client)$/,
  ],
  // A report is written from objects as the API prints them, by the declarations of their fields.
  report: [
    /^src\/report\//,
    /^src\/cluster\/(objects\/[\w-]+|untrusted)\.ts$/,
    /^src\/explain\/observation\.ts$/,
    /^src\/kubelet\/go-duration\.ts$/,
  ],
  render: [
    /^src\/(render|kubelet)\//,
    /^node:util$/,
    /^string-width$/,
    /^src\/explain\/(explanation|observation)\.ts$/,
    /^cli-table3$/,
    /^d3-(scale|shape)$/,
    /^date-fns\/\w+$/,
    /^js-yaml$/,
  ],
  commands: [
    /^src\//,
    /^package\.json$/,
    /^node:/,
    // The whole of oclif loads for longer than an explanation takes.
    /^@oclif\/core\/(args|errors|flags|parser)$/,
    /^js-yaml$/,
    /^log-update$/,
  ],
  errors: [/^src\/error-(failures|usages|words)\.ts$/],
  "error-failures": [/^src\/error-words\.ts$/],
  "error-usages": [/^src\/error-words\.ts$/],
  "error-words": [],
};

/** Types cost nothing and bind nothing at run time, so these may go further than values. */
const MAY_IMPORT_TYPES: Readonly<Record<string, readonly RegExp[]>> = {
  render: [/^src\/simulate\//, /^src\/explain\/(list|pod-trace|wait-for|watch-predictions)\.ts$/],
  "cluster/connection": [/^@kubernetes\/client-node($|\/dist\/auth\.js$)/, /^src\/explain\/observed\/observation\.ts$/],
  commands: [/^@oclif\/core$/],
};

const PURE = ["backoff", "kubelet", "explain", "simulate", "report", "render"];

const IMPURE: readonly RegExp[] = [
  /\bDate\.now\b/,
  /\bnew Date\b(?!\s*\(\s*[^\s)])/,
  /(?<!new )\bDate\(/,
  /\bMath\.random\b/,
  /\bperformance\./,
  /\bcrypto\./,
  /\b(setTimeout|setInterval|fetch)\(/,
];

const FROM_OUTSIDE: readonly RegExp[] = [/\bprocess\s*(\?\.|[.[])/, /=\s*process\s*;/, /\bconsole\s*(\?\.|[.[])/];

/** The layer that a file of src is in: its folder, or a room with rules of its own; `main.ts` belongs to the commands. */
export function layerOf(path: string): string {
  const [, first = "", second] = path.split("/");
  if (`${first}/${second}` in MAY_IMPORT) return `${first}/${second}`;
  if (second !== undefined) return first;
  return first === "main.ts" ? "commands" : first.replace(/\.ts$/, "");
}

/** What one file of src does that its layer may not, in sentences; empty if all is well. */
export function violationsIn(file: SourceFile): string[] {
  const layer = layerOf(file.path);
  const code = codeOnly(file.text);
  const isPure = PURE.includes(layer);
  return [
    ...importsOf(file).flatMap((imported) => importViolation(file.path, layer, imported)),
    ...found(isPure ? IMPURE : [], code).map((what) => `${file.path}: ${what} in a pure folder`),
    ...found(layer.startsWith("commands") ? [] : FROM_OUTSIDE, code).map(
      (what) => `${file.path}: ${what} outside src/commands`,
    ),
    ...undocumentedExports(file).map((line) => `${file.path}: no doc comment above: ${line}`),
  ];
}

function importViolation(path: string, layer: string, { target, isTypeOnly }: Import): string[] {
  const rules = MAY_IMPORT[layer];
  if (rules === undefined) return [`${path}: src/${layer} is no known layer`];
  const allowed = [...rules, ...(isTypeOnly ? (MAY_IMPORT_TYPES[layer] ?? []) : [])];
  return allowed.some((rule) => rule.test(target)) ? [] : [`${path}: src/${layer} may not import ${target}`];
}

function found(patterns: readonly RegExp[], code: string): string[] {
  return patterns.flatMap((pattern) => pattern.exec(code)?.[0] ?? []);
}

/** Packages that the files import although package.json does not name them. */
export function undeclaredPackages(files: readonly SourceFile[], declared: readonly string[]): string[] {
  const isOurs = (target: string) => /^(src\/|node:|package\.json$)/.test(target);
  return files.flatMap((file) => {
    const packages = importsOf(file).flatMap(({ target }) => (isOurs(target) ? [] : [packageOf(target)]));
    return packages.filter((name) => !declared.includes(name)).map((name) => `${file.path}: ${name}`);
  });
}

function packageOf(specifier: string): string {
  const parts = specifier.split("/");
  return parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}

/** How often `Date.now` is in the files, by path. */
export function clockReadings(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => [...codeOnly(text).matchAll(/\bDate\.now\b/g)].map(() => path));
}

const EXPORTED =
  /^export (?:default )?(?:abstract |async |declare )*(?:class|function\*?|const|let|interface|type(?! *\{)) *(?<name>\w*)/;

/** The first lines of exported declarations without a doc comment right above; re-exports need none. */
function undocumentedExports({ text }: SourceFile): string[] {
  const lines = text.split("\n");
  return lines.filter((line, index) => {
    const name = EXPORTED.exec(line)?.groups?.["name"];
    if (name === undefined) return false;
    const isOverload = lines.slice(0, index).some((earlier) => earlier.startsWith(`export function ${name}(`));
    return !isOverload && !lines[index - 1]?.trimEnd().endsWith("*/");
  });
}

/** Files with more lines than allowed, with their number of lines. */
export function tooLong(files: readonly SourceFile[], mostLines: number): string[] {
  return files.flatMap(({ path, text }) => {
    const lines = text.replace(/\n$/, "").split("\n").length;
    return lines > mostLines ? [`${path}: ${lines} lines`] : [];
  });
}

/** Files that mention one of the words, with the word. */
export function mentions(files: readonly SourceFile[], words: readonly string[]): string[] {
  return files.flatMap(({ path, text }) =>
    words.filter((word) => text.includes(word)).map((word) => `${path}: ${word}`),
  );
}
