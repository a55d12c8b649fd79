import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** `target`: a relative specifier is resolved to a path from the root. */
interface Import {
  readonly target: string;
  readonly isTypeOnly: boolean;
  /** `import()`, which does not run when the file is loaded. */
  readonly isDeferred: boolean;
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Every matching file below a folder of the repository, sorted; none if there is no such folder. */
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
  /^\s*(?:import|export)\s+(?<type>type\s+)?(?<clause>[\w$*{][^"';]*?)\bfrom\s*["'](?<from>[^"']+)["']|^\s*import\s*["'](?<bare>[^"']+)["']|\bimport\(\s*["'](?<dynamic>[^"']+)["']/gm;

/** Static imports, imports for effects, and `import()`. */
export function importsOf({ path, text }: SourceFile): Import[] {
  return [...withoutComments(text).matchAll(IMPORT)].map(({ groups }) => {
    const specifier = groups?.["from"] ?? groups?.["bare"] ?? groups?.["dynamic"] ?? "";
    const isRelative = specifier.startsWith(".");
    const target = isRelative ? posix.join(posix.dirname(path), specifier) : specifier;
    const isTypeOnly = groups?.["type"] !== undefined || isListOfTypes(groups?.["clause"] ?? "");
    return { target, isTypeOnly, isDeferred: groups?.["dynamic"] !== undefined };
  });
}

function isListOfTypes(clause: string): boolean {
  const names = /^\{(?<names>[^}]*)\}\s*$/.exec(clause)?.groups?.["names"];
  const parts = names?.split(",").filter((part) => part.trim() !== "") ?? [];
  return parts.length > 0 && parts.every((part) => /^\s*type\s/.test(part));
}

const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:"'\\])\/\/[^\n]*/;
const QUOTED = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/;
const REGEXP = /(?<=[(,=:[!&|?{};]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/;
const TEMPLATE = /`(?:\\[\s\S]|\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}|[^`\\])*`/;
const SPAN = new RegExp([COMMENT, QUOTED, REGEXP, TEMPLATE].map((span) => span.source).join("|"), "g");

/** The code with blank comments. */
export function withoutComments(text: string): string {
  return text.replaceAll(SPAN, (span) => (/^\/[*/]/.test(span) ? blank(span) : span));
}

/** The code with blank comments and texts; code inside templates stays. */
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
