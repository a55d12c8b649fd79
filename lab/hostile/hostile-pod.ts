import type { Explanation } from "../../src/explain/answer/explanation.ts";
import { HOSTILE } from "../../test/support/hostile-situations.ts";
import { mapTexts } from "../../test/support/map-texts.ts";
import { textOfWorld, toldOfBytes } from "./real-path.ts";
import { type WorldObjects, worlds } from "./world.ts";

/** Explains a recorded pod whose texts are attacks, except dates and the fields in `KEPT`. */
export async function hostilePod(): Promise<Explanation> {
  const world = worlds()[0];
  if (world === undefined) throw new Error("There is no recording");
  const objects = mapTexts(world.objects, attack) as WorldObjects;
  return (await toldOfBytes(textOfWorld(objects), world.atMs)).explanation;
}

/** With attacks in these fields, the program could read too little of the pod. */
const KEPT = /^(kind|apiVersion|namespace|uid|resourceVersion|nodeName|restartPolicy|phase|type|status|fieldPath)$/;

function attack(text: string, key: string): string {
  return /^\d{4}-\d\d-\d\dT/.test(text) || KEPT.test(key) ? text : HOSTILE;
}
