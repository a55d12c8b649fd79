import { UserError } from "../../errors.ts";
import { jsonCause, yamlCause } from "../objects/error-text.ts";
import { placesInJson } from "../objects/json-access.ts";
import { type DumpedLog, withoutLogs } from "./dumped-logs.ts";

export interface ParsedText {
  readonly documents: readonly unknown[];
  /**
   * Whether the text is several JSON values, and ends inside the last value, an object or array. `documents` lacks the
   * last value.
   */
  readonly cutOff: boolean;
  readonly logs: readonly DumpedLog[];
}

/** YAML aliases can multiply the work of functions that walk the result. */
const MOST_ALIASES = 100;

export async function parseDocuments(text: string, name: string): Promise<ParsedText> {
  if (/^\s*<!doctype html/i.test(text)) return { ...parseJson(dataIn(text, name), name), logs: [] };
  const command = guessedCommand(text);
  if (command !== null) throw new UserError("textForPeople", name, command);
  const { rest, logs } = withoutLogs(text);
  const looksLikeJson = /^\s*[[{]/.test(rest);
  // JSON documents with `---` between them are YAML.
  if (looksLikeJson && !/^---/m.test(rest)) return { ...parseJson(rest, name), logs };
  return { documents: await parseYaml(rest, name), cutOff: false, logs };
}

function guessedCommand(text: string): "describe" | "get" | null {
  const [first = "", second = ""] = text.slice(0, 10_000).trimStart().split(/\r?\n/);
  if (/^Name: {2,}\S/.test(first) && /^[A-Z][\w ]*: {2,}/.test(second)) return "describe";
  const isTable =
    /^(NAMESPACE +)?(NAME|LAST SEEN) +[A-Z]/.test(first) || /^(\S+ +)?\S+ +\d+\/\d+ +[A-Z]\w+ +\d/.test(first);
  return isTable ? "get" : null;
}

function dataIn(page: string, name: string): string {
  const [, data] = /<script type="application\/json" id="catch">([\s\S]*?)<\/script>/.exec(page) ?? [];
  if (data !== undefined) return data;
  throw new UserError(
    "badInput",
    name,
    "it is a web page, and only those of kubectl backoff catch hold what can be explained",
  );
}

function parseJson(text: string, name: string): Omit<ParsedText, "logs"> {
  try {
    return { documents: [JSON.parse(text)], cutOff: false };
  } catch {
    return parseJsonStream(text, name);
  }
}

function parseJsonStream(text: string, name: string): Omit<ParsedText, "logs"> {
  const { complete, rest } = splitJson(text);
  const parse = (chunk: JsonChunk): unknown => {
    try {
      return JSON.parse(chunk.text);
    } catch (error) {
      const cause = jsonCause(error);
      const offset = /at position (\d+)/.exec(cause)?.[1];
      const line = lineAt(text, chunk.first + Number(offset ?? 0));
      const where = offset === undefined ? `in the object that begins on line ${line}` : `line ${line}`;
      throw new UserError("badInput", name, `${where}: ${cause}`);
    }
  };
  const documents = complete.map(parse);
  const cutOff = documents.length > 0 && /^[[{]/.test(rest.text);
  if (rest.text !== "" && !cutOff) parse(rest);
  return { documents, cutOff };
}

async function parseYaml(text: string, name: string): Promise<readonly unknown[]> {
  // Imported late, because JSON does not need it.
  const { loadAll } = await import("js-yaml");
  try {
    return loadAll(text, { maxAliases: MOST_ALIASES });
  } catch (error) {
    throw new UserError("badInput", name, yamlCause(error));
  }
}

interface JsonChunk {
  readonly text: string;
  readonly first: number;
}

interface JsonChunks {
  readonly complete: readonly JsonChunk[];
  readonly rest: JsonChunk;
}

/** Stray text before a value stays in the chunk of that value. `JSON.parse` then fails on the chunk, with the place. */
export function splitJson(text: string): JsonChunks {
  const complete: JsonChunk[] = [];
  let start = 0;
  const chunkTo = (end: number): JsonChunk => {
    const chunk = text.slice(start, end).trimStart();
    start = end;
    return { text: chunk, first: end - chunk.length };
  };
  for (const { end } of placesInJson(text)) complete.push(chunkTo(end));
  return { complete, rest: chunkTo(text.length) };
}

function lineAt(text: string, end: number): number {
  let line = 1;
  for (let index = text.indexOf("\n"); index !== -1 && index < end; index = text.indexOf("\n", index + 1)) line++;
  return line;
}
