import type { Prose } from "./prose.ts";

/**
 * What failing workloads can share. "log" is a log line, "host" a host that their logs name, "message" the API's reason
 * why their containers cannot start, and "time" the time at which they began to fail.
 */
export type SharedThing = "log" | "message" | "host" | "configmap" | "secret" | "image" | "node" | "time";

/** Something that several failing workloads of a list share, and that may be the cause of all their failures. */
export interface Common {
  /** A sentence about these workloads, without a full stop. */
  readonly sentence: Prose;
  readonly pods: readonly { readonly namespace: string; readonly name: string }[];
  /** What exactly these workloads share, the most telling thing first. */
  readonly what: readonly SharedThing[];
}
