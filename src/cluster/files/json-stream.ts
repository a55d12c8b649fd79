/** A stretch of text that holds one JSON value, and the line (from 1) on which it begins. */
export interface JsonChunk {
  readonly text: string;
  readonly line: number;
}

/** JSON values that follow one another: complete ones, and what is left after the last of them. */
export interface JsonChunks {
  readonly complete: readonly JsonChunk[];
  /** Text after the last complete value; empty but for white space if nothing is cut off. */
  readonly rest: JsonChunk;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;

/**
 * Cuts a stream of JSON objects and arrays, such as `kubectl get -w -o json` or NDJSON, where one ends. Whether a stretch is
 * well-formed is for JSON.parse to say: what stands between two values stays with the later one.
 */
export function splitJson(text: string): JsonChunks {
  const complete: JsonChunk[] = [];
  let depth = 0;
  let start = 0;
  let line = 1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
    else if ((code === CLOSE_BRACE || code === CLOSE_BRACKET) && --depth <= 0) {
      const chunk = chunkOf(text.slice(start, index + 1), line);
      complete.push(chunk);
      line = chunk.line + linesIn(chunk.text);
      start = index + 1;
      depth = 0;
    }
  }
  return { complete, rest: chunkOf(text.slice(start), line) };
}

/** Where the string ends that begins at `index`; the end of the text if it does not end. */
function endOfString(text: string, index: number): number {
  for (let end = index + 1; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === BACKSLASH) end++;
    else if (code === QUOTE) return end;
  }
  return text.length;
}

/** Without the white space before it, which counts as lines. */
function chunkOf(text: string, line: number): JsonChunk {
  const trimmed = text.trimStart();
  return { text: trimmed, line: line + linesIn(text.slice(0, text.length - trimmed.length)) };
}

/** How many lines end in `text`. */
export function linesIn(text: string): number {
  let lines = 0;
  for (let index = text.indexOf("\n"); index !== -1; index = text.indexOf("\n", index + 1)) lines++;
  return lines;
}
