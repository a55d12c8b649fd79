import type { ApiAnswer, Connection } from "../connection/connection.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import { at, parsedJson, placesInJson, textOf } from "../objects/json-access.ts";
import { type PodRow, podRowsOf } from "../objects/pod-table.ts";
import { TABLE_OR_OBJECTS } from "../objects/server-table.ts";
import { collectionPath } from "../objects/workload-kinds.ts";
import type { PodFilter } from "./pod-filter.ts";

export interface ListScope {
  /** Null for all namespaces. */
  readonly namespace: string | null;
  readonly labelSelector?: string | undefined;
  /** Selects the pods to read whole. By default, those that may have a container that is down or crash-loops. */
  readonly filter?: PodFilter;
}

/** The texts of whole pods are cut out of the answer one by one when the caller iterates. */
export type ListPage = (
  | { readonly kind: "table"; readonly rows: readonly PodRow[] }
  | { readonly kind: "whole"; readonly pods: Iterable<string> }
) & {
  /** The server's token for the next page; null after the last one. */
  readonly next: string | null;
  /** The list's resourceVersion; null if the server sends none. */
  readonly version: string | null;
  readonly serverClockMs: number | null;
};

/** Reads up to `limit` pods from the token `position` on; null is the beginning. Throws a RequestFailure. */
export type ReadPage = (position: string | null, limit: number) => Promise<ListPage>;

/** Excludes completed pods, of which a cluster may keep tens of thousands. The kubelet does not restart them. */
export const NOT_OVER = "status.phase!=Succeeded,status.phase!=Failed";

/**
 * The form of a page of pods: rows of a table (100 bytes per pod), rows with metadata, which name the namespaces (2 to
 * 4 kB), or whole pods (5 to 10 kB).
 */
export type PageForm = "table" | "named-table" | "whole";

export function pageReaders(connection: Connection, scope: ListScope): Readonly<Record<PageForm, ReadPage>> {
  const path = collectionPath("Pod", scope.namespace);
  const readAs =
    (includeObject: "None" | "Metadata" | null): ReadPage =>
    async (position, limit) => {
      const query = {
        limit: String(limit),
        fieldSelector: NOT_OVER,
        ...(scope.labelSelector !== undefined && { labelSelector: scope.labelSelector }),
        ...(position !== null && { continue: position }),
        ...(includeObject !== null && { includeObject }),
      };
      const accept = includeObject === null ? {} : { accept: TABLE_OR_OBJECTS };
      const options = { query, parse: (text: string) => text, ...accept };
      return pageOf(await connection.get(path, options), scope.namespace);
    };
  return { table: readAs("None"), "named-table": readAs("Metadata"), whole: readAs(null) };
}

function pageOf({ body, serverClockMs }: ApiAnswer, namespace: string | null): ListPage {
  const text = String(body);
  const list = splitListText(text);
  if (list !== null) return { kind: "whole", pods: list.items, ...placeOf(list.metadata), serverClockMs };
  const table = parsedJson(text);
  const rows = podRowsOf(table, namespace);
  if (rows === null) throw new RequestFailure("bad-answer", { message: "it is no list of pods", status: 200 });
  return { kind: "table", rows, ...placeOf(at(table, "metadata")), serverClockMs };
}

function placeOf(metadata: unknown): Pick<ListPage, "next" | "version"> {
  return { next: textOf(at(metadata, "continue")), version: textOf(at(metadata, "resourceVersion")) };
}

/**
 * Cuts the JSON of a list into the JSON of its objects. Parsing all objects would take most of the time and the memory,
 * and the program needs few. Parses the whole text only if `metadata` does not come before `items`, because a proxy has
 * sorted the members. Returns null if there is no list of `items`. Iterating `items` throws a RequestFailure if the
 * text ends too early.
 */
export function splitListText(text: string): { readonly metadata: unknown; readonly items: Iterable<string> } | null {
  const start = /"items"\s*:\s*\[/.exec(text);
  if (start === null) return null;
  const end = start.index + start[0].length;
  const head = parsedJson(`${text.slice(0, end)}]}`);
  if (head === undefined) return null;
  return { metadata: at(head, "metadata") ?? at(parsedJson(text), "metadata"), items: objectTexts(text, end) };
}

function* objectTexts(text: string, start: number): Generator<string> {
  for (const { first, end } of placesInJson(text, start)) {
    if (first === null) return;
    yield text.slice(first, end);
  }
  throw new RequestFailure("bad-answer", { message: "it ends in the middle of a list", status: 200 });
}
