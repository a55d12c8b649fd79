import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CERTIFICATE } from "../../test/support/tls-fixtures.ts";
import { type Simulator, startSimulator } from "../api-server/simulator.ts";
import { type HttpProxy, startProxy } from "../network/proxy.ts";
import { secretOf } from "./canary.ts";
import { type DifficultServer, difficultServer } from "./difficult-server.ts";
import {
  PLANTED_CONFIGZ,
  POD,
  plantedPod,
  plantedService,
  plantedSources,
  plantedSurroundings,
} from "./planted-objects.ts";

export interface Lab {
  readonly folder: string;
  readonly simulator: Simulator;
  readonly difficult: DifficultServer;
  readonly proxy: HttpProxy;
  readonly env: Readonly<Record<string, string>>;
  /** Writes a kubeconfig of one context, which also has another user and an extension. Returns its path. */
  kubeconfig(user: object, cluster?: object): string;
  file(name: string, text: string, mode?: number): string;
  close(): Promise<void>;
}

export async function startLab(): Promise<Lab> {
  const folder = mkdtempSync(join(tmpdir(), "kubectl-backoff-canaries-"));
  const home = join(folder, "home");
  mkdirSync(home);
  const [simulator, difficult] = await Promise.all([plantedCluster(), difficultServer()]);
  const proxy = await startProxy(simulator.url);
  let files = 0;
  const file = (name: string, text: string, mode = 0o600): string => {
    const path = join(folder, `${files++}-${name}`);
    writeFileSync(path, text, { mode });
    return path;
  };
  return {
    ...{ folder, simulator, difficult, proxy, file },
    env: { HOME: home, PATH: process.env["PATH"] ?? "", BACKOFF_SECRET: secretOf("environment of the program") },
    kubeconfig: (user, cluster = simulator.cluster) => file("config", JSON.stringify(kubeconfigOf(user, cluster))),
    close: async () => {
      await Promise.all([proxy.close(), difficult.close(), simulator.close()]);
      rmSync(folder, { recursive: true });
    },
  };
}

export function clusterAt(server: string): object {
  return { server, "certificate-authority": CERTIFICATE.file };
}

function kubeconfigOf(user: object, cluster: object): object {
  const extensions = [{ name: "a.example", extension: { key: secretOf("extension") } }];
  return {
    ...{ apiVersion: "v1", kind: "Config", "current-context": "here", preferences: { extensions } },
    clusters: [{ name: "cluster", cluster: { ...cluster, extensions } }],
    users: [
      { name: "me", user },
      { name: "other", user: { token: secretOf("other user's token") } },
    ],
    contexts: [{ name: "here", context: { cluster: "cluster", user: "me", namespace: "prod" } }],
  };
}

const LOG = "it says this itself\ndial tcp: lookup db on 10.96.0.10:53: no such host\n";

async function plantedCluster(): Promise<Simulator> {
  const nowMs = Date.now();
  const { node, event, deployment, replicaSet, olderReplicaSet, controllerRevision } = plantedSurroundings(nowMs);
  const objects = [plantedPod(nowMs), node, event];
  const simulator = await startSimulator({ objects, kubelet: { config: PLANTED_CONFIGZ } });
  const answers = {
    deployments: [deployment],
    replicasets: [replicaSet, olderReplicaSet],
    controllerrevisions: [controllerRevision],
    "deployments/web": deployment,
    "replicasets/web-6f7d8c9b5": replicaSet,
  };
  for (const [path, body] of Object.entries(answers)) {
    const text = JSON.stringify(Array.isArray(body) ? { metadata: {}, items: body } : body);
    simulator.on(`/apis/apps/v1/namespaces/prod/${path}`, text);
  }
  const { secret, configMap } = plantedSources(nowMs);
  simulator.on("/api/v1/namespaces/prod/secrets/web-secret", JSON.stringify(secret));
  simulator.on("/api/v1/namespaces/prod/configmaps/web-config", JSON.stringify(configMap));
  simulator.on(`/api/v1/namespaces/prod/pods/${POD}/log`, LOG, "text/plain");
  const { service, slice } = plantedService();
  simulator.on("/api/v1/namespaces/prod/services", JSON.stringify({ metadata: {}, items: [service] }));
  simulator.on(
    "/apis/discovery.k8s.io/v1/namespaces/prod/endpointslices",
    JSON.stringify({ metadata: {}, items: [slice] }),
  );
  return simulator;
}
