import { UserError } from "../../errors.ts";
import type { BackoffCommand } from "../base/backoff-command.ts";
import { CONNECTION_FLAGS } from "../flags/connection-flags.ts";
import { BOOLEAN, valueIn } from "../flags/flag-values.ts";
import { choicesOf } from "../flags/flags.ts";
import type { FlagShape, Part } from "./kubectl-syntax.ts";

/** Like `kubectl get` and `kubectl logs`, this program ignores an empty value of these flags. */
const IGNORED_IF_EMPTY = ["container", "selector", "output"];

type Flag = (typeof BackoffCommand)["flags"][string] & Pick<FlagShape, "valueIfNone">;

/**
 * Leaves out arguments without effect, such as `-n ""`, `--watch=false` and all but the last --context. Throws a
 * UserError, e.g. for a repeated --output.
 */
export function oclifArguments(
  parts: readonly Part[],
  flags: Readonly<Record<string, Flag>>,
  command: string,
): string[] {
  return parts.flatMap((part, index) => {
    if (part.kind === "word") return [part.text];
    if (part.kind === "rest") return ["--", ...part.words];
    const definition = part.kind === "flag" && Object.hasOwn(flags, part.flag.name) ? flags[part.flag.name] : undefined;
    if (part.kind === "unknown" || definition === undefined) return [part.written];
    const { name } = part.flag;
    const isRepeated = parts.slice(index + 1).some((other) => other.kind === "flag" && other.flag.name === name);
    if (definition.type === "boolean")
      return !isRepeated && valueIn(name, part.value ?? "true", BOOLEAN) ? [`--${name}`] : [];
    const value = part.value ?? definition.valueIfNone;
    if (value === undefined) throw new UserError("flagNeedsValue", name, choicesOf(definition), command);
    if (definition.multiple === true) return [`--${name}=${value}`];
    if (isRepeated && (isOfKubectl(name) || definition.valueIfNone !== undefined)) return [];
    if (value === "" && (isOfKubectl(name) || IGNORED_IF_EMPTY.includes(name))) return [];
    if (isRepeated) throw new UserError("flagTwice", name);
    return [`--${name}=${value}`];
  });
}

function isOfKubectl(name: string): boolean {
  return Object.hasOwn(CONNECTION_FLAGS, name);
}
