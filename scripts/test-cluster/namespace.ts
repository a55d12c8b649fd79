import { setTimeout as sleep } from "node:timers/promises";
import { at } from "../../src/cluster/objects/untrusted.ts";
import { kubectl } from "./kubectl.ts";
import type { Scenario } from "./scenarios.ts";

/** Says that a namespace is this script's own, so that it may be removed. */
const OWNER_LABEL = "app.kubernetes.io/managed-by";
const OWNER = "kubectl-backoff-test-cluster";

/** Creates the namespace, anew if an earlier run left it behind. Throws if it is somebody else's. */
export async function createNamespace(name: string): Promise<void> {
  const found = await kubectl(["get", "namespace", name, "--ignore-not-found", "--output=json"]);
  if (found.trim() !== "") {
    if (at(JSON.parse(found), "metadata", "labels", OWNER_LABEL) !== OWNER) {
      throw new Error(`Namespace "${name}" exists and is not this script's. Pass another with --namespace.`);
    }
    await removeNamespace(name);
  }
  // Pods use the node's network, which the stricter levels of pod security forbid.
  const labels = { [OWNER_LABEL]: OWNER, "pod-security.kubernetes.io/enforce": "privileged" };
  await create({ apiVersion: "v1", kind: "Namespace", metadata: { name, labels } });
  await untilPodsMayBeCreated(name);
}

/** Removes the namespace with all its pods, and waits until they are gone. */
export async function removeNamespace(name: string): Promise<void> {
  await kubectl(["delete", "pods", "--all", `--namespace=${name}`, "--grace-period=1", "--wait=false"]);
  await kubectl(["delete", "namespace", name, "--ignore-not-found", "--timeout=180s"]);
}

/** Creates pods, all at once. */
export async function createPods(pods: readonly PlannedPod[], namespace: string): Promise<void> {
  const items = pods.map((pod) => manifestOf(pod, namespace));
  await create({ apiVersion: "v1", kind: "List", items });
}

function create(object: object): Promise<string> {
  return kubectl(["create", "--filename=-"], JSON.stringify(object));
}

/** Most API servers refuse pods until a controller has made the namespace's service account. */
async function untilPodsMayBeCreated(namespace: string): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const found = await kubectl(["get", "serviceaccount", "default", `--namespace=${namespace}`, "--ignore-not-found"]);
    if (found.trim() !== "") return;
    await sleep(500);
  }
}

/** A scenario on a node: one pod. */
export interface PlannedPod {
  readonly name: string;
  readonly node: string;
  readonly scenario: Scenario;
}

/** The pods of a run, scenario by scenario. */
export function plannedPods(scenarios: readonly Scenario[], nodes: readonly string[]): PlannedPod[] {
  return scenarios.flatMap((scenario) => nodes.map((node) => ({ name: `${scenario.name}-${node}`, node, scenario })));
}

/** What every pod has: it needs no scheduler, no network of its own, no registry, and no rights. */
const SHARED = {
  hostNetwork: true,
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  tolerations: [{ operator: "Exists" }],
};

/** The manifest of a pod, pinned to its node. */
function manifestOf({ name, node, scenario }: PlannedPod, namespace: string): object {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace, labels: { scenario: scenario.name } },
    spec: { ...SHARED, nodeName: node, ...scenario.spec },
  };
}
