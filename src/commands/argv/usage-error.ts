import { CLIError } from "@oclif/core/errors";
import { UserError } from "../../errors.ts";
import type { BackoffCommand } from "../base/backoff-command.ts";
import { usageOf, valueWord } from "./help.ts";
import { nearestWords } from "./misspelled-command.ts";

type Compose = (flag: string, choices: readonly string[], name: string) => UserError;

/** Errors of oclif's parser (@oclif/core 5.1.9, lib/parser), recognized by their message, and the error to show. */
const MESSAGES: readonly (readonly [RegExp, Compose])[] = [
  [
    /^Flag --(?<flag>\S+) expects a value/,
    (flag, choices, name) => new UserError("flagNeedsValue", flag, choices, name),
  ],
  [/^Flag --(?<flag>\S+) can only be specified once/, (flag) => new UserError("flagTwice", flag)],
  [/Missing required flag (?<flag>\S+)/, (flag, choices, name) => new UserError("missingFlag", flag, choices, name)],
];

export function usageErrorOf(error: unknown, name: string, command: typeof BackoffCommand): unknown {
  if (!(error instanceof CLIError)) return error;
  const [unknown] = listIn(error, "flags");
  if (unknown !== undefined) return unknownFlag(unknown, name, command);
  const words = listIn(error, "args");
  if (words.length > 0) return new UserError("extraArguments", words, usageOf(name, command)[0] ?? "");
  for (const [pattern, compose] of MESSAGES) {
    const { flag = "" } = pattern.exec(error.message)?.groups ?? {};
    const definition = command.flags[flag];
    const expected = definition?.type === "option" ? valueWord(definition) : "VALUE";
    if (flag !== "") return compose(flag, expected.split("|"), name);
  }
  return error;
}

function listIn(error: object, property: "flags" | "args"): readonly string[] {
  const list: unknown = Object.hasOwn(error, property) ? (error as Record<string, unknown>)[property] : [];
  return Array.isArray(list) ? list.filter((entry) => typeof entry === "string") : [];
}

const COMMANDS_OF_ONE_POD = ["wait", "catch"];
const FLAGS_OF_MANY_PODS = ["-l", "--selector", "-A", "--all-namespaces", "--all"];

function unknownFlag(written: string, name: string, { flags }: typeof BackoffCommand): UserError {
  const [whole = ""] = written.split("=", 1);
  // Of several letters behind one dash, the first one is unknown.
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
