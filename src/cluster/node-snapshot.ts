import type { NodeSnapshot } from "../explain/observed/observation.ts";
import { conditionsOf } from "./conditions.ts";
import { NODE } from "./object-shapes.ts";
import { at, textOf } from "./untrusted.ts";
import { unusableIn } from "./unusable.ts";

/** A Node object as the API prints it. Whatever it is given, it does not throw. */
export function toNodeSnapshot(raw: unknown): NodeSnapshot {
  return {
    name: textOf(at(raw, "metadata", "name")) ?? "",
    uid: textOf(at(raw, "metadata", "uid")),
    kubeletVersion: textOf(at(raw, "status", "nodeInfo", "kubeletVersion")),
    conditions: conditionsOf(at(raw, "status")),
    ...unusableIn(raw, NODE),
  };
}
