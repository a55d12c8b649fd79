import type { Lockfile, Manifest } from "./lockfile.ts";
import { RULES } from "./rules.ts";

/** What came of one rule. */
export interface Finding {
  readonly rule: string;
  readonly says: string;
  readonly violations: readonly string[];
}

/** Every rule, with what breaks it. */
export function findingsIn(lock: Lockfile, manifest: Manifest): Finding[] {
  return RULES.map(({ name, says, violations }) => ({ rule: name, says, violations: violations(lock, manifest) }));
}
