import { RequestFailure } from "../connection/request-failure.ts";
import { at, parsedJson } from "../objects/untrusted.ts";

/** The JSON of a list of objects, cut but not parsed. */
export interface ListText {
  /** The list's own `metadata`. */
  readonly metadata: unknown;
  /** The JSON of each object, in order; cut when it is asked for. A RequestFailure where the text ends before the list does. */
  readonly items: Iterable<string>;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;

/**
 * Cuts a list into its objects without parsing them: most of a large list is never looked at, and to parse it would take most
 * of the time and the memory. Null if the text is no list whose `items` are its last member, as API servers write them.
 */
export function splitListText(text: string): ListText | null {
  const start = /"items"\s*:\s*\[/.exec(text);
  if (start === null) return null;
  const end = start.index + start[0].length;
  const head = parsedJson(`${text.slice(0, end)}]}`);
  return head === undefined ? null : { metadata: at(head, "metadata"), items: objectTexts(text, end) };
}

/** The texts of the objects that follow one another from `start` up to the end of the array, which must be there. */
function* objectTexts(text: string, start: number): Generator<string> {
  let depth = 0;
  let first = start;
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === OPEN_BRACE) {
      if (depth++ === 0) first = index;
    } else if (code === CLOSE_BRACE) {
      if (--depth === 0) yield text.slice(first, index + 1);
    } else if (code === CLOSE_BRACKET && depth === 0) return;
  }
  throw new RequestFailure("bad-answer", { message: "it ends in the middle of a list", status: 200 });
}

/** Where the string ends that begins at `index`: at the first quote that no odd number of backslashes is before. */
function endOfString(text: string, index: number): number {
  for (let end = text.indexOf('"', index + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
