import { refusal } from "../../lab/api-server/status-answers.ts";

/** The server's time, unless a test sets another. */
export const SERVER_CLOCK_MS = Date.UTC(2026, 10, 21, 12, 10, 0);

export function status(code: number, message: string): object {
  return refusal(code, message).body;
}

export function aRawPod(overrides: { metadata?: object; spec?: object; status?: object; app?: object } = {}): object {
  const times = { startedAt: "2026-11-21T12:09:10Z", finishedAt: "2026-11-21T12:09:14Z" };
  const terminated = { exitCode: 1, reason: "Error", ...times, containerID: "containerd://b" };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: "web-0",
      namespace: "prod",
      uid: "uid-of-web-0",
      creationTimestamp: "2026-11-21T12:00:00Z",
      ...overrides.metadata,
    },
    spec: {
      nodeName: "node-a",
      restartPolicy: "Always",
      containers: [{ name: "app", image: "web:1" }],
      ...overrides.spec,
    },
    status: {
      phase: "Running",
      startTime: "2026-11-21T12:00:00Z",
      containerStatuses: [
        {
          name: "app",
          image: "web:1",
          restartCount: 5,
          ready: false,
          started: false,
          containerID: "containerd://b",
          state: {
            waiting: {
              reason: "CrashLoopBackOff",
              message:
                "back-off 2m40s restarting failed container=app pod=web-0_prod(uid-of-web-0): the rest does not matter",
            },
          },
          lastState: { terminated },
          ...overrides.app,
        },
      ],
      ...overrides.status,
    },
  };
}

export function aRawEvent(name: string, involvedObject: object = {}): object {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name, namespace: "prod" },
    involvedObject: { kind: "Pod", name: "web-0", namespace: "prod", uid: "uid-of-web-0", ...involvedObject },
    type: "Warning",
    reason: "BackOff",
    message: "Back-off restarting failed container app in pod web-0_prod(uid-of-web-0)",
    count: 3,
    firstTimestamp: "2026-11-21T12:05:00Z",
    lastTimestamp: "2026-11-21T12:09:30Z",
  };
}

export function aRawNode(): object {
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: "node-a", uid: "uid-of-node-a" },
    status: { nodeInfo: { kubeletVersion: "v1.37.1" }, conditions: [] },
  };
}

export const READY_NODE: object = {
  ...aRawNode(),
  metadata: { name: "node-a", creationTimestamp: "2026-11-21T08:00:00Z" },
  status: { conditions: [{ type: "Ready", status: "True" }], nodeInfo: { kubeletVersion: "v1.37.1" }, addresses: [] },
};

export function aRawConfig(): object {
  return { kubeletconfig: { kind: "KubeletConfiguration", crashLoopBackOff: { maxContainerRestartPeriod: "1m0s" } } };
}

export const PATHS = {
  pod: "/api/v1/namespaces/prod/pods/web-0",
  pods: "/api/v1/namespaces/prod/pods?limit=500",
  events: eventsPath("prod", "Pod", "web-0"),
  node: "/api/v1/nodes/node-a",
  nodeEvents: eventsPath("default", "Node", "node-a"),
  nodeConfig: "/api/v1/nodes/node-a/proxy/configz",
} as const;

/** kubeadm keeps the configuration of its kubelets in this ConfigMap. */
export const KUBEADM_CONFIG = "/api/v1/namespaces/kube-system/configmaps/kubelet-config";

function eventsPath(namespace: string, kind: string, name: string): string {
  const query = new URLSearchParams({
    fieldSelector: `involvedObject.kind=${kind},involvedObject.name=${name}`,
    limit: "500",
  });
  return `/api/v1/namespaces/${namespace}/events?${query}`;
}
