import { instantOf } from "./timestamp.ts";
import { at } from "./untrusted.ts";
import {
  ANY_OBJECT,
  isCount,
  isFlag,
  isInteger,
  isLongCount,
  isText,
  isTime,
  listOf,
  type ObjectShape,
  type Shape,
  wordOf,
} from "./unusable.ts";

/** `metadata`, as far as it is read of any object. */
export const METADATA = {
  name: isText,
  namespace: isText,
  uid: isText,
  resourceVersion: (value: unknown) => isText(value) || isLongCount(value),
  generation: isLongCount,
  creationTimestamp: isTime,
  deletionTimestamp: isTime,
  labels: { values: isText },
  ownerReferences: listOf({ apiVersion: isText, kind: isText, name: isText, uid: isText, controller: isFlag }),
} as const satisfies ObjectShape["fields"];

/** `restartPolicy`, of a pod or of a container. */
export const RESTART_POLICY = wordOf("Always", "OnFailure", "Never");

/** `status.conditions`. */
export const CONDITIONS = listOf(
  {
    type: isText,
    status: wordOf("True", "False", "Unknown"),
    reason: isText,
    message: isText,
    lastTransitionTime: isTime,
    lastUpdateTime: isTime,
  },
  "type",
);

const PROBE: Shape = {
  fields: {
    initialDelaySeconds: isCount,
    periodSeconds: isCount,
    timeoutSeconds: isCount,
    failureThreshold: isCount,
    terminationGracePeriodSeconds: isLongCount,
  },
};

const RULES = listOf(
  {
    action: wordOf("Restart", "RestartAllContainers"),
    exitCodes: { fields: { operator: wordOf("In", "NotIn"), values: { items: isInteger } } },
  },
  "action",
);

const CONTAINERS = listOf(
  {
    name: isText,
    image: isText,
    imagePullPolicy: isText,
    restartPolicy: RESTART_POLICY,
    restartPolicyRules: RULES,
    livenessProbe: PROBE,
    startupProbe: PROBE,
    lifecycle: { fields: { postStart: ANY_OBJECT } },
  },
  "name",
);

const TERMINATED: Shape = {
  fields: {
    exitCode: isInteger,
    signal: isInteger,
    reason: isText,
    message: isText,
    startedAt: isTime,
    finishedAt: isTime,
    containerID: isText,
  },
  contradictions: (terminated) => (endsBeforeItBegins(terminated) ? ["startedAt"] : []),
};

const STATE: Shape = {
  fields: {
    running: { fields: { startedAt: isTime } },
    waiting: { fields: { reason: isText, message: isText } },
    terminated: TERMINATED,
  },
};

const STATUSES = listOf(
  {
    name: isText,
    restartCount: isCount,
    containerID: isText,
    imageID: isText,
    started: isFlag,
    ready: isFlag,
    state: STATE,
    lastState: { fields: { terminated: TERMINATED } },
  },
  "name",
);

/** A Pod, as far as it is read. */
export const POD: Shape = {
  fields: {
    metadata: { fields: { ...METADATA, annotations: { fields: { "kubernetes.io/config.mirror": isText } } } },
    spec: {
      fields: {
        nodeName: isText,
        restartPolicy: RESTART_POLICY,
        terminationGracePeriodSeconds: isLongCount,
        hostNetwork: isFlag,
        initContainers: CONTAINERS,
        containers: CONTAINERS,
        ephemeralContainers: CONTAINERS,
      },
    },
    status: {
      fields: {
        podIP: isText,
        phase: isText,
        reason: isText,
        message: isText,
        startTime: isTime,
        conditions: CONDITIONS,
        initContainerStatuses: STATUSES,
        containerStatuses: STATUSES,
        ephemeralContainerStatuses: STATUSES,
      },
    },
  },
};

/** Whether a terminated instance is said to have ended before it began: then it is not known when it began. */
export function endsBeforeItBegins(terminated: unknown): boolean {
  const startedAtMs = instantOf(at(terminated, "startedAt"));
  const finishedAtMs = instantOf(at(terminated, "finishedAt"));
  return startedAtMs !== null && finishedAtMs !== null && finishedAtMs < startedAtMs;
}
