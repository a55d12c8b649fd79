import { Ajv2020 } from "ajv/dist/2020.js";
import schema from "../../docs/explanation.schema.json" with { type: "json" };

const published = new Ajv2020({ allErrors: true }).compile(schema);
const closed = new Ajv2020({ allErrors: true }).compile(withoutOtherFields(schema));

/** What the published schema objects to in a value; empty if it is valid. */
export function schemaErrors(value: unknown): string[] {
  published(value);
  return (published.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** The same for a schema that also forbids every field that the published one does not name. */
export function undocumentedFields(value: unknown): string[] {
  closed(value);
  return (closed.errors ?? []).map(({ instancePath, params }) => `${instancePath} ${JSON.stringify(params)}`);
}

function withoutOtherFields(part: object): object {
  const copy = Object.entries(part).map(([key, inner]) => [
    key,
    isContainer(inner) ? withoutOtherFields(inner) : inner,
  ]);
  const closing = "required" in part ? [["additionalProperties", false]] : [];
  return Array.isArray(part) ? copy.map(([, inner]) => inner) : Object.fromEntries([...copy, ...closing]);
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
