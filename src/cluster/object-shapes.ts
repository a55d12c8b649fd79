import { parseGoDuration } from "../kubelet/go-duration.ts";
import { CONDITIONS, METADATA, RESTART_POLICY } from "./pod-shape.ts";
import { isCount, isFlag, isLongCount, isText, isTime, listOf, type Shape, wordOf } from "./unusable.ts";

const SUBJECT: Shape = { fields: { kind: isText, namespace: isText, name: isText, uid: isText, fieldPath: isText } };

/** An Event of either API group, as far as it is read. */
export const EVENT: Shape = {
  fields: {
    metadata: { fields: METADATA },
    type: wordOf("Normal", "Warning"),
    reason: isText,
    message: isText,
    note: isText,
    involvedObject: SUBJECT,
    regarding: SUBJECT,
    count: isCount,
    deprecatedCount: isCount,
    firstTimestamp: isTime,
    lastTimestamp: isTime,
    deprecatedFirstTimestamp: isTime,
    deprecatedLastTimestamp: isTime,
    eventTime: isTime,
    series: { fields: { count: isCount, lastObservedTime: isTime } },
  },
};

/** A Node, as far as it is read. */
export const NODE: Shape = {
  fields: {
    metadata: { fields: METADATA },
    status: { fields: { nodeInfo: { fields: { kubeletVersion: isText } }, conditions: CONDITIONS } },
  },
};

const isDuration = (value: unknown): boolean => {
  const durationMs = typeof value === "string" ? parseGoDuration(value) : null;
  return durationMs !== null && durationMs >= 0;
};

/** A kubelet's configuration, as far as it is read. */
export const KUBELET_CONFIG: Shape = {
  fields: {
    crashLoopBackOff: { fields: { maxContainerRestartPeriod: isDuration } },
    featureGates: { values: isFlag },
    syncFrequency: isDuration,
  },
};

/** "25%": the other form of a field that is a number of pods or a share of them. */
export function isPercentage(value: unknown): boolean {
  return typeof value === "string" && /^\d{1,9}%$/.test(value);
}

const TEMPLATE: Shape = {
  fields: {
    metadata: { fields: { labels: { values: isText } } },
    spec: {
      fields: {
        restartPolicy: RESTART_POLICY,
        initContainers: listOf({ name: isText, image: isText }),
        containers: listOf({ name: isText, image: isText }),
      },
    },
  },
};

const EXPRESSION = {
  key: isText,
  operator: wordOf("In", "NotIn", "Exists", "DoesNotExist"),
  values: { items: isText },
};

/** A workload's selector. */
export const SELECTOR: Shape = {
  fields: { matchLabels: { values: isText }, matchExpressions: listOf(EXPRESSION, "key") },
};

const SPEC = {
  replicas: isCount,
  progressDeadlineSeconds: isCount,
  podManagementPolicy: wordOf("OrderedReady", "Parallel"),
  backoffLimit: isCount,
  backoffLimitPerIndex: isCount,
  maxFailedIndexes: isCount,
  schedule: isText,
  suspend: isFlag,
  concurrencyPolicy: wordOf("Allow", "Forbid", "Replace"),
  template: TEMPLATE,
  updateStrategy: {
    fields: {
      type: wordOf("RollingUpdate", "OnDelete", "Recreate"),
      rollingUpdate: {
        fields: { partition: isCount, maxUnavailable: (value: unknown) => isPercentage(value) || isCount(value) },
      },
    },
  },
  selector: SELECTOR,
} as const;

const COUNTS = [
  ...["updatedReplicas", "availableReplicas", "readyReplicas", "desiredNumberScheduled", "updatedNumberScheduled"],
  ...["numberUnavailable", "failed", "succeeded", "active"],
];

/** A workload, or one of its revisions, as far as it is read. */
export const WORKLOAD: Shape = {
  fields: {
    metadata: { fields: { ...METADATA, annotations: { fields: { "deployment.kubernetes.io/revision": isText } } } },
    spec: { fields: SPEC },
    status: {
      fields: {
        ...Object.fromEntries(COUNTS.map((count) => [count, isCount])),
        failedIndexes: isText,
        currentRevision: isText,
        updateRevision: isText,
        conditions: CONDITIONS,
      },
    },
    data: { fields: { spec: { fields: { template: TEMPLATE } } } },
    revision: isLongCount,
  },
};
