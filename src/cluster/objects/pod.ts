import type { ContainerSpec, ContainerStatus, OwnedPod, PodSnapshot } from "../../explain/observed/observation.ts";
import { distinctSources, sourcesOfVolumes, VOLUMES, volumeSourcesIn } from "./config-sources.ts";
import { CONTAINER_LISTS, initType, RESOURCES, RESTART_POLICY, STATUS_LISTS, specFromStatus } from "./container.ts";
import { flag, list, longCount, mapped, object, readObject, text, time, word } from "./declaration.ts";
import { CONDITIONS, METADATA } from "./metadata.ts";
import { controllerAmong } from "./owner-reference.ts";
import type { ObjectKind } from "./workload-kinds.ts";

/** `corev1.DefaultTerminationGracePeriodSeconds` (v1.37.1, staging/src/k8s.io/api/core/v1/types.go). */
const DEFAULT_GRACE_PERIOD_SECONDS = 30;

/** `MirrorPodAnnotationKey` (k8s.io/api v0.37.1, core/v1/annotation_key_constants.go). */
export const MIRROR_ANNOTATION = "kubernetes.io/config.mirror";

/** `ConfigSourceAnnotationKey` (v1.37.1, pkg/kubelet/types/pod_update.go): where the kubelet got the pod from. */
const SOURCE_ANNOTATION = "kubernetes.io/config.source";

/**
 * `JobCompletionIndexAnnotation`, `JobIndexFailureCountAnnotation` and `JobIndexIgnoredFailureCountAnnotation`
 * (k8s.io/api v0.37.1, batch/v1/types.go).
 */
const JOB_INDEX = {
  index: "batch.kubernetes.io/job-completion-index",
  failures: "batch.kubernetes.io/job-index-failure-count",
  ignoredFailures: "batch.kubernetes.io/job-index-ignored-failure-count",
} as const;

const POD_METADATA = object({
  ...METADATA,
  finalizers: list(text),
  annotations: object({
    [MIRROR_ANNOTATION]: text,
    [SOURCE_ANNOTATION]: word("api", "file", "http"),
    [JOB_INDEX.index]: text,
    [JOB_INDEX.failures]: text,
    [JOB_INDEX.ignoredFailures]: text,
  }),
});

type Annotations = ReturnType<typeof POD_METADATA.read>["annotations"];

const CONTAINER_STATUSES = object(STATUS_LISTS);

export const POD = mapped(
  object({
    metadata: POD_METADATA,
    spec: object({
      nodeName: text,
      restartPolicy: RESTART_POLICY,
      terminationGracePeriodSeconds: longCount,
      activeDeadlineSeconds: longCount,
      hostNetwork: flag,
      resources: RESOURCES,
      volumes: VOLUMES,
      schedulingGates: list(object({ name: text })),
      ...CONTAINER_LISTS,
    }),
    status: object({
      podIP: text,
      phase: text,
      reason: text,
      message: text,
      startTime: time,
      conditions: CONDITIONS,
      ...STATUS_LISTS,
    }),
  }),
  ({ metadata, spec, status }): PodSnapshot => {
    const controller = controllerAmong(metadata.ownerReferences);
    const listed = [...spec.initContainers, ...spec.containers, ...spec.ephemeralContainers];
    const graceSeconds = spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_PERIOD_SECONDS;
    const gates = spec.schedulingGates.flatMap(({ name }) => name ?? []);
    const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
    const deletionMs = (deletionGracePeriodSeconds ?? graceSeconds) * 1000;
    return {
      namespace: metadata.namespace ?? "default",
      name: metadata.name ?? "<unknown>",
      uid: metadata.uid,
      generation: metadata.generation,
      createdAtMs: metadata.creationTimestamp,
      deletionAtMs: deletionTimestamp,
      deletionRequestedAtMs: deletionTimestamp === null ? null : deletionTimestamp - deletionMs,
      finalizers: metadata.finalizers,
      owner: controller === null ? null : { kind: controller.kind, name: controller.name },
      nodeName: spec.nodeName,
      restartPolicy: spec.restartPolicy ?? "Always",
      gracePeriodMs: graceSeconds * 1000,
      hostNetwork: spec.hostNetwork === true,
      ...(isStatic(metadata.annotations, controller) && { isStatic: true }),
      memoryLimit: spec.resources.limits.memory,
      podIP: status.podIP,
      ...mountedIn(spec.volumes, listed),
      ...(gates.length > 0 && { schedulingGates: gates }),
      phase: status.phase,
      reason: status.reason,
      message: status.message,
      startedAtMs: status.startTime,
      ...deadlineOf(status.startTime, spec.activeDeadlineSeconds),
      conditions: status.conditions,
      containers: [...listed, ...unlisted(status, new Set(listed.map(({ name }) => name)))],
      statuses: [...status.initContainerStatuses, ...status.containerStatuses, ...status.ephemeralContainerStatuses],
    };
  },
);

function deadlineOf(startedAtMs: number | null, seconds: number | null): Pick<PodSnapshot, "deadlineAtMs"> {
  return startedAtMs === null || seconds === null ? {} : { deadlineAtMs: startedAtMs + seconds * 1_000 };
}

/**
 * The kubelet makes the Node the controller of the API server's copy of a static pod (mirror pod): `CreateMirrorPod`
 * (v1.37.1, pkg/kubelet/pod/mirror_client.go).
 */
function isStatic(annotations: Annotations, controller: { readonly kind: string } | null): boolean {
  const source = annotations[SOURCE_ANNOTATION];
  return (
    annotations[MIRROR_ANNOTATION] !== null || (source !== null && source !== "api") || controller?.kind === "Node"
  );
}

function mountedIn(volumes: ReturnType<typeof VOLUMES.read>, containers: readonly ContainerSpec[]) {
  const sources = distinctSources([...containers.flatMap((one) => one.sources ?? []), ...sourcesOfVolumes(volumes)]);
  const claims = volumes.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim.claimName ?? []);
  const volumeSources = volumeSourcesIn(volumes);
  return {
    ...(sources.length > 0 && { sources }),
    ...(Object.keys(volumeSources).length > 0 && { volumeSources }),
    ...(claims.length > 0 && { claims }),
  };
}

export function toPodSnapshot(raw: unknown): PodSnapshot {
  return readObject(POD, raw);
}

/**
 * Leaves out ephemeral containers, for which `UpdatePodStatus` (v1.37.1, pkg/kubelet/prober/prober_manager.go) never
 * sets `ready`.
 */
export function containerStatusesOf(status: unknown): readonly ContainerStatus[] {
  const { initContainerStatuses, containerStatuses } = CONTAINER_STATUSES.read(status, []);
  return [...initContainerStatuses, ...containerStatuses];
}

type StatusLists = ReturnType<typeof CONTAINER_STATUSES.read>;

/**
 * Makes specs for containers that only the status has. Inferred: an init container that runs while an app container
 * runs is a sidecar.
 */
function unlisted(status: StatusLists, listed: ReadonlySet<string>): ContainerSpec[] {
  const isAnyRunning = status.containerStatuses.some(({ state }) => state?.kind === "running");
  const made = (statuses: readonly ContainerStatus[], typeOf: (status: ContainerStatus) => ContainerSpec["type"]) =>
    statuses.filter(({ name }) => !listed.has(name)).map((one) => specFromStatus(one, typeOf(one)));
  return [
    ...made(status.initContainerStatuses, ({ state }) =>
      isAnyRunning && state?.kind === "running" ? "sidecar" : "init",
    ),
    ...made(status.containerStatuses, () => "app"),
    ...made(status.ephemeralContainerStatuses, () => "ephemeral"),
  ];
}

export const OWNED_POD = object({
  metadata: POD_METADATA,
  spec: object({ initContainers: list(object({ name: text, restartPolicy: RESTART_POLICY })) }),
  status: object({ phase: text, conditions: CONDITIONS, ...STATUS_LISTS }),
});

export function toOwnedPod(kind: ObjectKind, workload: string, raw: unknown): OwnedPod {
  const { metadata, spec, status } = OWNED_POD.read(raw, []);
  const sidecars = new Set(
    spec.initContainers.flatMap((one) => (initType(one.restartPolicy) === "sidecar" ? one.name : [])),
  );
  const statuses = [...status.initContainerStatuses, ...status.containerStatuses];
  const ready = status.conditions.find(({ type }) => type === "Ready");
  const isReady = ready?.status === "True";
  return {
    name: metadata.name ?? "",
    revision:
      kind === "Deployment" || kind === "ReplicaSet"
        ? (controllerAmong(metadata.ownerReferences)?.name ?? null)
        : revisionLabelled(kind, workload, metadata.labels["controller-revision-hash"]),
    phase: status.phase,
    isReady,
    createdAtMs: metadata.creationTimestamp,
    readySinceMs: isReady ? (ready?.lastTransitionAtMs ?? null) : null,
    restarts: statuses.reduce((sum, { restartCount }) => sum + restartCount, 0),
    images: status.containerStatuses.flatMap(({ name: container, image, imageID }) =>
      image === null || imageID === null ? [] : [{ container, image, imageID }],
    ),
    finishedAtMs: lastFinish([
      ...status.containerStatuses,
      ...status.initContainerStatuses.filter(({ name }) => sidecars.has(name)),
    ]),
    ...(kind === "Job" && ofIndexIn(metadata.annotations)),
  };
}

/**
 * The label of a StatefulSet's pod has the ControllerRevision's whole name. The label of a DaemonSet's pod has only the
 * hash at the end of the name.
 */
function revisionLabelled(kind: ObjectKind, workload: string, label: string | undefined): string | null {
  return kind === "DaemonSet" && label !== undefined ? `${workload}-${label}` : (label ?? null);
}

/** See `getFinishTimeFromContainers` (v1.37.1, pkg/controller/job/backoff_utils.go). */
function lastFinish(statuses: readonly ContainerStatus[]): number | null {
  const finishes = statuses.flatMap(({ state }) => (state?.kind === "terminated" ? (state.finishedAtMs ?? []) : []));
  return finishes.length === 0 || finishes.length < statuses.length ? null : Math.max(...finishes);
}

/**
 * Unlike `parseIndexFailureCountAnnotation` (v1.37.1, pkg/controller/job/indexed_job_utils.go), does not read a missing
 * `job-index-failure-count` as 0.
 */
function ofIndexIn(annotations: Readonly<Record<string, string | null>>): Pick<OwnedPod, "ofIndex"> {
  const number = (annotation: string): number | null => {
    const digits = annotations[annotation] ?? "";
    return /^\d{1,9}$/.test(digits) ? Number(digits) : null;
  };
  const index = number(JOB_INDEX.index);
  const failures = number(JOB_INDEX.failures);
  if (index === null || failures === null) return {};
  return { ofIndex: { index, failures, ignoredFailures: number(JOB_INDEX.ignoredFailures) ?? 0 } };
}
