import { quoted } from "../answer/excerpt.ts";
import { joinedWords } from "../answer/prose.ts";
import { conditionOf, distinct, readyHeldByGates } from "../observed/lookups.ts";
import type { PodSnapshot } from "../observed/observation.ts";

/**
 * Matches the messages 'corresponding condition of pod readiness gate "x" does not exist.' and 'the status of pod
 * readiness gate "x" is not "True", but False' (`GeneratePodReadyCondition`, pkg/kubelet/status/generate.go, v1.37.1).
 */
const GATE = /pod readiness gate "([^"]+)"/g;

export function unreadyGatesOf(pod: PodSnapshot): string | null {
  const ready = readyHeldByGates(pod);
  if (ready === null) return null;
  const { message } = ready;
  const names = distinct([...(message ?? "").matchAll(GATE)].map(([, name = ""]) => name));
  if (names.length === 0) return `its readiness gates are not true${message === null ? "" : `: ${quoted(message)}`}`;
  const [without, others] = [names.filter((name) => !conditionOf(pod, name)), names.filter((n) => conditionOf(pod, n))];
  const missing = `its readiness ${without.length === 1 ? "gate" : "gates"} ${joinedWords(without, "and")} ${without.length === 1 ? "has" : "have"} no condition yet`;
  return [...(without.length === 0 ? [] : [missing]), ...others.map((name) => statusClause(pod, name))].join("; ");
}

function statusClause(pod: PodSnapshot, gate: string): string {
  const { status = "Unknown", reason = null, message = null } = conditionOf(pod, gate) ?? {};
  const why = [reason, message === null ? null : quoted(message)].filter((each) => each !== null && each !== "");
  return `its readiness gate ${gate} is ${status}${why.length === 0 ? "" : ` (${why.join(": ")})`}`;
}
