import type { Condition } from "../explain/observed/observation.ts";
import { instantOf } from "./timestamp.ts";
import { at, objectsOf, oneOf, textOf } from "./untrusted.ts";

/** The conditions of a pod's or a node's `status`; one without a type says nothing and is left out. */
export function conditionsOf(status: unknown): readonly Condition[] {
  return objectsOf(at(status, "conditions")).flatMap((raw) => {
    const type = textOf(at(raw, "type"));
    if (type === null) return [];
    return [
      {
        type,
        status: oneOf(at(raw, "status"), ["True", "False"]) ?? "Unknown",
        reason: textOf(at(raw, "reason")),
        message: textOf(at(raw, "message")),
        lastTransitionAtMs: instantOf(at(raw, "lastTransitionTime")),
      },
    ];
  });
}
