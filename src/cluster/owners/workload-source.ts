import { pagesOf } from "../api/collection-pages.ts";
import { type Fetched, fetched, oncePerKey } from "../api/fetched.ts";
import type { LabelSelector } from "../api/target-selector.ts";
import type { Connection } from "../connection/connection.ts";
import { nameOf } from "../objects/owner-reference.ts";
import { collectionPath, inPath, type ObjectKind } from "../objects/workload-kinds.ts";

export type RawObject = Readonly<Record<string, unknown>>;

/** Reads workloads, their revisions and their pods from a cluster or from files. */
export interface ObjectSource {
  /** A null `namespace` matches any namespace; only files allow it. */
  get(kind: ObjectKind, namespace: string | null, name: string): Promise<Fetched<RawObject>>;
  /** A null `selector` matches all objects, a null `namespace` all namespaces. */
  list(
    kind: ObjectKind,
    namespace: string | null,
    selector: LabelSelector | null,
  ): Promise<Fetched<readonly RawObject[]>>;
}

/** Reads objects from a cluster. Sends each request only once, because several pods can share an owner. */
export function liveSource(connection: Connection): ObjectSource {
  const objectAt = oncePerKey<Fetched<RawObject>>();
  const pathOf = (kind: ObjectKind, namespace: string | null, name: string): string =>
    `${collectionPath(kind, namespace)}/${inPath(name)}`;
  const objectsAt = oncePerKey<Fetched<readonly RawObject[]>>();
  return {
    get: (kind, namespace, name) => {
      const path = pathOf(kind, namespace, name);
      return objectAt(path, () => fetched(async () => (await connection.get(path)).body as RawObject));
    },
    list: (kind, namespace, selector) => {
      const path = collectionPath(kind, namespace);
      const query: Record<string, string> = selector === null ? {} : { labelSelector: selector.text };
      const ask = async (): Promise<readonly RawObject[]> => {
        const objects: RawObject[] = [];
        for await (const page of pagesOf(connection, path, query)) for (const object of page) objects.push(object);
        // What a list has shown is not requested again.
        for (const object of objects)
          void objectAt(pathOf(kind, namespace, nameOf(object)), async () => ({ value: object, why: null }));
        return objects;
      };
      return objectsAt(`${path}?${selector?.text ?? ""}`, () => fetched(ask));
    },
  };
}
