import type { Connection } from "../connection/connection.ts";
import { at, objectsOf, textOf } from "../objects/untrusted.ts";

/** Of a large collection only the first names, without the objects themselves. */
const FIRST_NAMES = {
  query: { limit: "500" },
  accept: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
  isOptional: true,
};

/** The names of the objects at a path; none where they may not be listed. */
export async function namesAt(connection: Connection, path: string): Promise<readonly string[]> {
  try {
    const { body } = await connection.get(path, FIRST_NAMES);
    return objectsOf(at(body, "items")).flatMap((item) => textOf(at(item, "metadata", "name")) ?? []);
  } catch {
    return []; // A suggestion is a courtesy: what matters is that the object is not there.
  }
}
