import type { Collection, Stored } from "./collection.ts";
import type { Raw } from "./container-statuses.ts";
import { listText } from "./representations.ts";
import { type Selects, selectorOf } from "./selectors.ts";
import { expiredToken, type Refusal, refusal } from "./status-answers.ts";

interface ListRequest {
  readonly collection: Collection;
  readonly namespace: string | null;
  readonly query: URLSearchParams;
  readonly accept: string;
  readonly version: number;
  readonly oldestVersion: number;
  readonly nowMs: number;
}

/** The text comes in pieces, because a list can be longer than the longest possible string of JavaScript. */
export type ListAnswer = Refusal | { readonly status: 200; readonly text: Iterable<string> };

export function answerList(request: ListRequest): ListAnswer {
  const { collection, namespace, query, accept, version, oldestVersion, nowMs } = request;
  const selects = selectorOf(query);
  if (selects === null) return refusal(400, "unable to parse requirement");
  const token = query.has("continue") ? decodeContinue(query.get("continue") ?? "") : { version, start: "" };
  if (token === null) return refusal(400, "invalid continue token: continue key is not valid");
  if (token.version >= 0 && token.version < oldestVersion)
    return expiredToken(encodeContinue({ version: -1, start: token.start.replace(/\0$/, "") }));
  const keys = collection.keys(namespace, token.start);
  const { found, looked } = pageOf(collection, keys, Number(query.get("limit")) || Number.POSITIVE_INFINITY, selects);
  const isSelected = query.has("labelSelector") || query.has("fieldSelector");
  const listVersion = token.version < 0 ? version : token.version;
  const remaining = keys.length - looked;
  const last = keys[looked - 1]?.slice(namespace === null ? 0 : `${namespace}/`.length) ?? "";
  const metadata: Raw = {
    resourceVersion: String(listVersion),
    ...(remaining > 0 && { continue: encodeContinue({ version: listVersion, start: last }) }),
    ...(remaining > 0 && !isSelected && { remainingItemCount: remaining }),
  };
  return { status: 200, text: listText({ collection, objects: found, metadata, accept, query, nowMs }) };
}

/** `looked` counts all keys that were read, selected or not. */
function pageOf(collection: Collection, keys: readonly string[], limit: number, selects: Selects) {
  const found: Stored[] = [];
  for (const [index, key] of keys.entries()) {
    if (found.length >= limit) return { found, looked: index };
    const stored = collection.get(key);
    if (stored !== undefined && selects(stored)) found.push(stored);
  }
  return { found, looked: keys.length };
}

/** A `version` of -1 asks for the rest of the list at the newest version. */
interface ContinueToken {
  readonly version: number;
  readonly start: string;
}

/**
 * See `EncodeContinue` (k8s.io/apiserver v0.37.1, pkg/storage/continue.go). The `\0` makes the next page begin after
 * the key `start`.
 */
function encodeContinue({ version, start }: ContinueToken): string {
  const token = { v: "meta.k8s.io/v1", rv: version, start: `${start}\0` };
  return Buffer.from(JSON.stringify(token)).toString("base64url");
}

function decodeContinue(text: string): ContinueToken | null {
  try {
    const { rv, start } = JSON.parse(Buffer.from(text, "base64url").toString());
    return typeof rv === "number" && typeof start === "string" ? { version: rv, start } : null;
  } catch {
    return null;
  }
}
