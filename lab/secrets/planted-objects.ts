import { rawNode } from "../api-server/node-columns.ts";
import { secretOf } from "./canary.ts";

const SECOND_MS = 1_000;
const NODE = "node-a";
const DEPLOYMENT = { kind: "Deployment", name: "web" };
const REPLICA_SET = { kind: "ReplicaSet", name: "web-6f7d8c9b5" };

export const POD = "web-0";

/** A crash-looping pod with secrets in every field that can hold one and that users need not see. */
export function plantedPod(nowMs: number): object {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...metadataOf(POD, REPLICA_SET, nowMs - 900 * SECOND_MS),
      annotations: {
        "kubectl.kubernetes.io/last-applied-configuration": `{"spec":{"env":"${secretOf("annotation")}"}}`,
      },
      labels: { app: "web", secret: secretOf("label"), "pod-template-hash": "6f7d8c9b5" },
      managedFields: [{ manager: secretOf("managed fields"), operation: "Update" }],
    },
    spec: {
      nodeName: NODE,
      restartPolicy: "Always",
      containers: [container("app")],
      initContainers: [container("setup")],
      imagePullSecrets: [{ name: secretOf("pull secret") }],
      volumes: [{ name: "data", csi: { driver: "a.example", volumeAttributes: { key: secretOf("volume") } } }],
    },
    status: statusOf(nowMs),
  };
}

function container(name: string): object {
  const headers = [{ name: "Authorization", value: `Bearer ${secretOf("probe")}` }];
  return {
    name,
    image: "registry.example/web:v7",
    env: [{ name: "PASSWORD", value: secretOf("env") }],
    command: ["/app", `--password=${secretOf("command")}`],
    args: [secretOf("args")],
    livenessProbe: { httpGet: { path: `/?key=${secretOf("probe")}`, port: 80, httpHeaders: headers } },
    startupProbe: { exec: { command: ["/probe", secretOf("probe")] } },
    lifecycle: { postStart: { exec: { command: ["/hook", secretOf("lifecycle")] } } },
    volumeMounts: [{ name: "data", mountPath: `/data/${secretOf("volume")}` }],
  };
}

function statusOf(nowMs: number): object {
  const at = (ageSeconds: number): string => new Date(nowMs - ageSeconds * SECOND_MS).toISOString();
  const exit = { exitCode: 1, reason: "Error", message: "cannot open the file", startedAt: at(60), finishedAt: at(20) };
  const waiting = { reason: "CrashLoopBackOff", message: "back-off 2m40s restarting failed container=app" };
  const ended = { terminated: { exitCode: 0, reason: "Completed", startedAt: at(899), finishedAt: at(898) } };
  return {
    phase: "Running",
    startTime: at(900),
    conditions: [{ type: "Ready", status: "False", lastTransitionTime: at(20) }],
    initContainerStatuses: [{ name: "setup", restartCount: 0, ready: true, started: false, state: ended }],
    containerStatuses: [
      {
        ...{ name: "app", restartCount: 5, ready: false, started: false, containerID: "containerd://5" },
        ...{ state: { waiting }, lastState: { terminated: { ...exit, containerID: "containerd://5" } } },
      },
    ],
  };
}

/** The node, an event, and the owners of the pod. */
export function plantedSurroundings(nowMs: number) {
  const last = new Date(nowMs - 20 * SECOND_MS).toISOString();
  const node = rawNode(NODE, "v1.37.1", last);
  const annotations = { key: secretOf("event's annotation") };
  const template = { metadata: { labels: { app: "web" } }, spec: { containers: [container("app")] } };
  const owned = { "kubectl.kubernetes.io/last-applied-configuration": secretOf("owner's template") };
  const workload = ({ kind, name }: typeof DEPLOYMENT, owner: typeof DEPLOYMENT | null): object => ({
    apiVersion: "apps/v1",
    kind,
    metadata: {
      ...metadataOf(name, owner, nowMs - 1_000 * SECOND_MS),
      annotations: { ...owned, "deployment.kubernetes.io/revision": "1" },
    },
    spec: { replicas: 1, selector: { matchLabels: { app: "web" } }, template },
    status: { replicas: 1, updatedReplicas: 1 },
  });
  return {
    node: {
      ...{ kind: "Node", ...node },
      metadata: { ...(node["metadata"] as object), annotations: { key: secretOf("node's annotation") } },
    },
    event: {
      kind: "Event",
      metadata: { name: "web-0.1", namespace: "prod", annotations, creationTimestamp: last },
      involvedObject: {
        kind: "Pod",
        namespace: "prod",
        name: POD,
        uid: `uid-of-${POD}`,
        fieldPath: "spec.containers{app}",
      },
      ...{ type: "Warning", reason: "BackOff", count: 3, firstTimestamp: last, lastTimestamp: last },
      message: "Back-off restarting failed container app in pod web-0",
    },
    deployment: workload(DEPLOYMENT, null),
    replicaSet: workload(REPLICA_SET, DEPLOYMENT),
    controllerRevision: { kind: "ControllerRevision", data: { key: secretOf("revision's data") } },
  };
}

export const PLANTED_CONFIGZ = {
  staticPodURLHeader: { Authorization: [`Bearer ${secretOf("configz")}`] },
  crashLoopBackOff: { maxContainerRestartPeriod: "5m0s" },
};

function metadataOf(name: string, owner: { kind: string; name: string } | null, createdAtMs: number): object {
  const reference = owner && { apiVersion: "apps/v1", ...owner, uid: `uid-of-${owner.name}`, controller: true };
  return {
    ...{ name, namespace: "prod", uid: `uid-of-${name}`, creationTimestamp: new Date(createdAtMs).toISOString() },
    ...(reference !== null && { ownerReferences: [reference] }),
  };
}
