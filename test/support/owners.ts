import { podTemplateIn } from "../../src/cluster/objects/pod-template.ts";
import type {
  Condition,
  DaemonSetSnapshot,
  DeploymentSnapshot,
  JobSnapshot,
  OwnedPod,
  PodTemplate,
  RevisionSnapshot,
  StatefulSetSnapshot,
} from "../../src/explain/observed/observation.ts";
import { T0_MS } from "./builders.ts";

export function condition(type: string, status: Condition["status"], more: Partial<Condition> = {}): Condition {
  return { type, status, reason: null, message: null, lastTransitionAtMs: null, ...more };
}

export function aFailingPod(longestRunMs: number) {
  return { name: "web", longestRunMs, isDecidedBy: () => false, writtenAtMs: null };
}

export function aDeployment(more: Partial<DeploymentSnapshot> = {}): DeploymentSnapshot {
  const numbers = { replicas: 3, updatedReplicas: 1, readyReplicas: 2, availableReplicas: 2 };
  const progress = { progressDeadlineMs: 600_000, isPaused: false, progressedAtMs: null, conditions: [] };
  return { kind: "Deployment", name: "api", ...numbers, ...progress, ...more };
}

export function aStatefulSet(more: Partial<StatefulSetSnapshot> = {}): StatefulSetSnapshot {
  return {
    kind: "StatefulSet",
    name: "db",
    replicas: 3,
    updatedReplicas: 0,
    readyReplicas: 2,
    currentRevision: "db-1",
    updateRevision: "db-2",
    updateStrategy: "RollingUpdate",
    partition: 0,
    firstOrdinal: 0,
    isOrdered: true,
    ...more,
  };
}

export function aDaemonSet(more: Partial<DaemonSetSnapshot> = {}): DaemonSetSnapshot {
  const numbers = { desired: 4, updated: 1, ready: 3, unavailable: 1 };
  return {
    kind: "DaemonSet",
    name: "agent",
    ...numbers,
    updateStrategy: "RollingUpdate",
    maxUnavailable: "1",
    ...more,
  };
}

export function aJob(more: Partial<JobSnapshot> = {}): JobSnapshot {
  const numbers = { backoffLimit: 6, deadlineMs: null, failed: 0, succeeded: 0, active: 1, ready: 0 };
  const pods = { parallelism: 1, completions: 1 };
  const rest = { perIndex: null, restartPolicy: "Never" as const, conditions: [], cronJob: null };
  return { kind: "Job", name: "export", ...numbers, ...pods, ...rest, ...more };
}

export function anOwnedPod(name: string, more: Partial<OwnedPod> = {}): OwnedPod {
  const times = { createdAtMs: null, readySinceMs: null, finishedAtMs: null, images: [] };
  return { name, revision: null, phase: "Running", isReady: false, restarts: 5, ...times, ...more };
}

export function aRevision(number: number, image: string, more: Partial<RevisionSnapshot> = {}): RevisionSnapshot {
  return {
    name: `rev-${number}`,
    number,
    createdAtMs: T0_MS,
    isReused: false,
    template: aTemplate({ image }),
    ...more,
  };
}

export function aTemplate(fields: object, { annotations = {}, others = [] as object[], ...spec } = {}): PodTemplate {
  const defaults = { terminationMessagePath: "/dev/termination-log", terminationMessagePolicy: "File" };
  const containers = [{ name: "app", image: "web:1", ...defaults, ...fields }, ...others];
  return podTemplateIn({ metadata: { annotations }, spec: { containers, ...spec } });
}
