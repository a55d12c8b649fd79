import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import { repositoryFile } from "./command.ts";

type Reviver = (key: string, part: { required?: unknown }) => unknown;

const forbiddingOthers: Reviver = (_, part) =>
  Array.isArray(part?.required) ? { ...part, additionalProperties: false } : part;

function checkBy(name: string, reviver?: Reviver) {
  const schema = JSON.parse(readFileSync(repositoryFile(`docs/${name}.schema.json`), "utf8"), reviver);
  const validate = new Ajv2020({ allErrors: true }).compile(schema);
  return (value: unknown) => (validate(value) ? [] : (validate.errors ?? []));
}

const published = checkBy("explanation");
const closed = checkBy("explanation", forbiddingOthers);

export function schemaErrors(value: unknown): string[] {
  return published(value).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Returns the violations of the schema, among them fields that it does not name. */
export function undocumentedFields(value: unknown): string[] {
  return closed(value).map(({ instancePath, params }) => `${instancePath} ${JSON.stringify(params)}`);
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks at any field of it
export function validExplanation(text: string): any {
  const explanation: unknown = JSON.parse(text);
  expect(published(explanation)).toEqual([]);
  return explanation;
}

type OtherDocument = "backoff-list" | "catch" | "contention" | "eta" | "simulation";

// biome-ignore lint/suspicious/noExplicitAny: a test looks at any field of it
export function validDocument(name: OtherDocument, text: string): any {
  const document: unknown = JSON.parse(text);
  expect(checkBy(name, forbiddingOthers)(document)).toEqual([]);
  return document;
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks at any field of it
export const validList = (text: string): any => validDocument("backoff-list", text);
