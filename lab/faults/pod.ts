import type { Simulator } from "../api-server/simulator.ts";

/** Its path, and those of what else an explanation asks for. */
export const PATHS = {
  pod: "/namespaces/prod/pods/web-0",
  pods: "/namespaces/prod/pods?",
  events: "/namespaces/prod/events?",
  node: /\/nodes\/node-a$/,
  nodeEvents: "/namespaces/default/events?",
  nodeConfig: "/nodes/node-a/proxy/configz",
} as const;

/** The pod web-0 of namespace prod, which has crashed so often, and last 46 s ago. */
export function loopingPod(nowMs: number, restartCount = 5, secondsAgo = 46): object {
  const at = (beforeMs: number): string => new Date(nowMs - beforeMs).toISOString().replace(".000", "");
  const message =
    "back-off 2m40s restarting failed container=app pod=web-0_prod(uid-of-web-0): the rest does not matter";
  const terminated = {
    exitCode: 1,
    reason: "Error",
    startedAt: at(secondsAgo * 1000 + 4_000),
    finishedAt: at(secondsAgo * 1000),
  };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web-0", namespace: "prod", uid: "uid-of-web-0", creationTimestamp: at(600_000) },
    spec: { nodeName: "node-a", restartPolicy: "Always", containers: [{ name: "app", image: "web:1" }] },
    status: {
      phase: "Running",
      startTime: at(600_000),
      containerStatuses: [
        {
          name: "app",
          image: "web:1",
          restartCount,
          ready: false,
          started: false,
          containerID: `containerd://${restartCount}`,
          state: { waiting: { reason: "CrashLoopBackOff", message } },
          lastState: { terminated: { ...terminated, containerID: `containerd://${restartCount}` } },
        },
      ],
    },
  };
}

/** Puts the pod, an event of it, and its node into a server. */
export function startLoop(simulator: Simulator, nowMs: number): void {
  simulator.put(loopingPod(nowMs));
  simulator.put({
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: "web-0.1", namespace: "prod", uid: "event-1" },
    involvedObject: { kind: "Pod", name: "web-0", namespace: "prod", uid: "uid-of-web-0" },
    type: "Warning",
    reason: "BackOff",
    message: "Back-off restarting failed container app in pod web-0_prod(uid-of-web-0)",
    count: 3,
    firstTimestamp: new Date(nowMs - 300_000).toISOString(),
    lastTimestamp: new Date(nowMs - 30_000).toISOString(),
  });
  const ready = { type: "Ready", status: "True", lastHeartbeatTime: new Date(nowMs - 5_000).toISOString() };
  simulator.put({
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: "node-a", uid: "uid-of-node-a", creationTimestamp: new Date(nowMs - 86_400_000).toISOString() },
    spec: {},
    status: {
      nodeInfo: { kubeletVersion: "v1.37.1" },
      conditions: [ready],
      addresses: [{ type: "InternalIP", address: "10.0.0.1" }],
    },
  });
}
