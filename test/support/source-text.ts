import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Returns no file if there is no such folder. */
export function filesBelow(folder: string, pattern: RegExp): SourceFile[] {
  let names: string[];
  try {
    names = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length).replaceAll("\\", "/"));
  } catch {
    return [];
  }
  const wanted = names.filter((path) => pattern.test(path)).sort();
  return wanted.map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));
}

const IMPORT =
  /^\s*(?:import|export)\s+(?:[\w$*{][^"';]*?\bfrom\s*)?["'](?<static>[^"']+)["']|\bimport\(\s*["'](?<dynamic>[^"']+)["']/gm;

/** Counts imports of types and `import()`, too. Relative imports become paths from the root of the repository. */
export function importsOf({ path, text }: SourceFile): string[] {
  return [...withoutComments(text).matchAll(IMPORT)].map(({ groups }) => {
    const specifier = groups?.["static"] ?? groups?.["dynamic"] ?? "";
    return specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : specifier;
  });
}

const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:"'\\])\/\/[^\n]*/;
const QUOTED = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/;
const REGEXP = /(?<=[(,=:[!&|?{};]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/;
const TEMPLATE = /`(?:\\[\s\S]|\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}|[^`\\])*`/;
const SPAN = new RegExp([COMMENT, QUOTED, REGEXP, TEMPLATE].map((span) => span.source).join("|"), "g");

export function withoutComments(text: string): string {
  return text.replaceAll(SPAN, (span) => (/^\/[*/]/.test(span) ? blank(span) : span));
}

/** Blanks comments, strings and regular expressions. Keeps the code in `${}` of templates. */
export function codeOnly(text: string): string {
  return text.replaceAll(SPAN, (span) => {
    if (!span.startsWith("`")) return blank(span);
    return [...span.matchAll(/\$\{((?:[^{}`]|`[^`]*`|\{[^{}]*\})*)\}/g)]
      .map(([, code]) => codeOnly(code ?? ""))
      .join("\n");
  });
}

function blank(span: string): string {
  return `""${span.replaceAll(/[^\n]/g, "")}`;
}
