import { UserError } from "../../errors.ts";
import { CONNECTION_FLAGS } from "../flags/connection-flags.ts";
import { type FlagShape, type Part, partsOf, shapesOf } from "./read-argv.ts";

/** Flags of `kubectl get` that an empty value leaves as they are; those of `kubectl options` are added. */
const LEFT_BY_EMPTY = ["container", "selector", "output"];

/** `strconv.ParseBool` of Go, which kubectl reads its switches with. */
const TRUE = ["1", "t", "T", "true", "TRUE", "True"];
const FALSE = ["0", "f", "F", "false", "FALSE", "False"];

/**
 * Reads flags as kubectl does, whose command lines come from scripts and aliases: of a flag of `kubectl options` that is
 * given again the last one holds, `-n "$UNSET"` is as good as nothing, and `--watch=false` is no `--watch`.
 */
export function withKubectlValues(
  argv: readonly string[],
  flags: Readonly<Record<string, Omit<FlagShape, "name">>>,
): string[] {
  const parts = partsOf(argv, shapesOf(flags));
  return parts.flatMap((part, index) => {
    if (part.kind !== "flag" || part.value === null) return part.written;
    if (part.flag.type === "boolean") return switchOf(part.flag.name, part.value);
    return isLeftOut(part.flag, part.value, parts.slice(index + 1)) ? [] : part.written;
  });
}

function isLeftOut({ name, multiple }: FlagShape, value: string, later: readonly Part[]): boolean {
  if (multiple === true) return false;
  const isOfKubectl = Object.hasOwn(CONNECTION_FLAGS, name);
  const isOverridden = isOfKubectl && later.some((other) => other.kind === "flag" && other.flag.name === name);
  return isOverridden || (value === "" && (isOfKubectl || LEFT_BY_EMPTY.includes(name)));
}

function switchOf(name: string, value: string): string[] {
  if (name === "logs" && /^-?\d+$/.test(value)) return [`--tail=${value}`];
  if (TRUE.includes(value)) return [`--${name}`];
  if (!FALSE.includes(value)) throw new UserError("badChoice", name, value, ["true", "false"]);
  // Some forms show logs unless they are told not to.
  return name === "logs" ? ["--tail=0"] : [];
}
