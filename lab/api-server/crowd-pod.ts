import { DAY_MS } from "../../src/kubelet/go-duration.ts";
import { type ContainerFields, type PodState, podStateOf, type Raw, rfc3339 } from "./container-statuses.ts";
import type { CrowdPod } from "./crowd.ts";

const ANNOTATIONS = { "prometheus.io/scrape": "true", "prometheus.io/port": "9090" };

/** About 5.5 kB of JSON. */
export function rawCrowdPod(pod: CrowdPod, nowMs: number): Raw {
  const state = podStateOf(pod, nowMs);
  const createdAt = rfc3339(nowMs - DAY_MS * (5 + Math.floor(pod.dice[1] * 30)));
  return { metadata: metadataOf(pod, createdAt), spec: specOf(pod, state), status: statusOf(pod, state, createdAt) };
}

function metadataOf({ name, namespace, uid, labels, owner, index }: CrowdPod, createdAt: string): Raw {
  const ownerReference = {
    apiVersion: "apps/v1",
    ...owner,
    uid: `${uid.slice(0, -4)}0000`,
    controller: true,
    blockOwnerDeletion: true,
  };
  return {
    name,
    ...(owner.kind === "ReplicaSet" && { generateName: `${owner.name}-` }),
    namespace,
    uid,
    resourceVersion: String(1000 + index),
    generation: 1,
    creationTimestamp: createdAt,
    labels,
    annotations: ANNOTATIONS,
    ownerReferences: [ownerReference],
    managedFields: MANAGED_FIELDS,
  };
}

const ACCESS = { name: "kube-api-access", mountPath: "/var/run/secrets/kubernetes.io/serviceaccount", readOnly: true };
const IMAGE = "registry.example/team/app:v7";
const IMAGE_ID = "registry.example/team/app@sha256:3b2d6c2a7a0a4f6e9c1f5c6ea2f5d3d9a6b1ce7d1a5b8f43a9f0f2f3a6f6b7c1";

const APP = containerOf("app", {
  ports: [{ name: "http", containerPort: 8080, protocol: "TCP" }],
  env: [
    { name: "POD_NAME", valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "metadata.name" } } },
    { name: "LOG_LEVEL", value: "info" },
    { name: "DATABASE_URL", valueFrom: { secretKeyRef: { name: "app-database", key: "url" } } },
  ],
  resources: { limits: { cpu: "1", memory: "512Mi" }, requests: { cpu: "100m", memory: "256Mi" } },
  livenessProbe: probeOf("/healthz"),
  readinessProbe: probeOf("/ready"),
});

function containerOf(name: string, fields: Raw): Raw {
  return {
    name,
    image: IMAGE,
    ...fields,
    volumeMounts: [ACCESS],
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    imagePullPolicy: "IfNotPresent",
  };
}

function probeOf(path: string): Raw {
  const httpGet = { path, port: "http", scheme: "HTTP" };
  return { httpGet, timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
}

const INIT = containerOf("setup", { command: ["/setup"], resources: {} });
const SIDECAR = containerOf("proxy", { restartPolicy: "Always", resources: {} });
const SHARED = {
  volumes: [
    {
      name: "kube-api-access",
      projected: {
        sources: [
          { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
          { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
        ],
        defaultMode: 420,
      },
    },
  ],
  dnsPolicy: "ClusterFirst",
  serviceAccountName: "default",
  serviceAccount: "default",
  securityContext: {},
  schedulerName: "default-scheduler",
  tolerations: ["not-ready", "unreachable"].map((taint) => ({
    key: `node.kubernetes.io/${taint}`,
    operator: "Exists",
    effect: "NoExecute",
    tolerationSeconds: 300,
  })),
  priority: 0,
  enableServiceLinks: true,
  preemptionPolicy: "PreemptLowerPriority",
};

function owned(value: unknown): Raw {
  if (typeof value !== "object" || value === null) return {};
  if (!Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [`f:${key}`, owned(inner)]));
  const keyOf = ({ name, type }: Raw): string => `k:${JSON.stringify(name === undefined ? { type } : { name })}`;
  return Object.fromEntries(value.map((item: Raw) => [keyOf(item), { ".": {}, ...owned(item) }]));
}

const MANAGED_FIELDS: readonly Raw[] = [
  {
    ...{ manager: "kube-controller-manager", operation: "Update", apiVersion: "v1", time: "2026-11-16T08:00:00Z" },
    fieldsType: "FieldsV1",
    fieldsV1: owned({
      metadata: { annotations: ANNOTATIONS, generateName: "", labels: { app: "", "pod-template-hash": "" } },
      spec: { containers: [APP], restartPolicy: "", terminationGracePeriodSeconds: 30, ...SHARED },
      status: { containerStatuses: null, hostIP: "", hostIPs: null, phase: "", podIP: "", startTime: "" },
    }),
  },
];

function specOf(pod: CrowdPod, { phase, init, sidecar }: PodState): Raw {
  const initContainers = [...(init === null ? [] : [INIT]), ...(sidecar === null ? [] : [SIDECAR])];
  return {
    ...(initContainers.length > 0 && { initContainers }),
    containers: [APP],
    restartPolicy: phase === "Succeeded" ? "OnFailure" : "Always",
    terminationGracePeriodSeconds: 30,
    ...(pod.nodeName !== null && { nodeName: pod.nodeName }),
    ...SHARED,
  };
}

function statusOf(pod: CrowdPod, state: PodState, createdAt: string): Raw {
  const { phase, app } = state;
  if (app === null)
    return { phase, conditions: [conditionOf("PodScheduled", false, createdAt)], qosClass: "Burstable" };
  const host = `10.0.${pod.index % 250}.${Math.floor(pod.dice[0] * 250)}`;
  const ip = `10.${64 + (pod.index % 100)}.${Math.floor(pod.index / 100) % 250}.${pod.index % 250}`;
  const inits = [statusesOf(pod, "setup", state.init), statusesOf(pod, "proxy", state.sidecar)].flat();
  const isReady = app.ready && inits.length === 0;
  return {
    phase,
    conditions: [
      conditionOf("PodReadyToStartContainers", true, createdAt),
      conditionOf("Initialized", state.isInitialized, createdAt),
      conditionOf("Ready", isReady, createdAt),
      conditionOf("ContainersReady", isReady, createdAt),
      conditionOf("PodScheduled", true, createdAt),
    ],
    hostIP: host,
    hostIPs: [{ ip: host }],
    podIP: ip,
    podIPs: [{ ip }],
    startTime: createdAt,
    ...(inits.length > 0 && { initContainerStatuses: inits }),
    containerStatuses: statusesOf(pod, "app", app),
    qosClass: "Burstable",
  };
}

function conditionOf(type: string, holds: boolean, at: string): Raw {
  const why = holds || type === "PodScheduled" ? {} : { reason: "ContainersNotReady" };
  return { type, status: holds ? "True" : "False", lastProbeTime: null, lastTransitionTime: at, ...why };
}

function statusesOf(pod: CrowdPod, name: string, fields: ContainerFields | null): Raw[] {
  if (fields === null) return [];
  const { hasInstance, state, lastState = {}, ready, started, restartCount } = fields;
  const containerID = `containerd://${`${pod.uid}${name}`.replaceAll("-", "").padEnd(64, "0")}`;
  const imageID = hasInstance ? IMAGE_ID : "";
  const [now, before] = [completed(state, name, containerID), completed(lastState, name, containerID)];
  const instance = hasInstance ? { containerID } : {};
  return [{ name, state: now, lastState: before, ready, restartCount, image: IMAGE, imageID, ...instance, started }];
}

function completed(state: Raw, name: string, containerID: string): Raw {
  const { terminated, waiting } = state as { terminated?: Raw; waiting?: { message?: string } };
  if (terminated !== undefined) return { terminated: { ...terminated, containerID } };
  if (waiting?.message === undefined) return state;
  return { waiting: { ...waiting, message: waiting.message.replace("CONTAINER", name) } };
}
