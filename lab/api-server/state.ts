import { type Collection, collectionOf, keyOf, type LazyObjects } from "./collection.ts";
import { podStateOf, type Raw, rfc3339 } from "./container-statuses.ts";
import type { Crowd } from "./crowd.ts";
import { rawCrowdPod } from "./crowd-pod.ts";
import { Logs } from "./logs.ts";
import { rawNode } from "./node-columns.ts";
import type { SimulatorOptions } from "./simulator.ts";
import { type Watches, watches } from "./watches.ts";

export interface State {
  readonly options: SimulatorOptions;
  readonly collections: readonly Collection[];
  readonly watches: Watches;
  readonly logs: Logs;
  /** Answers that a test prepared, by path. */
  readonly fixed: Map<string, { readonly text: string; readonly type: string }>;
  now(): number;
  /** `oldestVersion`: the oldest resourceVersion that can still be read. */
  version(): number;
  oldestVersion(): number;
  put(raw: Raw): string;
  remove(key: string, kind: string): void;
}

/** The initial objects have lower versions. */
const FIRST_VERSION = 1_000_000;
const KUBELET_VERSION = "v1.37.1";

export function newState(options: SimulatorOptions, crowd: Crowd | null): State {
  const now = options.clock ?? Date.now;
  const bornAtMs = now();
  let [version, oldest] = [FIRST_VERSION, FIRST_VERSION];
  const collections = collectionsOf(options, crowd, bornAtMs);
  const told = watches(
    () => version,
    () => oldest,
    () => {
      oldest = ++version;
    },
  );
  const put = (raw: Raw): string => {
    const collection = collectionFor(collections, String(raw["kind"] ?? "Pod"));
    const resourceVersion = String(++version);
    const stored = { ...raw, metadata: { ...(raw["metadata"] as Raw), resourceVersion } };
    const type = collection.put(stored) ? "MODIFIED" : "ADDED";
    told.tell({ version, type, collection, raw: stored });
    return resourceVersion;
  };
  for (const raw of options.objects ?? []) put(raw as Raw);
  return {
    options,
    collections,
    watches: told,
    logs: new Logs(),
    fixed: new Map(),
    now,
    version: () => version,
    oldestVersion: () => oldest,
    put,
    remove: (key, kind) => {
      const collection = collectionFor(collections, kind);
      const raw = collection.remove(key);
      if (raw === undefined) throw new Error(`There is no ${kind} ${key}`);
      const metadata = { ...(raw["metadata"] as Raw), resourceVersion: String(++version) };
      told.tell({ version, type: "DELETED", collection, raw: { ...raw, metadata } });
    },
  };
}

function collectionFor(collections: readonly Collection[], kind: string): Collection {
  const collection = collections.find((candidate) => candidate.kind === kind);
  if (collection === undefined) throw new Error(`The simulator keeps no ${kind}`);
  return collection;
}

function collectionsOf({ kubelet }: SimulatorOptions, crowd: Crowd | null, bornAtMs: number): Collection[] {
  const createdAt = rfc3339(bornAtMs - 90 * 86_400_000);
  const nodes = collectionOf("Node", "nodes");
  for (const name of crowd?.nodeNames ?? []) nodes.put(rawNode(name, kubelet?.version ?? KUBELET_VERSION, createdAt));
  const namespaces = collectionOf("Namespace", "namespaces");
  for (const name of crowd?.namespaces ?? [])
    namespaces.put({
      metadata: { name, uid: `uid-of-${name}`, creationTimestamp: createdAt },
      status: { phase: "Active" },
    });
  const pods = collectionOf("Pod", "pods", crowd === null ? undefined : lazyPods(crowd, bornAtMs));
  return [pods, nodes, namespaces, collectionOf("Event", "events")];
}

function lazyPods(crowd: Crowd, bornAtMs: number): LazyObjects {
  return {
    count: crowd.count,
    firstAtOrAfter: crowd.firstAtOrAfter,
    at: (index) => {
      const pod = crowd.podAt(index);
      const { namespace, name, nodeName, labels } = pod;
      const fields: Readonly<Record<string, () => string>> = {
        "metadata.name": () => name,
        "metadata.namespace": () => namespace,
        "spec.nodeName": () => nodeName ?? "",
        "status.phase": () => podStateOf(pod, bornAtMs).phase,
      };
      return {
        key: keyOf({ metadata: { namespace, name } }),
        labels,
        field: (path) => fields[path]?.() ?? "",
        raw: () => rawCrowdPod(pod, bornAtMs),
      };
    },
  };
}
