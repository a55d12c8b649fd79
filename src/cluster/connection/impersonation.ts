import { isObject, textOf } from "../objects/untrusted.ts";
import { type Fields, fieldsOf } from "./kubeconfig-files.ts";

/** Headers by name; an array is one line for each value. */
export type Headers = Readonly<Record<string, string | string[]>>;

/** The fields of a user that name the user to impersonate. */
export const IMPERSONATION_FIELDS = ["as", "as-uid", "as-groups", "as-user-extra"] as const;

/**
 * The headers of impersonation that client-node does not send. Mirrors `impersonatingRoundTripper` (client-go v0.37.1,
 * transport/round_trippers.go): a line for each group and for each value of an extra. None without `as`.
 */
export function impersonationHeaders(user: Fields): Headers {
  if (textOf(user["as"]) === null) return {};
  const uid = textOf(user["as-uid"]);
  const groups = textsOf(user["as-groups"]);
  const extras = Object.entries(fieldsOf(user["as-user-extra"])).map(([key, values]) => [
    `Impersonate-Extra-${escapedKey(key)}`,
    textsOf(values),
  ]);
  return {
    ...(uid !== null && { "Impersonate-Uid": uid }),
    ...(groups.length > 0 && { "Impersonate-Group": groups }),
    ...Object.fromEntries(extras),
  };
}

/** Whether the user asks for a uid, groups or extras without `as`, which kubectl refuses. */
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

/** Mirrors `headerKeyEscape` of the same file: percent-encodes %, and each byte that no header's name may have. */
function escapedKey(key: string): string {
  return Buffer.from(key, "utf8")
    .toString("latin1")
    .replaceAll(/[^!#$&'*+\-.0-9A-Z^_`a-z|~]/g, percentEncoded);
}

function percentEncoded(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
