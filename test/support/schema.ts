import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import { repositoryFile } from "./command.ts";

const schema: object = JSON.parse(readFileSync(repositoryFile("docs/explanation.schema.json"), "utf8"));
const validate = new Ajv2020({ allErrors: true, validateFormats: false }).compile(schema);

/** The JSON of an explanation, which is what the published schema says. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks at any field of it
export function validExplanation(text: string): any {
  const explanation: unknown = JSON.parse(text);
  validate(explanation);
  expect(validate.errors ?? []).toEqual([]);
  return explanation;
}
