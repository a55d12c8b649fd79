import type { ServerOptions } from "../network/http-server.ts";
import { Collection, keyOf, type Stored, storedOf } from "./collection.ts";
import { podStateOf, type Raw, rfc3339 } from "./container-statuses.ts";
import { type Crowd, type CrowdOptions, type CrowdPod, crowdOf } from "./crowd.ts";
import { rawCrowdPod } from "./crowd-pod.ts";
import { Logs } from "./logs.ts";
import { rawNode } from "./node-columns.ts";
import { Watches } from "./watches.ts";

const KUBELET_VERSION = "v1.37.1";

export interface SimulatorOptions extends ServerOptions {
  readonly crowd?: CrowdOptions;
  readonly objects?: readonly object[];
  readonly clock?: () => number;
  readonly after?: (ms: number, act: () => void) => void;
  /**
   * Resources that clients may not read: `events`, `nodes/proxy`, `pods@team-1` (only in that namespace), `pods@*`
   * (only across all namespaces).
   */
  readonly forbidden?: readonly string[];
  /** False: the server answers with whole objects to clients that ask for a Table. */
  readonly hasTables?: boolean;
  readonly kubelet?: { readonly version?: string; readonly config?: Raw };
}

export class State {
  readonly options: SimulatorOptions;
  readonly now: () => number;
  readonly collections: readonly Collection[];
  readonly watches: Watches;
  readonly logs = new Logs();
  readonly fixed = new Map<string, { readonly text: string; readonly type: string }>();

  constructor(options: SimulatorOptions) {
    this.options = options;
    this.now = options.clock ?? Date.now;
    this.watches = new Watches(options.after ?? ((ms, act) => void setTimeout(act, ms).unref()));
    const crowd = options.crowd === undefined ? null : crowdOf(options.crowd);
    this.collections = collectionsOf(options, crowd, this.now());
    for (const raw of options.objects ?? []) this.put(raw as Raw);
  }

  put(raw: Raw): string {
    const collection = this.#collectionOf(String(raw["kind"] ?? "Pod"));
    const version = ++this.watches.version;
    const stored = withVersion(raw, version);
    const type = collection.put(storedOf(stored)) ? "MODIFIED" : "ADDED";
    this.watches.tell({ version, type, collection, raw: stored });
    return `${version}`;
  }

  remove(key: string, kind: string): void {
    const collection = this.#collectionOf(kind);
    const raw = collection.remove(key);
    if (raw === undefined) throw new Error(`There is no ${kind} ${key}`);
    const version = ++this.watches.version;
    this.watches.tell({ version, type: "DELETED", collection, raw: withVersion(raw, version) });
  }

  #collectionOf(kind: string): Collection {
    const collection = this.collections.find((candidate) => candidate.kind === kind);
    if (collection === undefined) throw new Error(`The simulator keeps no ${kind}`);
    return collection;
  }
}

function withVersion(raw: Raw, version: number): Raw {
  return { ...raw, metadata: { ...(raw["metadata"] as Raw), resourceVersion: `${version}` } };
}

function collectionsOf({ kubelet }: SimulatorOptions, crowd: Crowd | null, bornAtMs: number): Collection[] {
  const createdAt = rfc3339(bornAtMs - 90 * 86_400_000);
  const [pods, nodes] = [new Collection("Pod", "pods"), new Collection("Node", "nodes")];
  const namespaces = new Collection("Namespace", "namespaces");
  for (const name of crowd?.nodeNames ?? [])
    nodes.put(storedOf(rawNode(name, kubelet?.version ?? KUBELET_VERSION, createdAt)));
  for (const name of crowd?.namespaces ?? []) {
    const metadata = { name, uid: `uid-of-${name}`, creationTimestamp: createdAt };
    namespaces.put(storedOf({ metadata, status: { phase: "Active" } }));
  }
  for (const pod of crowd?.pods ?? []) pods.put(storedCrowdPod(pod, bornAtMs));
  const others = Object.entries(OTHER_RESOURCES).map(([kind, resource]) => new Collection(kind, resource));
  return [pods, nodes, namespaces, ...others];
}

const OTHER_RESOURCES: Readonly<Record<string, string>> = {
  ...{ Event: "events", ConfigMap: "configmaps", Secret: "secrets", Service: "services" },
  ...{ Deployment: "deployments", ReplicaSet: "replicasets", StatefulSet: "statefulsets" },
  ...{ ControllerRevision: "controllerrevisions", Job: "jobs", EndpointSlice: "endpointslices" },
};

/** Builds the object only on request, to save memory. */
function storedCrowdPod(pod: CrowdPod, bornAtMs: number): Stored {
  const { namespace, name, nodeName, labels } = pod;
  const fields: Readonly<Record<string, () => string>> = {
    "metadata.name": () => name,
    "metadata.namespace": () => namespace,
    "spec.nodeName": () => nodeName ?? "",
    "status.phase": () => podStateOf(pod, bornAtMs).phase,
  };
  const field = (path: string): string => fields[path]?.() ?? "";
  return { key: keyOf(namespace, name), labels, field, raw: () => rawCrowdPod(pod, bornAtMs) };
}
