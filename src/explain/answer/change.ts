import type { Prose } from "./prose.ts";
import type { SettingChange } from "./setting-change.ts";

/** What changed before the pod failed, or when its failures began. */
export interface Change {
  readonly kind: "revision" | "configmap" | "secret" | "image-digest" | "node";
  /** The name of the object that changed. */
  readonly name: string;
  /** The earliest and the latest instant of the change; null if unknown. */
  readonly betweenMs: readonly [number, number] | null;
  /** The program that made the change, e.g. "kubectl-edit"; null if unknown. */
  readonly by: string | null;
  readonly basis: "observed" | "inferred";
  readonly sentence: Prose;
  /** What a revision changed; left out for other changes. */
  readonly settings?: readonly SettingChange[];
}
