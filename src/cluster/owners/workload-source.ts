import { pagesOf } from "../api/collection-pages.ts";
import { type Fetched, fetched, oncePerKey } from "../api/fetched.ts";
import type { LabelSelector } from "../api/target-selector.ts";
import type { Connection } from "../connection/connection.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import { isObject, type JsonObject } from "../objects/json-access.ts";
import { nameOf, namespaceOf } from "../objects/owner-reference.ts";
import { collectionPath, type ObjectKind, objectPath } from "../objects/workload-kinds.ts";

export interface ObjectSource {
  /** A null `namespace` matches any namespace. The `get` of a `liveSource` needs a namespace. */
  get(kind: ObjectKind, namespace: string | null, name: string): Promise<Fetched<JsonObject>>;
  list(
    kind: ObjectKind,
    namespace: string | null,
    selector: LabelSelector | null,
  ): Promise<Fetched<readonly JsonObject[]>>;
}

/** Keeps the answers, because several pods can share an owner. */
export function liveSource(connection: Connection): ObjectSource {
  const objectAt = oncePerKey<Fetched<JsonObject>>();
  const objectsAt = oncePerKey<Fetched<readonly JsonObject[]>>();
  return {
    get: (kind, namespace, name) => {
      const path = objectPath(kind, namespace, name);
      const ask = async (): Promise<JsonObject> => {
        const { body } = await connection.get(path);
        if (isObject(body)) return body;
        throw new RequestFailure("bad-answer", { message: `it is no ${kind}`, status: 200 });
      };
      return objectAt(path, () => fetched(ask));
    },
    list: (kind, namespace, selector) => {
      const path = collectionPath(kind, namespace);
      const query: Record<string, string> = selector === null ? {} : { labelSelector: selector.text };
      const ask = async (): Promise<readonly JsonObject[]> => {
        const objects = (await Array.fromAsync(pagesOf(connection, path, query))).flat();
        // A later `get` of one of these objects sends no request.
        for (const object of objects)
          void objectAt(objectPath(kind, namespaceOf(object), nameOf(object)), async () => ({
            value: object,
            why: null,
          }));
        return objects;
      };
      return objectsAt(`${path}?${selector?.text ?? ""}`, () => fetched(ask));
    },
  };
}
