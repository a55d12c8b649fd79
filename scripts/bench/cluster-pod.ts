import { at, countOf, objectsOf, textOf } from "../../src/cluster/objects/json-access.ts";
import { KubectlError, kubectl } from "../test-cluster/kubectl.ts";

type ClusterPod = { readonly pod: string; readonly server: string } | { readonly unusable: string };

const BRIEFLY = "--request-timeout=5s";

/** The pod of the current namespace with the most restarts. */
export async function findClusterPod(): Promise<ClusterPod> {
  try {
    const list: unknown = JSON.parse(await kubectl(["get", "pods", "--output=json", BRIEFLY]));
    const pods = objectsOf(at(list, "items")).toSorted((left, right) => restartsOf(right) - restartsOf(left));
    const pod = textOf(at(pods[0], "metadata", "name"));
    if (pod === null) return { unusable: "the current namespace has no pod" };
    const view = ["config", "view", "--minify", "--output=jsonpath={.clusters[0].cluster.server}"];
    return { pod, server: await kubectl(view) };
  } catch (error) {
    if (!(error instanceof KubectlError)) throw error;
    return { unusable: error.isMissing ? "kubectl is not on PATH" : error.message };
  }
}

function restartsOf(pod: unknown): number {
  const counts = objectsOf(at(pod, "status", "containerStatuses")).map((status) => at(status, "restartCount"));
  return Math.max(0, ...counts.map((count) => countOf(count) ?? 0));
}
