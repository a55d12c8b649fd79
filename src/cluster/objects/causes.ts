import { at, countOf, textOf } from "./untrusted.ts";

/** What js-yaml finds wrong with a text, and in which line; nothing of the text itself, for it may hold secrets. */
export function yamlCause(error: unknown): string {
  const [reason, line] = [textOf(at(error, "reason")), countOf(at(error, "mark", "line"))];
  if (reason === null) return "it is not YAML";
  // Tags, the names of anchors and the like are quoted, in these three ways.
  const cause = reason
    .replace(/ !<.*>/s, "")
    .replace(/ ".*"/s, "")
    .replace(/: .*$/s, "");
  return line === null ? cause : `line ${line + 1}: ${cause}`;
}

/** What JSON.parse finds wrong, without what it quotes of the text, and without the line, which it does not always know. */
export function jsonCause(error: unknown): string {
  if (!(error instanceof SyntaxError)) return "it is not JSON";
  const [, saidByBun] = /^JSON Parse error: (.*)$/s.exec(error.message) ?? [];
  if (saidByBun === undefined)
    return error.message.replace(/, (\.\.\.)?".*$/s, "").replace(/ \(line \d+ column \d+\)$/, "");
  const cause = saidByBun.replace(/".*"/s, "").trim();
  // What begins with a quotation says nothing without it.
  return /^[A-Z]/.test(cause) ? cause : "it is not JSON";
}

/** What a failed system call says, without its code and path: "no such file or directory". */
export function systemCause(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/^[A-Z]+: /, "").replace(/, \w+( '.*')?$/, "");
}
