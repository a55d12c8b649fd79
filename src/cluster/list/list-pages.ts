import type { ContainerStatus } from "../../explain/observed/observation.ts";
import type { Ask } from "../api/list-pace.ts";
import type { ApiAnswer } from "../connection/connection.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import { type PodRow, podRowsOf } from "../objects/pod-table.ts";
import { TABLE_OR_OBJECTS } from "../objects/server-table.ts";
import { at, parsedJson, textOf } from "../objects/untrusted.ts";
import { inPath } from "../objects/workload-kinds.ts";

/** Which pods are listed. */
export interface ListScope {
  /** null: all. */
  readonly namespace: string | null;
  readonly labelSelector?: string | undefined;
  /** Which of them are worth reading; left out: those that may have a container that is down. */
  readonly sieve?: Sieve;
}

/** Which pods of a list are worth reading, in both forms that they come in, and how many containers of the others are up. */
export interface Sieve {
  row(row: PodRow): boolean;
  /** Of a pod's JSON, without parsing it. `nowMs`: null if the server does not say. */
  text(pod: string, nowMs: number | null): boolean;
  upInRow(row: PodRow): number;
  upInText(pod: string): number;
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

/** The JSON of a list of objects, cut but not parsed. */
interface ListText {
  /** The list's own `metadata`. */
  readonly metadata: unknown;
  /** The JSON of each object, in order; cut when it is asked for. A RequestFailure where the text ends before the list does. */
  readonly items: Iterable<string>;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;

/**
 * Cuts a list into its objects without parsing them: most of a large list is never looked at, and to parse it would take most
 * of the time and the memory. Null if the text is no list whose `items` are its last member, as API servers write them.
 */
export function splitListText(text: string): ListText | null {
  const start = /"items"\s*:\s*\[/.exec(text);
  if (start === null) return null;
  const end = start.index + start[0].length;
  const head = parsedJson(`${text.slice(0, end)}]}`);
  return head === undefined ? null : { metadata: at(head, "metadata"), items: objectTexts(text, end) };
}

/** The texts of the objects that follow one another from `start` up to the end of the array, which must be there. */
function* objectTexts(text: string, start: number): Generator<string> {
  let depth = 0;
  let first = start;
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === OPEN_BRACE) {
      if (depth++ === 0) first = index;
    } else if (code === CLOSE_BRACE) {
      if (--depth === 0) yield text.slice(first, index + 1);
    } else if (code === CLOSE_BRACKET && depth === 0) return;
  }
  throw new RequestFailure("bad-answer", { message: "it ends in the middle of a list", status: 200 });
}

/** Where the string ends that begins at `index`: at the first quote that no odd number of backslashes is before. */
function endOfString(text: string, index: number): number {
  for (let end = text.indexOf('"', index + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

/** A run of this length outlives its back-off (`backOffReset` of the kubelet, 600 s); and a minute, by which clocks may differ. */
const YOUNG_MS = 660_000;

/** Whether one of these containers is up again so shortly that it may crash-loop. */
export function hasYoungRun(statuses: readonly ContainerStatus[], nowMs: number): boolean {
  return statuses.some(({ restartCount, state }) => {
    return restartCount >= 2 && state?.kind === "running" && (state.startedAtMs ?? nowMs) > nowMs - YOUNG_MS;
  });
}

/** The same of a pod's JSON, without parsing it. */
export function mentionsYoungRun(pod: string, nowMs: number): boolean {
  if (!/"restartCount":\s*(?:[2-9]|\d\d)/.test(pod)) return false;
  const since = new Date(nowMs - YOUNG_MS).toISOString();
  const runs = [...pod.matchAll(/"running":\s*\{\s*"startedAt":\s*"([^"]+)"/g)];
  return runs.some(([, startedAt = ""]) => startedAt > since);
}
