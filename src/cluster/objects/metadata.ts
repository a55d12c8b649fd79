import type { Condition } from "../../explain/observed/observation.ts";
import { flag, into, list, longCount, map, object, text, time, value, word } from "./declaration.ts";
import { longCountOf } from "./untrusted.ts";
import { OBJECT_KINDS } from "./workload-kinds.ts";

/** The kinds that every cluster has. A report replaces other kinds, because they can name a product. */
export const KIND = new RegExp(`^(${[...OBJECT_KINDS, "Node", "ReplicationController"].join("|")})$`);

const API_VERSION = /^(v1|(apps|batch|extensions)\/v\d[a-z0-9]*)$/;

export const OWNER_REFERENCES = list(
  object({
    apiVersion: text(API_VERSION),
    kind: text(KIND),
    name: text("name"),
    uid: text("uid"),
    controller: flag,
  }),
);

/** The labels by which Kubernetes' controllers find the pods of a revision. */
export const REVISION_LABELS = ["pod-template-hash", "controller-revision-hash"];

export const METADATA = {
  name: text("name"),
  namespace: text("namespace"),
  uid: text("uid"),
  resourceVersion: value(/^\d+$/, (raw) => (typeof raw === "string" ? raw || null : (longCountOf(raw) ?? undefined))),
  generation: longCount,
  creationTimestamp: time,
  deletionTimestamp: time,
  deletionGracePeriodSeconds: longCount,
  labels: map(text("label"), REVISION_LABELS),
  ownerReferences: OWNER_REFERENCES,
};

/** The condition types that the program reads. All are Kubernetes' own, so a report may hold them as they are. */
const CONDITION_TYPES = new RegExp(
  `^(${[
    ...["Ready", "ContainersReady", "Initialized", "PodScheduled", "PodReadyToStartContainers", "DisruptionTarget"],
    ...["AllContainersRestarting", "Progressing", "Available", "ReplicaFailure", "Complete", "Failed", "Suspended"],
  ].join("|")})$`,
);

export const CONDITION = object(
  {
    type: text(CONDITION_TYPES),
    status: word("True", "False", "Unknown"),
    reason: text("reason"),
    message: text("message"),
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

export const CONDITIONS = list(into(CONDITION, conditionIn));
