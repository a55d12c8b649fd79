import { type Fields, fieldsOf } from "./kubeconfig-files.ts";
import { isObject, textOf } from "./untrusted.ts";

/** Headers by name; an array is one line for each value. */
export type Headers = Readonly<Record<string, string | string[]>>;

/** The fields of a user that say whom to act as. */
export const IMPERSONATION_FIELDS = ["as", "as-uid", "as-groups", "as-user-extra"] as const;

/**
 * The headers that ask to act as somebody else. Mirrors `impersonatingRoundTripper` (client-go v0.37.1,
 * transport/round_trippers.go): a line for each group and for each value of an extra. None without a user.
 */
export function impersonationHeaders(user: Fields): Headers {
  const [name, uid] = [textOf(user["as"]), textOf(user["as-uid"])];
  if (name === null) return {};
  const groups = textsOf(user["as-groups"]);
  const extras = Object.entries(fieldsOf(user["as-user-extra"])).map(([key, values]) => [
    `Impersonate-Extra-${escapedKey(key)}`,
    textsOf(values),
  ]);
  return {
    "Impersonate-User": name,
    ...(uid !== null && { "Impersonate-Uid": uid }),
    ...(groups.length > 0 && { "Impersonate-Group": groups }),
    ...Object.fromEntries(extras),
  };
}

/** Whether a uid, groups or extras are asked for and nobody to have them, which kubectl refuses. */
export function lacksImpersonatedUser(user: Fields): boolean {
  return textOf(user["as"]) === null && IMPERSONATION_FIELDS.some((field) => !isEmpty(user[field]));
}

function isEmpty(value: unknown): boolean {
  if (isObject(value)) return Object.keys(value).length === 0;
  return Array.isArray(value) ? value.length === 0 : textOf(value) === null;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Mirrors `headerKeyEscape` of the same file: what is no character of a header's name, and %, is percent-encoded. */
function escapedKey(key: string): string {
  const bytes = [...Buffer.from(key, "utf8")];
  return bytes.map((byte) => (isLegal(byte) ? String.fromCharCode(byte) : percentEncoded(byte))).join("");
}

function isLegal(byte: number): boolean {
  return byte < 0x7f && /^[!#$&'*+\-.0-9A-Z^_`a-z|~]$/.test(String.fromCharCode(byte));
}

function percentEncoded(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}
