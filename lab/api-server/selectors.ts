import type { Stored } from "./collection.ts";

export type Selects = (stored: Stored) => boolean;

export function selectorOf(query: URLSearchParams): Selects | null {
  const fields = (query.get("fieldSelector") ?? "")
    .split(",")
    .filter((text) => text !== "")
    .map(fieldTerm);
  const labels = splitTerms(query.get("labelSelector") ?? "").map(labelTerm);
  const terms = [...fields, ...labels];
  if (terms.some((term) => term === null)) return null;
  return (stored) => terms.every((term) => term?.(stored));
}

function fieldTerm(text: string): Selects | null {
  const match = /^([\w.]+)(!=|==|=)(.*)$/.exec(text);
  if (match === null) return null;
  const [, path = "", operator, value] = match;
  return (stored) => (stored.field(path) === value) === (operator !== "!=");
}

function splitTerms(text: string): string[] {
  return text === "" ? [] : text.split(/,(?![^(]*\))/).map((term) => term.trim());
}

function labelTerm(text: string): Selects | null {
  const set = /^(\S+)\s+(in|notin)\s*\(([^)]*)\)$/.exec(text);
  if (set !== null) {
    const [, key = "", operator, list = ""] = set;
    const values = list.split(",").map((value) => value.trim());
    return ({ labels }) => values.includes(labels[key] ?? "\0") === (operator === "in");
  }
  const match = /^(!?)([^=!\s]+)(?:\s*(!=|==|=)\s*(\S*))?$/.exec(text);
  if (match === null) return null;
  const [, not, key = "", operator, value] = match;
  if (operator === undefined) return ({ labels }) => Object.hasOwn(labels, key) === (not === "");
  return ({ labels }) => (labels[key] === value) === (operator !== "!=");
}
