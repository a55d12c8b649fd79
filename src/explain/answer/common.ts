import type { Prose } from "./prose.ts";

/**
 * What failing workloads can share. "message": the API's message about why they cannot start. "time": when they began.
 */
export type SharedThing = "log" | "message" | "host" | "configmap" | "secret" | "image" | "node" | "time";

/** Something that rows of a list share, and that may be the reason why they all fail. */
export interface Common {
  /** Without a full stop. */
  readonly sentence: Prose;
  readonly pods: readonly { readonly namespace: string; readonly name: string }[];
  /** What they share, the most telling thing first. */
  readonly what: readonly SharedThing[];
}
