import type { ApiAnswer, Connection } from "../connection/connection.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import { at, parsedJson, placesInJson, textOf } from "../objects/json-access.ts";
import { type PodRow, podRowsOf } from "../objects/pod-table.ts";
import { TABLE_OR_OBJECTS } from "../objects/server-table.ts";
import { collectionPath } from "../objects/workload-kinds.ts";
import type { PodFilter } from "./pod-filter.ts";

export interface ListScope {
  readonly namespace: string | null;
  readonly labelSelector?: string | undefined;
  /** The default is `DOWN_OR_LOOPING`. */
  readonly filter?: PodFilter;
}

export type ListPage = (
  | { readonly kind: "table"; readonly rows: readonly PodRow[] }
  /** The JSON text of each pod. */
  | { readonly kind: "whole"; readonly pods: Iterable<string> }
) & {
  readonly nextToken: string | null;
  readonly version: string | null;
  readonly serverClockMs: number | null;
};

export type ReadPage = (token: string | null, limit: number) => Promise<ListPage>;

/** The kubelet does not restart the containers of completed and failed pods, of which a cluster can keep thousands. */
export const NOT_OVER = "status.phase!=Succeeded,status.phase!=Failed";

/** Asks for rows of a table, for rows with the pods' metadata (and so the namespaces), or for whole pods. */
export type PageForm = "table" | "named-table" | "whole";

export function pageReaders(connection: Connection, scope: ListScope): Readonly<Record<PageForm, ReadPage>> {
  const path = collectionPath("Pod", scope.namespace);
  const readAs =
    (includeObject: "None" | "Metadata" | null): ReadPage =>
    async (token, limit) => {
      const query = {
        limit: String(limit),
        fieldSelector: NOT_OVER,
        ...(scope.labelSelector !== undefined && { labelSelector: scope.labelSelector }),
        ...(token !== null && { continue: token }),
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
  if (list !== null) return { kind: "whole", pods: list.items, ...tokenAndVersion(list.metadata), serverClockMs };
  const table = parsedJson(text);
  const rows = podRowsOf(table, namespace);
  if (rows === null) throw new RequestFailure("bad-answer", { message: "it is no list of pods", status: 200 });
  return { kind: "table", rows, ...tokenAndVersion(at(table, "metadata")), serverClockMs };
}

function tokenAndVersion(metadata: unknown): Pick<ListPage, "nextToken" | "version"> {
  return { nextToken: textOf(at(metadata, "continue")), version: textOf(at(metadata, "resourceVersion")) };
}

/**
 * Returns the list's objects as unparsed JSON texts, because the program does not need all of them. Iterating `items`
 * throws a RequestFailure if the text ends before the end of the list.
 */
export function splitListText(text: string): { readonly metadata: unknown; readonly items: Iterable<string> } | null {
  const start = /"items"\s*:\s*\[/.exec(text);
  if (start === null) return null;
  const end = start.index + start[0].length;
  const head = parsedJson(`${text.slice(0, end)}]}`);
  if (head === undefined) return null;
  // A proxy can sort the fields, so that `metadata` comes after `items`.
  return { metadata: at(head, "metadata") ?? at(parsedJson(text), "metadata"), items: objectTexts(text, end) };
}

function* objectTexts(text: string, start: number): Generator<string> {
  for (const { first, end } of placesInJson(text, start)) {
    if (first === null) return;
    yield text.slice(first, end);
  }
  throw new RequestFailure("bad-answer", { message: "it ends in the middle of a list", status: 200 });
}
