import { UserError } from "../../errors.ts";
import type { FlagShape } from "./rewrite-argv.ts";

/** `strconv.ParseBool` of Go, which kubectl reads its switches with. */
const VALUES: Readonly<Record<string, boolean>> = Object.fromEntries([
  ...["1", "t", "T", "true", "TRUE", "True"].map((text) => [text, true] as const),
  ...["0", "f", "F", "false", "FALSE", "False"].map((text) => [text, false] as const),
]);

/** Takes `--watch=true` for `--watch` and `--watch=false` for nothing, as kubectl does: oclif would take the value for a pod. */
export function withSwitchValues(argv: readonly string[], flags: Readonly<Record<string, FlagShape>>): string[] {
  const end = argv.indexOf("--");
  const before = end === -1 ? argv : argv.slice(0, end);
  return [...before.flatMap((argument) => replaced(argument, flags)), ...argv.slice(before.length)];
}

function replaced(argument: string, flags: Readonly<Record<string, FlagShape>>): string[] {
  const { written = "", value = "" } = /^(?<written>--?[^=]+)=(?<value>.*)$/s.exec(argument)?.groups ?? {};
  const found = Object.entries(flags).find(([name, { char }]) => written === `--${name}` || written === `-${char}`);
  if (found === undefined || found[1].type !== "boolean") return [argument];
  if (found[0] === "logs" && /^-?\d+$/.test(value)) return [`--tail=${value}`];
  if (!Object.hasOwn(VALUES, value)) throw new UserError("badChoice", found[0], value, ["true", "false"]);
  if (VALUES[value]) return [written];
  // Some forms show logs unless they are told not to.
  return found[0] === "logs" ? ["--tail=0"] : [];
}
