import { at, objectsOf, textOf } from "../../src/cluster/objects/json-access.ts";
import { toNodeSnapshot } from "../../src/cluster/objects/node.ts";
import { KubectlError, kubectl } from "./kubectl.ts";

/** `configzRaw` is the kubelet's answer to /configz; null if it cannot be read. */
export interface ReadyNode {
  readonly name: string;
  readonly nodeRaw: unknown;
  readonly configzRaw: unknown;
}

type Cluster = { readonly nodes: readonly ReadyNode[] } | { readonly unusable: string };

const BRIEFLY = "--request-timeout=10s";

export async function findCluster(namespace: string): Promise<Cluster> {
  try {
    for (const what of [["pods", `--namespace=${namespace}`], ["namespaces"]]) {
      const answer = await kubectl(["auth", "can-i", "create", ...what, BRIEFLY]);
      if (answer.trim() !== "yes") return { unusable: `this user may not create ${what[0]}.` };
    }
    const names = await readyNodes();
    return names.length === 0
      ? { unusable: "no node is ready." }
      : { nodes: await Promise.all(names.map(withConfigz)) };
  } catch (error) {
    if (!(error instanceof KubectlError)) throw error;
    if (error.isMissing) return { unusable: "kubectl is not on PATH." };
    if (error.output.trim() === "no") return { unusable: "this user may not create pods and namespaces." };
    return { unusable: `no cluster can be used: ${error.message}` };
  }
}

async function readyNodes(): Promise<Omit<ReadyNode, "configzRaw">[]> {
  const list: unknown = JSON.parse(await kubectl(["get", "nodes", "--output=json", BRIEFLY]));
  return objectsOf(at(list, "items")).flatMap((nodeRaw) => {
    const { name, conditions } = toNodeSnapshot(nodeRaw);
    const isReady = conditions.some(({ type, status }) => type === "Ready" && status === "True");
    const isLinux = textOf(at(nodeRaw, "status", "nodeInfo", "operatingSystem")) === "linux";
    return isReady && isLinux ? [{ name, nodeRaw }] : [];
  });
}

async function withConfigz(node: Omit<ReadyNode, "configzRaw">): Promise<ReadyNode> {
  try {
    const answer = await kubectl(["get", "--raw", `/api/v1/nodes/${node.name}/proxy/configz`, BRIEFLY]);
    return { ...node, configzRaw: JSON.parse(answer) };
  } catch {
    return { ...node, configzRaw: null };
  }
}
