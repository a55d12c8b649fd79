import { type Simulator, startSimulator } from "../../lab/api-server/simulator.ts";
import { readExample } from "../../src/cluster/files/example-files.ts";
import { findExample } from "../../src/cluster/files/examples.ts";
import { at, objectsOf, textOf } from "../../src/cluster/objects/json-access.ts";
import { kubeconfigFor } from "../../test/support/kubeconfig-document.ts";

export interface RecordedServer extends Pick<Simulator, "url" | "close"> {
  readonly namespace: string;
  readonly pod: string;
  kubeconfig(url: string): string;
}

/** The figures of benchmarks can be compared only while this example stays the same. */
const EXAMPLE = "error-not-crashloopbackoff";

/** The server's clock stands still at the moment of the example. */
export async function startRecordedServer(): Promise<RecordedServer> {
  const example = findExample(EXAMPLE);
  const items = objectsOf(at(JSON.parse(readExample(example.file)), "items"));
  const nameOf = (kind: string, field = "name"): string => {
    const found = items.find((item) => item["kind"] === kind);
    return textOf(at(found, "metadata", field)) ?? "";
  };
  const recorded = items.filter(({ kind }) => kind === "Pod" || kind === "Event" || kind === "Node");
  const objects = recorded.map((item) => (item["kind"] === "Pod" ? { ...item, metadata: ownedMetadata(item) } : item));
  const { close, cluster, on, url } = await startSimulator({ objects, clock: () => example.atMs });
  const config = items.find((item) => "kubeletconfig" in item);
  on(`/api/v1/nodes/${nameOf("Node")}/proxy/configz`, JSON.stringify(config ?? {}));
  const namespace = nameOf("Pod", "namespace");
  for (const [path, body] of Object.entries(workloadAnswers(namespace))) on(path, JSON.stringify(body));
  const kubeconfig = (server: string) => JSON.stringify(kubeconfigFor({ ...cluster, server }, undefined, namespace));
  return { namespace, pod: nameOf("Pod"), kubeconfig, url, close };
}

const HASH = "5d8c9f6b7";
const LABELS = { app: "web", "pod-template-hash": HASH };
const REPLICA_SET = { apiVersion: "apps/v1", kind: "ReplicaSet", name: `web-${HASH}`, uid: "uid-of-the-replica-set" };
const DEPLOYMENT = { apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: "uid-of-the-deployment" };

function ownedMetadata({ metadata }: Readonly<Record<string, unknown>>): object {
  return { ...(metadata as object), labels: LABELS, ownerReferences: [{ ...REPLICA_SET, controller: true }] };
}

function workloadAnswers(namespace: string): Readonly<Record<string, object>> {
  const group = `/apis/apps/v1/namespaces/${namespace}`;
  const { kind, apiVersion, ...own } = REPLICA_SET;
  const selector = { matchLabels: { app: "web" } };
  const annotations = { "deployment.kubernetes.io/revision": "1" };
  const ownerReferences = [{ ...DEPLOYMENT, controller: true }];
  const metadata = { ...own, namespace, labels: LABELS, annotations, ownerReferences };
  const replicaSet = { kind, apiVersion, metadata, spec: { replicas: 1, selector }, status: { replicas: 1 } };
  return {
    [`${group}/deployments/web`]: {
      ...{ kind: DEPLOYMENT.kind, apiVersion, metadata: { name: "web", namespace, uid: DEPLOYMENT.uid, annotations } },
      ...{ spec: { replicas: 1, selector }, status: { replicas: 1, updatedReplicas: 1 } },
    },
    [`${group}/replicasets/${own.name}`]: replicaSet,
    [`${group}/replicasets`]: { kind: "ReplicaSetList", apiVersion, metadata: {}, items: [replicaSet] },
  };
}
