import { type Look, lettersOf, lookOf, random, uuidOf } from "./seeded.ts";

/** Equal options give an equal crowd. */
export interface CrowdOptions {
  readonly pods: number;
  /** How many pods have one of the `TROUBLED_LOOKS`. A multiple of ten if `spread` is `workloads`. */
  readonly troubled?: number;
  /**
   * `scattered`, the default, spreads the pods in trouble over all workloads. `workloads` gives trouble to all ten
   * replicas of a workload, or to none.
   */
  readonly spread?: "scattered" | "workloads";
  readonly namespaces?: number;
  readonly nodes?: number;
}

export interface CrowdPod {
  readonly index: number;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly nodeName: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly owner: { readonly kind: string; readonly name: string };
  readonly look: Look;
  readonly dice: readonly [number, number];
}

export interface Crowd {
  readonly nodeNames: readonly string[];
  readonly namespaces: readonly string[];
  readonly pods: readonly CrowdPod[];
}

const REPLICAS = 10;

export function crowdOf(options: CrowdOptions): Crowd {
  const count = options.pods;
  const namespaceCount = options.namespaces ?? atLeastOne(count / 1000);
  const perNamespace = REPLICAS * atLeastOne(count / namespaceCount / REPLICAS);
  const namespaces = numbered("team-", atLeastOne(count / perNamespace), 3);
  const nodeNames = numbered("node-", options.nodes ?? atLeastOne(count / 50), 4);
  const layout = { ...options, perNamespace, namespaces, nodeNames };
  const pods = Array.from({ length: count }, (_, index) => crowdPodAt(index, layout));
  return { nodeNames, namespaces, pods };
}

function atLeastOne(count: number): number {
  return Math.max(1, Math.ceil(count));
}

function numbered(begin: string, length: number, digits: number): string[] {
  return Array.from({ length }, (_, number) => begin + pad(number, digits));
}

interface Layout extends Omit<CrowdOptions, "namespaces"> {
  readonly perNamespace: number;
  readonly namespaces: readonly string[];
  readonly nodeNames: readonly string[];
}

function crowdPodAt(index: number, layout: Layout): CrowdPod {
  const { pods, troubled = 0, spread = "scattered", perNamespace, namespaces, nodeNames } = layout;
  const workload = Math.floor(index / REPLICAS);
  const replica = index % REPLICAS;
  const dice: [number, number] = [random(1, index), random(2, index)];
  const isTroubled =
    spread === "scattered" ? isChosen(index, troubled, pods) : isChosen(workload, troubled / REPLICAS, pods / REPLICAS);
  const luck = random(3, spread === "scattered" ? index : workload);
  const look = lookOf(luck, isTroubled);
  return {
    index,
    namespace: namespaces[Math.floor(index / perNamespace)] ?? "team",
    uid: uuidOf(index),
    nodeName: look === "unscheduled" ? null : (nodeNames[Math.floor(dice[0] * nodeNames.length)] ?? null),
    ...identityOf(workload, replica, Math.floor((index % perNamespace) / REPLICAS)),
    look,
    dice,
  };
}

function identityOf(workload: number, replica: number, place: number): Pick<CrowdPod, "name" | "labels" | "owner"> {
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
  const hash = lettersOf(random(4, workload), 9);
  const suffix = lettersOf((replica + random(5, workload * REPLICAS + replica)) / REPLICAS, 5);
  return {
    name: `${app}-${hash}-${suffix}`,
    labels: { app, "pod-template-hash": hash },
    owner: { kind: "ReplicaSet", name: `${app}-${hash}` },
  };
}

function isChosen(index: number, chosen: number, all: number): boolean {
  return Math.floor(((index + 1) * chosen) / all) > Math.floor((index * chosen) / all);
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}
