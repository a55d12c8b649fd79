import { joinedProse, type Prose, prose } from "./prose.ts";

export interface NodeFact {
  readonly kind:
    | "not-ready"
    | "pressure"
    | "draining"
    | "maintenance"
    | "cordoned"
    | "tainted"
    | "kubelet-restart"
    | "reboot";
  readonly sinceMs: number | null;
  readonly what: string;
}

export function nodeInWords(node: string, facts: readonly NodeFact[], failingSinceMs: number | null = null): Prose {
  const clauses = facts.map((fact, index) => factInWords(index === 0 ? node : "it", fact, failingSinceMs));
  return joinedProse("; ", clauses);
}

export function factInWords(
  subject: string,
  { kind, what, sinceMs }: NodeFact,
  failingSinceMs: number | null = null,
): Prose {
  const then = kind === "cordoned" ? ": new pods avoid it, pods on it still restart" : "";
  if (sinceMs === null) return `${subject} ${what}${then}`;
  const isMoment = kind === "kubelet-restart" || kind === "reboot";
  const isAfter = failingSinceMs !== null && sinceMs > failingSinceMs;
  return isMoment
    ? prose`${subject} ${what} at ${{ atMs: sinceMs }}`
    : prose`${subject} ${what} (since ${{ atMs: sinceMs }}${isAfter ? ", after the failures began" : ""})${then}`;
}
