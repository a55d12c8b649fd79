import type { Missing } from "../../explain/observed/observation.ts";
import { pagesOf } from "../api/collection-pages.ts";
import type { LabelSelector } from "../api/target-selector.ts";
import type { Connection } from "../connection/connection.ts";
import { whyMissing } from "../connection/request-failure.ts";
import { collectionPath, inPath, type ObjectKind } from "../objects/workload-kinds.ts";

export type RawObject = Readonly<Record<string, unknown>>;

export type Found<T> =
  | { readonly value: T; readonly why: null }
  | { readonly value: null; readonly why: Missing["why"]; readonly error: unknown };

/** Reads workloads, their revisions and their pods from a cluster or from files. */
export interface ObjectSource {
  /** Namespace null, for files only, means any namespace. */
  get(kind: ObjectKind, namespace: string | null, name: string): Promise<Found<RawObject>>;
  /** Selector null matches all objects, namespace null means all namespaces. */
  list(
    kind: ObjectKind,
    namespace: string | null,
    selector: LabelSelector | null,
  ): Promise<Found<readonly RawObject[]>>;
}

/** Reads from a cluster, and sends each request once, because pods share owners. */
export function liveSource(connection: Connection): ObjectSource {
  const asked = new Map<string, Promise<Found<unknown>>>();
  const once = <T>(key: string, ask: () => Promise<T>): Promise<Found<T>> => {
    const known = asked.get(key) ?? attempt(ask);
    asked.set(key, known);
    return known as Promise<Found<T>>;
  };
  return {
    get: (kind, namespace, name) => {
      const path = `${collectionPath(kind, namespace)}/${inPath(name)}`;
      return once(path, async () => (await connection.get(path)).body as RawObject);
    },
    list: (kind, namespace, selector) => {
      const path = collectionPath(kind, namespace);
      const query: Record<string, string> = selector === null ? {} : { labelSelector: selector.text };
      return once(`${path}?${selector?.text ?? ""}`, async () => {
        const objects: RawObject[] = [];
        // `push(...page)` fails beyond some 100,000 objects, which an API server may send in one page.
        for await (const page of pagesOf(connection, path, query)) for (const object of page) objects.push(object);
        return objects;
      });
    },
  };
}

async function attempt<T>(ask: () => Promise<T>): Promise<Found<T>> {
  try {
    return { value: await ask(), why: null };
  } catch (error) {
    return { value: null, why: whyMissing(error), error };
  }
}
