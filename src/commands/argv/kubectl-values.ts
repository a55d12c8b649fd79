import { UserError } from "../../errors.ts";
import { CONNECTION_FLAGS } from "../flags/connection-flags.ts";
import { argumentParts, type FlagShape, type Part, shapesOf } from "./read-argv.ts";

/** Flags that kubectl ignores if their value is empty, besides the global flags of `kubectl options`. */
const IGNORED_IF_EMPTY = ["container", "selector", "output"];

/** The values of boolean flags that kubectl takes for true. Mirrors Go's `strconv.ParseBool`. */
const TRUE = ["1", "t", "T", "true", "TRUE", "True"];
const FALSE = ["0", "f", "F", "false", "FALSE", "False"];

/**
 * Reads flags as kubectl does, because scripts pass the same flags to both. Removes `-n ""` and `--watch=false`, and
 * rewrites `--watch=true` to `--watch`. Of a repeated flag of `kubectl options`, keeps only the last one.
 */
export function withKubectlValues(
  argv: readonly string[],
  flags: Readonly<Record<string, Omit<FlagShape, "name">>>,
): string[] {
  const parts = argumentParts(argv, shapesOf(flags));
  return parts.flatMap((part, index) => {
    if (part.kind !== "flag" || part.value === null) return part.written;
    if (part.flag.type === "boolean") return switchOf(part.flag.name, part.value);
    return isIgnored(part.flag, part.value, parts.slice(index + 1)) ? [] : part.written;
  });
}

function isIgnored({ name, multiple }: FlagShape, value: string, later: readonly Part[]): boolean {
  if (multiple === true) return false;
  const isOfKubectl = Object.hasOwn(CONNECTION_FLAGS, name);
  const isOverridden = isOfKubectl && later.some((other) => other.kind === "flag" && other.flag.name === name);
  return isOverridden || (value === "" && (isOfKubectl || IGNORED_IF_EMPTY.includes(name)));
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
