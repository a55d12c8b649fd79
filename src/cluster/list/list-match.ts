import { fetched } from "../api/fetched.ts";
import { inNamespace, noMatchSentence } from "../api/target-words.ts";
import { bestEffort, type Connection } from "../connection/connection.ts";
import { at, objectsOf } from "../objects/json-access.ts";
import { collectionPath } from "../objects/workload-kinds.ts";
import type { ListScope } from "./list-pages.ts";

/** Asks the API server again, because the list leaves out completed and failed pods, which can match. */
export async function noMatchNotes(
  connection: Connection,
  { namespace, labelSelector }: Pick<ListScope, "namespace" | "labelSelector">,
): Promise<readonly string[]> {
  if (labelSelector === undefined) return [];
  const query = { labelSelector, limit: "1" };
  const { value } = await fetched(() => bestEffort(connection).get(collectionPath("Pod", namespace), { query }));
  const hasNone = value !== null && objectsOf(at(value.body, "items")).length === 0;
  return hasNone ? [noMatchSentence("Pod", labelSelector, inNamespace(namespace))] : [];
}
