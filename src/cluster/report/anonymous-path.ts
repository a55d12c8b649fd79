import type { Form } from "../objects/declaration.ts";
import type { NameBook } from "./name-book.ts";

/** What is said of a path that the shape does not have. */
const SOME_FIELD = "a field";

/**
 * The path of an unusable field, as `unusableIn` names it, with only words of the API in it: whatever the shape does not
 * know is not repeated, and the keys of maps, which somebody chose, are replaced.
 */
export function anonymousPath(path: string, shape: Form, book: NameBook): string {
  if (path === "all of it") return path;
  const followed = follow(`.${path}`, shape, book);
  return followed === null ? SOME_FIELD : followed.slice(1);
}

/** The rest of a path below a shape; null if the shape does not lead there. */
function follow(rest: string, shape: Form, book: NameBook): string | null {
  if (rest === "") return "";
  if (shape.type === "value") return null;
  if (shape.type === "list") {
    const index = /^\[\d{1,9}\]/.exec(rest)?.[0];
    return index === undefined ? null : after(index, rest, shape.item, book);
  }
  if (!rest.startsWith(".")) return null;
  if (shape.type === "map") return `.${book.replace("key", rest.slice(1))}`;
  const field = Object.keys(shape.fields).find((name) => isFirst(name, rest.slice(1)));
  const inner = field === undefined ? undefined : shape.fields[field]?.form;
  return inner === undefined ? null : after(`.${field}`, rest, inner, book);
}

function after(step: string, rest: string, shape: Form, book: NameBook): string | null {
  const inner = follow(rest.slice(step.length), shape, book);
  return inner === null ? null : step + inner;
}

function isFirst(field: string, path: string): boolean {
  return path.startsWith(field) && ["", ".", "["].includes(path.charAt(field.length));
}
