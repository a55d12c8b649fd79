import { UserError } from "../../errors.ts";
import { jsonCause, yamlCause } from "../objects/causes.ts";
import { type JsonChunk, linesIn, splitJson } from "./json-stream.ts";

/** The values that a text holds, one after the other. */
export interface ParsedText {
  readonly documents: readonly unknown[];
  /** Whether a last, unfinished value was left out: the stream was cut off, or is still being written. */
  readonly cutOff: boolean;
}

/** Aliases cost nothing to load but multiply whatever walks over the result; kubectl never prints one. */
const MOST_ALIASES = 100;

/**
 * Reads JSON (one value, or several one after the other as `kubectl get -w -o json` prints them and NDJSON has them) or YAML
 * (one document or several). `name` is for errors: throws `UserError` badInput with the line, as far as it is known.
 */
export async function parseDocuments(text: string, name: string): Promise<ParsedText> {
  const looksLikeJson = /^\s*[[{]/.test(text);
  // a JSON document can be one of several that `---` separates: that is YAML
  if (looksLikeJson && !/^---/m.test(text)) return parseJson(text, name);
  return { documents: await parseYaml(text, name), cutOff: false };
}

function parseJson(text: string, name: string): ParsedText {
  try {
    return { documents: [JSON.parse(text)], cutOff: false };
  } catch {
    return parseJsonStream(text, name);
  }
}

function parseJsonStream(text: string, name: string): ParsedText {
  const { complete, rest } = splitJson(text);
  const documents = complete.map((chunk) => parseChunk(chunk, name));
  const cutOff = documents.length > 0 && /^[[{]/.test(rest.text);
  if (rest.text !== "" && !cutOff) parseChunk(rest, name);
  return { documents, cutOff };
}

function parseChunk(chunk: JsonChunk, name: string): unknown {
  try {
    return JSON.parse(chunk.text);
  } catch (error) {
    const cause = jsonCause(error);
    const offset = /at position (\d+)/.exec(cause)?.[1];
    const line = chunk.line + linesIn(chunk.text.slice(0, Number(offset ?? 0)));
    const where = offset === undefined ? `in the object that begins on line ${line}` : `line ${line}`;
    throw new UserError("badInput", name, `${where}: ${cause}`);
  }
}

/** Loaded only when there is YAML: most input is JSON. */
async function parseYaml(text: string, name: string): Promise<readonly unknown[]> {
  const { loadAll } = await import("js-yaml");
  try {
    return loadAll(text, { maxAliases: MOST_ALIASES });
  } catch (error) {
    throw new UserError("badInput", name, yamlCause(error));
  }
}
