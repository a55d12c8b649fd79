import { at, countOf, textOf } from "./json-access.ts";

/** Returns the line and cause of a js-yaml error, without the text that it quotes, which may be a secret. */
export function yamlCause(error: unknown): string {
  const [reason, line] = [textOf(at(error, "reason")), countOf(at(error, "mark", "line"))];
  if (reason === null) return "it is not YAML";
  // js-yaml quotes tags, names of anchors and other texts in these three ways.
  const cause = reason
    .replace(/ !<.*>/s, "")
    .replace(/ ".*"/s, "")
    .replace(/: .*$/s, "");
  return line === null ? cause : `line ${line + 1}: ${cause}`;
}

/** Returns why JSON.parse failed, without the position, and without the input that it quotes, which may be a secret. */
export function jsonCause(error: unknown): string {
  if (!(error instanceof SyntaxError)) return "it is not JSON";
  const [, bunCause] = /^JSON Parse error: (.*)$/s.exec(error.message) ?? [];
  if (bunCause === undefined)
    return error.message.replace(/, (\.\.\.)?".*$/s, "").replace(/ \(line \d+ column \d+\)$/, "");
  const cause = bunCause.replace(/".*"/s, "").trim();
  // A sentence that began with the quotation is useless without it.
  return /^[A-Z]/.test(cause) ? cause : "it is not JSON";
}

/** Returns e.g. "no such file or directory", without code and path. */
export function systemCause(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/^[A-Z]+: /, "").replace(/, \w+( '.*')?$/, "");
}
