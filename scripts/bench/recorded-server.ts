import { type Simulator, startSimulator } from "../../lab/api-server/simulator.ts";
import { readExample } from "../../src/cluster/files/example-files.ts";
import type { Example } from "../../src/cluster/files/examples.ts";
import { at, objectsOf, textOf } from "../../src/cluster/objects/untrusted.ts";
import { kubeconfigFor } from "../../test/support/kubeconfig-document.ts";

/** Answers kubectl and this program from one recording, like an API server. */
export interface RecordedServer extends Pick<Simulator, "close"> {
  readonly namespace: string;
  readonly pod: string;
  /** A kubeconfig as JSON; the pod's namespace is the current one. */
  readonly kubeconfig: string;
}

/** Listens on a free port of 127.0.0.1 with TLS; its clock stands still at the example's moment. */
export async function startRecordedServer(example: Example): Promise<RecordedServer> {
  const items = objectsOf(at(JSON.parse(readExample(example.file)), "items"));
  const nameOf = (kind: string, field = "name"): string =>
    textOf(
      at(
        items.find((item) => item["kind"] === kind),
        "metadata",
        field,
      ),
    ) ?? "";
  const objects = items.filter(({ kind }) => kind === "Pod" || kind === "Event" || kind === "Node");
  const { close, cluster, on } = await startSimulator({ objects, clock: () => example.atMs });
  const config = items.find((item) => "kubeletconfig" in item);
  on(`/api/v1/nodes/${nameOf("Node")}/proxy/configz`, JSON.stringify(config ?? {}));
  const namespace = nameOf("Pod", "namespace");
  const kubeconfig = JSON.stringify(kubeconfigFor(cluster, undefined, namespace));
  return { namespace, pod: nameOf("Pod"), kubeconfig, close };
}
