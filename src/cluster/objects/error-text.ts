import { at, countOf, textOf } from "./json-access.ts";

/** Leaves out what js-yaml quotes of the input, because the input may have secrets. */
export function yamlCause(error: unknown): string {
  const [reason, line] = [textOf(at(error, "reason")), countOf(at(error, "mark", "line"))];
  if (reason === null) return "it is not YAML";
  const cause = reason
    .replace(/ !<.*>/s, "")
    .replace(/ ".*"/s, "")
    .replace(/: .*$/s, "");
  return line === null ? cause : `line ${line + 1}: ${cause}`;
}

/** Leaves out what JSON.parse quotes of the input, except JSON's punctuation, because the input may have secrets. */
export function jsonCause(error: unknown): string {
  if (!(error instanceof SyntaxError)) return "it is not JSON";
  const message = error.message.replace(/ token '[^{}[\]:,]'/, " token");
  const [, bunCause] = /^JSON Parse error: (.*)$/s.exec(message) ?? [];
  if (bunCause === undefined) return message.replace(/, (\.\.\.)?".*$/s, "").replace(/ \(line \d+ column \d+\)$/, "");
  const cause = bunCause.replace(/".*"/s, "").trim();
  // A message of Bun can begin with the quoted input, and then makes no sense without it.
  return /^[A-Z]/.test(cause) ? cause : "it is not JSON";
}

/** Shortens e.g. "ENOENT: no such file or directory, open 'a.yaml'" to "no such file or directory". */
export function systemCause(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/^[A-Z]+: /, "").replace(/, \w+( '.*')?$|\. Received .*$/s, "");
}
