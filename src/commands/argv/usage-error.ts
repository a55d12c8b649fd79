import type { Interfaces } from "@oclif/core";
import { CLIError } from "@oclif/core/errors";
import { UserError } from "../../errors.ts";
import type { BackoffCommand } from "../base/backoff-command.ts";
import { choicesOf } from "../flags/flags.ts";
import { usageOf } from "./help.ts";
import { nearestWords } from "./misspelled-command.ts";

/** Fields of oclif's errors (@oclif/core 5.1.9, lib/parser/errors.d.ts). Each class has only some of the fields. */
interface ParserError extends CLIError {
  readonly flags?: readonly string[];
  readonly args?: readonly string[];
  readonly parse?: { readonly output?: Interfaces.ParserOutput };
}

export function usageErrorOf(error: unknown, name: string, command: typeof BackoffCommand): unknown {
  if (!(error instanceof CLIError)) return error;
  const { flags: [unknown] = [], args: extra = [], parse }: ParserError = error;
  if (unknown !== undefined) return unknownFlag(unknown, name, command);
  if (extra.length > 0) return new UserError("extraArguments", extra, name, usageOf(name, command)[0] ?? "");
  const values: Readonly<Record<string, unknown>> = parse?.output?.flags ?? {};
  const missing = Object.entries(command.flags).find(([flag, { required }]) => required && values[flag] === undefined);
  return missing === undefined ? error : new UserError("missingFlag", missing[0], choicesOf(missing[1]), name);
}

const COMMANDS_OF_ONE_POD = ["wait", "catch"];
const FLAGS_OF_MANY_PODS = ["-l", "--selector", "-A", "--all-namespaces", "--all"];

function unknownFlag(written: string, name: string, { flags }: typeof BackoffCommand): UserError {
  const [whole = ""] = written.split("=", 1);
  // "-xyz" stands for -x, -y and -z, and the first of them is unknown.
  const flag = whole.startsWith("--") ? whole : whole.slice(0, "-x".length);
  if (COMMANDS_OF_ONE_POD.includes(name) && FLAGS_OF_MANY_PODS.includes(flag))
    return new UserError("flagOfMany", flag, name);
  const shown = Object.keys(flags).filter((candidate) => flags[candidate]?.hidden !== true);
  const names = [...shown, "help"];
  const word = flag.replace(/^-+/, "");
  const begun = names.filter((candidate) => word.length > 1 && candidate.startsWith(word));
  const nearest = flag.startsWith("--") ? [...new Set([...begun, ...nearestWords(word, names)])].slice(0, 3) : [];
  const suggestions = nearest.map((candidate) => `--${candidate}`);
  return new UserError("unknownFlag", flag, suggestions, name);
}
