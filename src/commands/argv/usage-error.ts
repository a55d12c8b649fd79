import { CLIError } from "@oclif/core/errors";
import { UserError } from "../../errors.ts";
import type { BackoffCommand } from "../base/backoff-command.ts";
import { usageOf, valueWord } from "./help.ts";
import { nearestWords } from "./misspelled-command.ts";

/** What oclif's parser says (@oclif/core 5.1.9, lib/parser), where the error itself holds no more than a sentence. */
const MESSAGES = {
  needsValue: /^Flag --(?<flag>\S+) expects (a value|one of these values: )/,
  twice: /^Flag --(?<flag>\S+) can only be specified once/,
  badChoice: /^Expected --(?<flag>[^=]+)=(?<value>.*) to be one of: /s,
  missing: /Missing required flag (?<flag>\S+)/,
} as const;

/** An error of oclif's parser as what the user can act on; any other error as it is. */
export function usageErrorOf(error: unknown, name: string, command: typeof BackoffCommand): unknown {
  if (!(error instanceof CLIError)) return error;
  const [flag] = listIn(error, "flags");
  if (flag !== undefined) return unknownFlag(flag, name, command);
  const words = listIn(error, "args");
  if (words.length > 0) return new UserError("extraArguments", words, usageOf(name, command)[0] ?? "");
  for (const [kind, pattern] of Object.entries(MESSAGES)) {
    const groups = pattern.exec(error.message)?.groups;
    if (groups !== undefined) return aboutFlag(kind as keyof typeof MESSAGES, groups, name, command);
  }
  return error;
}

/** oclif's classes cannot be had, but what they carry can. */
function listIn(error: object, property: "flags" | "args"): readonly string[] {
  const list: unknown = Object.hasOwn(error, property) ? (error as Record<string, unknown>)[property] : [];
  return Array.isArray(list) ? list.filter((entry) => typeof entry === "string") : [];
}

/** The commands of one pod, and the flags by which people ask them for many. */
const ONE_POD = ["wait", "catch"];
const MANY = ["-l", "--selector", "-A", "--all-namespaces", "--all"];

/** The beginning of a name is as good as a misspelled one. */
function unknownFlag(written: string, name: string, { flags }: typeof BackoffCommand): UserError {
  const [whole = ""] = written.split("=", 1);
  // Of several letters behind one dash the first one is unknown.
  const flag = whole.startsWith("--") ? whole : whole.slice(0, "-x".length);
  if (ONE_POD.includes(name) && MANY.includes(flag)) return new UserError("flagOfMany", flag, name);
  const shown = Object.keys(flags).filter((candidate) => flags[candidate]?.hidden !== true);
  const names = [...shown, "help"];
  const word = flag.replace(/^-+/, "");
  const begun = names.filter((candidate) => word.length > 1 && candidate.startsWith(word));
  const nearest = flag.startsWith("--") ? [...new Set([...begun, ...nearestWords(word, names)])].slice(0, 3) : [];
  return new UserError(
    "unknownFlag",
    flag,
    nearest.map((candidate) => `--${candidate}`),
    name,
  );
}

function aboutFlag(
  kind: keyof typeof MESSAGES,
  { flag = "", value = "" }: Readonly<Record<string, string>>,
  name: string,
  { flags }: typeof BackoffCommand,
): UserError {
  const definition = flags[flag];
  const expected = definition?.type === "option" ? valueWord(definition) : "VALUE";
  const choices = expected.split("|");
  switch (kind) {
    case "needsValue":
      return new UserError("flagNeedsValue", flag, choices, name);
    case "twice":
      return new UserError("flagTwice", flag);
    case "badChoice":
      return new UserError("badChoice", flag, value, choices);
    case "missing":
      return new UserError("missingFlag", flag, choices, name);
  }
}
