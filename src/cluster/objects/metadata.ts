import type { Condition } from "../../explain/observed/observation.ts";
import { flag, list, longCount, map, mapped, object, text, textOrNumber, time, word } from "./declaration.ts";

export const OWNER_REFERENCES = list(
  object({
    apiVersion: text,
    kind: text,
    name: text,
    uid: text,
    controller: flag,
  }),
);

export const REVISION_LABELS = ["pod-template-hash", "controller-revision-hash"];

export const METADATA = {
  name: text,
  namespace: text,
  uid: text,
  resourceVersion: textOrNumber,
  generation: longCount,
  creationTimestamp: time,
  deletionTimestamp: time,
  deletionGracePeriodSeconds: longCount,
  labels: map(text, REVISION_LABELS),
  ownerReferences: OWNER_REFERENCES,
};

export const CONDITION = object(
  {
    type: text,
    status: word("True", "False", "Unknown"),
    reason: text,
    message: text,
    lastTransitionTime: time,
    lastUpdateTime: time,
  },
  "type",
);

type ConditionFields = ReturnType<typeof CONDITION.read>;

export function conditionIn({ type, status, reason, message, lastTransitionTime }: ConditionFields): Condition | null {
  if (type === null) return null;
  return { type, status: status ?? "Unknown", reason, message, lastTransitionAtMs: lastTransitionTime };
}

export const CONDITIONS = list(mapped(CONDITION, conditionIn));
