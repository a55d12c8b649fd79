import type { Ask } from "../api/list-pace.ts";
import type { ApiAnswer } from "../connection/connection.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import { type PodRow, podRowsOf } from "../objects/pod-table.ts";
import { TABLE_OR_OBJECTS } from "../objects/server-table.ts";
import { at, parsedJson, textOf } from "../objects/untrusted.ts";
import { inPath } from "../objects/workload-kinds.ts";
import { splitListText } from "./list-text.ts";

/** Which pods are listed. */
export interface ListScope {
  /** null: all. */
  readonly namespace: string | null;
  readonly labelSelector?: string | undefined;
}

/** A place in a list: where a page begins. The server's own token; null for the beginning. */
export type Position = string | null;

/** Pods that follow one another in a list. Whole pods are texts, cut when asked for and to be parsed where it is worth it. */
export interface Page {
  readonly content:
    | { readonly kind: "table"; readonly rows: readonly PodRow[] }
    | { readonly kind: "whole"; readonly pods: Iterable<string> };
  /** Where the next page begins; null after the last one. */
  readonly next: Position;
  /** The resourceVersion that the page is of; null if the server does not say. */
  readonly version: string | null;
  readonly serverClockMs: number | null;
}

/** Reads one page, `limit` pods or fewer. A RequestFailure without it. */
export type ReadPage = (position: Position, limit: number) => Promise<Page>;

/** Pods that are over restart nothing; a cluster may keep tens of thousands of them, of Jobs. */
export const NOT_OVER = "status.phase!=Succeeded,status.phase!=Failed";

/** The two ways to read pages of a scope: as the server's table without objects, about 100 bytes per pod, or whole, 5 to 10 kB. */
export function pageReaders(ask: Ask, scope: ListScope): { readonly table: ReadPage; readonly whole: ReadPage } {
  const path = podsPath(scope.namespace);
  const read = async (position: Position, limit: number, own: { accept?: string; query?: Record<string, string> }) => {
    const query = {
      limit: String(limit),
      fieldSelector: NOT_OVER,
      ...(scope.labelSelector !== undefined && { labelSelector: scope.labelSelector }),
      ...(position !== null && { continue: position }),
      ...own.query,
    };
    return pageOf(await ask(path, { ...own, query, parse: (text) => text }));
  };
  return {
    table: (position, limit) => read(position, limit, { accept: TABLE_OR_OBJECTS, query: { includeObject: "None" } }),
    whole: (position, limit) => read(position, limit, {}),
  };
}

/** The path of all pods of a namespace, or of the cluster. */
export function podsPath(namespace: string | null): string {
  return namespace === null ? "/api/v1/pods" : `/api/v1/namespaces/${inPath(namespace)}/pods`;
}

function pageOf({ body, serverClockMs }: ApiAnswer): Page {
  const text = String(body);
  const list = splitListText(text);
  if (list !== null) {
    const content = { kind: "whole", pods: list.items } as const;
    return { content, ...placeOf(list.metadata), serverClockMs };
  }
  const table = parsedJson(text);
  const rows = podRowsOf(table);
  if (rows === null) throw new RequestFailure("bad-answer", { message: "it is no list of pods", status: 200 });
  return { content: { kind: "table", rows }, ...placeOf(at(table, "metadata")), serverClockMs };
}

function placeOf(metadata: unknown): Pick<Page, "next" | "version"> {
  return { next: textOf(at(metadata, "continue")), version: textOf(at(metadata, "resourceVersion")) };
}
