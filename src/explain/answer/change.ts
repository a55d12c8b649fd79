import type { Prose } from "./prose.ts";
import type { SettingChange } from "./setting-change.ts";

/** A change that may have made a pod fail: it came shortly before the failures or with them, or its time is unknown. */
export interface Change {
  readonly kind: "revision" | "configmap" | "secret" | "image-digest" | "node";
  /** The name of the changed ReplicaSet, ControllerRevision, ConfigMap, Secret or node, or the image. */
  readonly name: string;
  /** The earliest and the latest instant at which the change can have happened; null if unknown. */
  readonly betweenMs: readonly [number, number] | null;
  /** The program that made the change, e.g. "kubectl-edit"; null if unknown. */
  readonly by: string | null;
  readonly basis: "observed" | "inferred";
  readonly sentence: Prose;
  /** What a revision changed; left out for other changes. */
  readonly settings?: readonly SettingChange[];
}
