import type { Explanation } from "../../src/explain/answer/explanation.ts";
import { HOSTILE } from "../../test/support/hostile-situations.ts";
import { textOfWorld, toldOfBytes } from "./real-path.ts";
import { type WorldObjects, worlds } from "./world.ts";

/** A recorded pod, read as from the API, in which every text is an attack, except dates and what identifies its parts. */
export async function hostilePod(): Promise<Explanation> {
  const world = worlds()[0];
  if (world === undefined) throw new Error("There is no recording");
  const objects = attacked(world.objects, "") as WorldObjects;
  return (await toldOfBytes(textOfWorld(objects), world.atMs)).explanation;
}

/** Without these fields the program would read nothing of the pod or of its containers. */
const KEPT = /^(kind|apiVersion|namespace|uid|resourceVersion|nodeName|restartPolicy|phase|type|status|fieldPath)$/;

function attacked(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((inner) => attacked(inner, key));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, attacked(inner, name)]));
  }
  const isDate = typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value);
  return typeof value === "string" && !isDate && !KEPT.test(key) ? HOSTILE : value;
}
