import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { repositoryFile } from "./command.ts";

/** The JSON of a document, and what its published schema objects to: fields that the schema does not name, too. */
export function checkedBy(schema: "catch" | "contention" | "herd", text: string) {
  const published = readFileSync(repositoryFile(`docs/${schema}.schema.json`), "utf8");
  const closed = JSON.parse(published, (_, part) =>
    Array.isArray(part?.required) ? { ...part, additionalProperties: false } : part,
  );
  const validate = new Ajv2020({ allErrors: true }).compile(closed);
  const document = JSON.parse(text);
  validate(document);
  const errors = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  return { ...document, errors };
}
