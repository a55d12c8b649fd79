import { setTimeout as sleep } from "node:timers/promises";
import { at } from "../../src/cluster/objects/json-access.ts";
import { kubectl } from "./kubectl.ts";
import type { Scenario } from "./scenarios.ts";

/** Marks a namespace of this script, which the script may remove. */
const OWNER_LABEL = "app.kubernetes.io/managed-by";
const OWNER = "kubectl-backoff-test-cluster";

/** Replaces a namespace that an earlier run left. Throws if the namespace is not this script's. */
export async function createNamespace(name: string): Promise<void> {
  const found = await kubectl(["get", "namespace", name, "--ignore-not-found", "--output=json"]);
  if (found.trim() !== "") {
    if (at(JSON.parse(found), "metadata", "labels", OWNER_LABEL) !== OWNER) {
      throw new Error(`Namespace "${name}" exists and is not this script's. Pass another with --namespace.`);
    }
    await removeNamespace(name);
  }
  // The pods use the node's network, which the stricter levels of pod security forbid.
  const labels = { [OWNER_LABEL]: OWNER, "pod-security.kubernetes.io/enforce": "privileged" };
  await create({ apiVersion: "v1", kind: "Namespace", metadata: { name, labels } });
  await untilPodsMayBeCreated(name);
}

export async function removeNamespace(name: string): Promise<void> {
  await kubectl(["delete", "pods", "--all", `--namespace=${name}`, "--grace-period=1", "--wait=false"]);
  await kubectl(["delete", "namespace", name, "--ignore-not-found", "--timeout=180s"]);
}

export async function createPods(pods: readonly PlannedPod[], namespace: string): Promise<void> {
  const items = pods.map((pod) => manifestOf(pod, namespace));
  await create({ apiVersion: "v1", kind: "List", items });
}

function create(object: object): Promise<string> {
  return kubectl(["create", "--filename=-"], JSON.stringify(object));
}

/** The admission plugin ServiceAccount refuses pods until a controller has created the namespace's service account. */
async function untilPodsMayBeCreated(namespace: string): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const found = await kubectl(["get", "serviceaccount", "default", `--namespace=${namespace}`, "--ignore-not-found"]);
    if (found.trim() !== "") return;
    await sleep(500);
  }
}

export interface PlannedPod {
  readonly name: string;
  readonly node: string;
  readonly scenario: Scenario;
}

export function plannedPods(scenarios: readonly Scenario[], nodes: readonly string[]): PlannedPod[] {
  return scenarios.flatMap((scenario) => nodes.map((node) => ({ name: `${scenario.name}-${node}`, node, scenario })));
}

const SHARED = {
  hostNetwork: true,
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  tolerations: [{ operator: "Exists" }],
};

function manifestOf({ name, node, scenario }: PlannedPod, namespace: string): object {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace, labels: { scenario: scenario.name } },
    spec: { ...SHARED, nodeName: node, ...scenario.spec },
  };
}
