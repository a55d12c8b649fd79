import { type Look, lettersOf, lookOf, random, uuidOf } from "./seeded.ts";

/** Synthetic pods; the same options always give the same pods. */
export interface CrowdOptions {
  readonly pods: number;
  /** The number of pods in trouble: crash-looping, or failing to start. */
  readonly looping?: number;
  /** scattered (the default): evenly over all pods; workloads: all ten replicas of a workload. */
  readonly spread?: "scattered" | "workloads";
  readonly seed?: number;
  /** By default, one namespace per thousand pods. */
  readonly namespaces?: number;
  readonly nodes?: number;
}

/** What it takes to find a pod; `rawCrowdPod` builds the object. */
export interface CrowdPod {
  readonly index: number;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly nodeName: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly owner: { readonly kind: string; readonly name: string };
  readonly look: Look;
  /** Two random numbers from 0 to 1. */
  readonly dice: readonly [number, number];
}

/** Pods in the order of their keys (`NAMESPACE/NAME`), built on request: they cost no memory. */
export interface Crowd {
  readonly count: number;
  readonly nodeNames: readonly string[];
  readonly namespaces: readonly string[];
  podAt(index: number): CrowdPod;
  /** The index of the first pod whose key is not before `key`; `count` if there is none. */
  firstAtOrAfter(key: string): number;
}

const REPLICAS = 10;
export function crowdOf(options: CrowdOptions): Crowd {
  const count = options.pods;
  const namespaceCount = options.namespaces ?? Math.max(1, Math.ceil(count / 1000));
  const perNamespace = Math.max(REPLICAS, Math.ceil(count / namespaceCount / REPLICAS) * REPLICAS);
  const namespaces = Array.from(
    { length: Math.max(1, Math.ceil(count / perNamespace)) },
    (_, n) => `team-${pad(n, 3)}`,
  );
  const nodeNames = Array.from(
    { length: options.nodes ?? Math.max(1, Math.ceil(count / 50)) },
    (_, n) => `node-${pad(n, 4)}`,
  );
  const podAt = (index: number): CrowdPod => crowdPodAt(index, { ...options, perNamespace, namespaces, nodeNames });
  const keyAt = (index: number): string => {
    const { namespace, name } = podAt(index);
    return `${namespace}/${name}`;
  };
  return {
    count,
    nodeNames,
    namespaces,
    podAt,
    firstAtOrAfter: (key) => lowerBound(count, (index) => keyAt(index) < key),
  };
}

interface Layout extends Omit<CrowdOptions, "namespaces"> {
  readonly perNamespace: number;
  readonly namespaces: readonly string[];
  readonly nodeNames: readonly string[];
}

function crowdPodAt(index: number, layout: Layout): CrowdPod {
  const { pods, looping = 0, spread = "scattered", seed = 1, perNamespace, namespaces, nodeNames } = layout;
  const workload = Math.floor(index / REPLICAS);
  const replica = index % REPLICAS;
  const dice: [number, number] = [random(seed, index), random(seed + 1, index)];
  const isLooping =
    spread === "scattered" ? isChosen(index, looping, pods) : isChosen(workload, looping / REPLICAS, pods / REPLICAS);
  const luck = random(seed + 2, spread === "scattered" ? index : workload);
  const look = lookOf(luck, isLooping);
  return {
    index,
    namespace: namespaces[Math.floor(index / perNamespace)] ?? "team",
    uid: uuidOf(seed, index),
    nodeName: look === "unscheduled" ? null : (nodeNames[Math.floor(dice[0] * nodeNames.length)] ?? null),
    ...identityOf(workload, replica, seed, Math.floor((index % perNamespace) / REPLICAS)),
    look,
    dice,
  };
}

/** Every tenth workload is a StatefulSet; the others are Deployments. */
function identityOf(
  workload: number,
  replica: number,
  seed: number,
  place: number,
): Pick<CrowdPod, "name" | "labels" | "owner"> {
  const app = `app-${pad(place, 4)}`;
  if (workload % 10 === 9)
    return {
      name: `${app}-${replica}`,
      labels: {
        app,
        "statefulset.kubernetes.io/pod-name": `${app}-${replica}`,
        "apps.kubernetes.io/pod-index": `${replica}`,
      },
      owner: { kind: "StatefulSet", name: app },
    };
  const hash = lettersOf(random(seed + 3, workload), 9);
  const suffix = lettersOf((replica + random(seed + 4, workload * REPLICAS + replica)) / REPLICAS, 5);
  return {
    name: `${app}-${hash}-${suffix}`,
    labels: { app, "pod-template-hash": hash },
    owner: { kind: "ReplicaSet", name: `${app}-${hash}` },
  };
}

/** Chooses `chosen` of `all` indices, evenly spread. */
function isChosen(index: number, chosen: number, all: number): boolean {
  return Math.floor(((index + 1) * chosen) / all) > Math.floor((index * chosen) / all);
}

function lowerBound(count: number, isBefore: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}
