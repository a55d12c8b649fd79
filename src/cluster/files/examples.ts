import { UserError } from "../../errors.ts";
import type { Observation } from "../../explain/observed/observation.ts";
import { nearestNames } from "../api/nearest-names.ts";
import { instantOf } from "../objects/timestamp.ts";
import { readExample } from "./example-files.ts";
import { observeFiles } from "./read-files.ts";

export interface Example {
  readonly name: string;
  readonly title: string;
  readonly atMs: number;
  readonly file: string;
}

export function listExamples(): readonly Example[] {
  const index: readonly (Omit<Example, "atMs"> & { readonly at: string })[] = JSON.parse(readExample("index.json"));
  return index.map(({ name, title, at, file }) => ({ name, title, atMs: instantOf(at) ?? 0, file }));
}

export function findExample(name: string | undefined): Example {
  const examples = listExamples();
  const found = name === undefined ? examples[0] : examples.find((example) => example.name === name);
  if (found !== undefined) return found;
  throw new UserError("noSuchExample", name ?? "", nearestExamples(name ?? "", examples));
}

/** `word` can be a part of a name, initials ("oom" for "out-of-memory") or a misspelled name. */
function nearestExamples(word: string, examples: readonly Example[]): readonly string[] {
  const names = examples.map(({ name }) => name);
  const initialsOf = (name: string): string => name.replaceAll(/(\w)\w*-?/g, "$1");
  const shortened = names.filter((name) => name.includes(word) || initialsOf(name) === word);
  return shortened.length > 0 ? shortened : nearestNames(word, names);
}

export async function observeExample(example: Example, tail = 0): Promise<Observation> {
  const observation = await observeFiles({
    filenames: ["-"],
    stdin: new Blob([readExample(example.file)]).stream(),
    localNowMs: example.atMs,
    atMs: example.atMs,
    logs: { tail },
    onNote: () => {},
  });
  return { ...observation, atBasis: "recording" };
}
