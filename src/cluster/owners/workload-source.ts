import { pagesOf } from "../api/collection-pages.ts";
import { attempt, type Found, oncePerKey } from "../api/found.ts";
import type { LabelSelector } from "../api/target-selector.ts";
import type { Connection } from "../connection/connection.ts";
import { collectionPath, inPath, type ObjectKind } from "../objects/workload-kinds.ts";

export type RawObject = Readonly<Record<string, unknown>>;

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
  const objectAt = oncePerKey<Found<RawObject>>();
  const objectsAt = oncePerKey<Found<readonly RawObject[]>>();
  return {
    get: (kind, namespace, name) => {
      const path = `${collectionPath(kind, namespace)}/${inPath(name)}`;
      return objectAt(path, () => attempt(async () => (await connection.get(path)).body as RawObject));
    },
    list: (kind, namespace, selector) => {
      const path = collectionPath(kind, namespace);
      const query: Record<string, string> = selector === null ? {} : { labelSelector: selector.text };
      const ask = async (): Promise<readonly RawObject[]> => {
        const objects: RawObject[] = [];
        for await (const page of pagesOf(connection, path, query)) for (const object of page) objects.push(object);
        return objects;
      };
      return objectsAt(`${path}?${selector?.text ?? ""}`, () => attempt(ask));
    },
  };
}
