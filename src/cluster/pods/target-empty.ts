import { nameOfTarget } from "../api/target-words.ts";
import { conditionsOf } from "../objects/metadata.ts";
import { at } from "../objects/untrusted.ts";
import type { WorkloadKind } from "../objects/workload-kinds.ts";
import type { ObjectSource, RawObject } from "../owners/workload-source.ts";

/** Conditions of workloads that tell why there are no pods. */
const TELLING = ["Failed", "Complete", "Suspended", "ReplicaFailure"];

/** Says that a workload has no pods, and why, as far as it says so itself. */
export async function noPodsSentence(
  source: ObjectSource,
  kind: WorkloadKind,
  name: string,
  namespace: string | null,
): Promise<string> {
  const { value } = await source.get(kind, namespace, name);
  const where = namespace === null ? "in the input" : `in namespace ${JSON.stringify(namespace)}`;
  const reason = value === null ? null : reasonOf(value);
  return `${nameOfTarget({ kind, name })} ${where} has no pods${reason === null ? "" : `: ${reason}`}.`;
}

function reasonOf(raw: RawObject): string | null {
  const condition = conditionsOf(at(raw, "status")).find(
    ({ type, status }) => TELLING.includes(type) && status === "True",
  );
  if (condition !== undefined) {
    const { type, reason, message } = condition;
    return [type, ...(reason === null ? [] : [reason]), ...(message === null ? [] : [message])]
      .join(", ")
      .replace(/\.$/, "");
  }
  if (at(raw, "spec", "replicas") === 0) return "spec.replicas is 0";
  return at(raw, "spec", "suspend") === true ? "it is suspended" : null;
}
