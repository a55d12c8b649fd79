import { UserError } from "../../errors.ts";
import type { BackoffCommand } from "../base/backoff-command.ts";
import { CONNECTION_FLAGS } from "../flags/connection-flags.ts";
import { choicesOf } from "../flags/flags.ts";
import type { Part } from "./kubectl-syntax.ts";

/** Flags that kubectl ignores if their value is empty, besides the global flags of `kubectl options`. */
const IGNORED_IF_EMPTY = ["container", "selector", "output"];

/** The values of boolean flags that kubectl takes for true. Mirrors Go's `strconv.ParseBool`. */
const TRUE = ["1", "t", "T", "true", "TRUE", "True"];
const FALSE = ["0", "f", "F", "false", "FALSE", "False"];

type Command = Pick<typeof BackoffCommand, "flags">;

/**
 * Writes a command line for oclif's parser, which gets each flag as `--name=value` or `--name`. Leaves out what kubectl
 * ignores, because scripts pass the same flags to both: `-n ""`, `--watch=false`, and of a repeated boolean flag or flag
 * of `kubectl options` all but the last. Throws a usage error if another flag is repeated, or if a value is missing.
 */
export function oclifArguments(parts: readonly Part[], { flags }: Command, command: string): string[] {
  return parts.flatMap((part, index) => {
    if (part.kind === "word") return [part.text];
    if (part.kind === "rest") return ["--", ...part.words];
    const definition = part.kind === "flag" && Object.hasOwn(flags, part.flag.name) ? flags[part.flag.name] : undefined;
    if (part.kind === "unknown" || definition === undefined) return [part.written];
    const { name } = part.flag;
    const isRepeated = parts.slice(index + 1).some((other) => other.kind === "flag" && other.flag.name === name);
    if (definition.type === "boolean") return isRepeated ? [] : switchOf(name, part.value ?? "true");
    if (part.value === null) throw new UserError("flagNeedsValue", name, choicesOf(definition), command);
    if (definition.multiple === true) return [`--${name}=${part.value}`];
    if (isRepeated && isOfKubectl(name)) return [];
    if (part.value === "" && (isOfKubectl(name) || IGNORED_IF_EMPTY.includes(name))) return [];
    if (isRepeated) throw new UserError("flagTwice", name);
    return [`--${name}=${part.value}`];
  });
}

function isOfKubectl(name: string): boolean {
  return Object.hasOwn(CONNECTION_FLAGS, name);
}

function switchOf(name: string, value: string): string[] {
  if (name === "logs" && /^-?\d+$/.test(value)) return [`--tail=${value}`];
  if (name === "exit-code" && value === "any") return [`--${name}`, "--exit-code-any"];
  if (TRUE.includes(value)) return [`--${name}`];
  if (!FALSE.includes(value))
    throw new UserError("badFlag", name, value, name === "exit-code" ? "any, or no value" : "true or false");
  // --logs=false asks for no logs: some output formats show them by default.
  return name === "logs" ? ["--tail=0"] : [];
}
