import { aRawEvent } from "../../test/support/raw-objects.ts";
import { aRawWorkload, ownedBy } from "../../test/support/raw-workloads.ts";
import { rawNode } from "../api-server/node-columns.ts";
import { loopingPod } from "../faults/pod.ts";
import { type Place, secretOf } from "./canary.ts";

const DEPLOYMENT = { kind: "Deployment", name: "web" };
const REPLICA_SET = { kind: "ReplicaSet", name: "web-6f7d8c9b5" };
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

export const POD = "web-0";

export function plantedPod(nowMs: number): object {
  const pod = loopingPod(nowMs) as { metadata: object; spec: object };
  return {
    ...pod,
    metadata: {
      ...ownedBy(REPLICA_SET, POD, pod.metadata),
      annotations: { [LAST_APPLIED]: `{"spec":{"env":"${secretOf("annotation")}"}}` },
      labels: { app: "web", secret: secretOf("label"), "pod-template-hash": "6f7d8c9b5" },
      managedFields: [{ manager: secretOf("managed fields"), operation: "Update" }],
    },
    spec: {
      ...pod.spec,
      containers: [container("app")],
      ephemeralContainers: [container("debugger")],
      imagePullSecrets: [{ name: secretOf("pull secret") }],
      volumes: [{ name: "data", csi: { driver: "a.example", volumeAttributes: { key: secretOf("volume") } } }],
    },
  };
}

/** `suffix` makes values differ between revisions, so that the program compares them. */
function container(name: string, suffix = ""): object {
  const planted = (place: Place): string => secretOf(place) + suffix;
  const headers = [{ name: "Authorization", value: `Bearer ${planted("probe")}` }];
  return {
    name,
    image: "registry.example/web:v7",
    env: [
      { name: "PASSWORD", value: planted("env") },
      { name: "DATABASE", value: `postgres://web:${planted("URL in env")}@db${suffix}/web` },
      { name: "OPTIONS", value: `--mode=fast --api-key ${planted("flag in env")}` },
    ],
    envFrom: [{ secretRef: { name: "web-secret" } }, { configMapRef: { name: "web-config" } }],
    command: ["/app", `--password=${planted("command")}`],
    args: [planted("args")],
    livenessProbe: { httpGet: { path: `/?key=${planted("probe")}`, port: 80, httpHeaders: headers } },
    startupProbe: { exec: { command: ["/probe", planted("probe")] } },
    lifecycle: { postStart: { exec: { command: ["/hook", secretOf("lifecycle")] } } },
    volumeMounts: [{ name: "data", mountPath: `/data/${secretOf("volume")}` }],
  };
}

/** The objects have data, because an API server may ignore that the program asks only for their metadata. */
export function plantedSources(nowMs: number) {
  const writtenAt = new Date(nowMs - 600_000).toISOString();
  const fieldsV1 = { "f:data": { [`f:${secretOf("Secret's managed fields")}`]: {} } };
  const managedFields = [{ manager: "kubectl-edit", operation: "Update", time: writtenAt, fieldsV1 }];
  const metadata = { namespace: "prod", resourceVersion: "5", creationTimestamp: writtenAt, managedFields };
  const lastApplied = JSON.stringify({ data: { password: secretOf("Secret's annotation") } });
  return {
    secret: {
      ...{ apiVersion: "v1", kind: "Secret" },
      metadata: { ...metadata, name: "web-secret", annotations: { [LAST_APPLIED]: lastApplied } },
      data: { password: Buffer.from(secretOf("Secret's data")).toString("base64") },
    },
    configMap: {
      ...{ apiVersion: "v1", kind: "ConfigMap" },
      metadata: { ...metadata, name: "web-config" },
      data: { url: secretOf("ConfigMap's data") },
    },
  };
}

/** The pod's log names this Service, which has no ready endpoint. */
export function plantedService() {
  const annotated = (name: string, place: Place): object => ({
    ...{ name, namespace: "prod", labels: { "kubernetes.io/service-name": "db" } },
    annotations: { [LAST_APPLIED]: secretOf(place), "external/url": `postgres://db:${secretOf(place)}@db/web` },
  });
  return {
    service: {
      ...{ apiVersion: "v1", kind: "Service", metadata: annotated("db", "Service's annotation") },
      spec: { clusterIP: "10.0.0.7", ports: [{ port: 5432 }], selector: { app: "web" } },
    },
    slice: {
      ...{ apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice" },
      metadata: annotated("db-x", "EndpointSlice's annotation"),
      endpoints: [{ addresses: ["10.1.0.1"], conditions: { ready: false } }],
    },
  };
}

export function plantedSurroundings(nowMs: number) {
  const last = new Date(nowMs - 20_000).toISOString();
  const node = rawNode("node-a", "v1.37.1", last);
  const event = aRawEvent("web-0.1") as { metadata: object };
  const annotations = { [LAST_APPLIED]: secretOf("owner's template"), "deployment.kubernetes.io/revision": "2" };
  const templateWith = (suffix: string): object => ({
    metadata: { labels: { app: "web" }, annotations: { [LAST_APPLIED]: `${secretOf("owner's template")}${suffix}` } },
    spec: { containers: [container("app", suffix)] },
  });
  const template = templateWith("");
  const spec = { replicas: 1, selector: { matchLabels: { app: "web" } }, template };
  const status = { replicas: 1, updatedReplicas: 1 };
  return {
    node: {
      ...node,
      metadata: { ...(node["metadata"] as object), annotations: { key: secretOf("node's annotation") } },
    },
    event: {
      ...event,
      metadata: { ...event.metadata, annotations: { key: secretOf("event's annotation") } },
      ...{ firstTimestamp: last, lastTimestamp: last },
    },
    deployment: aRawWorkload("Deployment", DEPLOYMENT.name, { metadata: { annotations }, spec, status }),
    replicaSet: aRawWorkload("ReplicaSet", REPLICA_SET.name, {
      metadata: { ...ownedBy(DEPLOYMENT, REPLICA_SET.name), annotations },
      ...{ spec, status },
    }),
    olderReplicaSet: aRawWorkload("ReplicaSet", "web-5c4f6d7b8", {
      metadata: {
        ...ownedBy(DEPLOYMENT, "web-5c4f6d7b8"),
        annotations: { ...annotations, "deployment.kubernetes.io/revision": "1" },
      },
      spec: { ...spec, replicas: 0, template: templateWith("-1") },
      status: { replicas: 0 },
    }),
    controllerRevision: { kind: "ControllerRevision", data: { key: secretOf("revision's data") } },
  };
}

export const PLANTED_CONFIGZ = {
  staticPodURLHeader: { Authorization: [`Bearer ${secretOf("configz")}`] },
  crashLoopBackOff: { maxContainerRestartPeriod: "5m0s" },
};
