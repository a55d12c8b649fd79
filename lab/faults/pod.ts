import { aRawEvent, aRawPod } from "../../test/support/raw-objects.ts";
import { rfc3339 } from "../api-server/container-statuses.ts";
import { rawNode } from "../api-server/node-columns.ts";
import type { Simulator } from "../api-server/simulator.ts";

export const PATHS = {
  pod: "/namespaces/prod/pods/web-0",
  pods: "/namespaces/prod/pods?",
  events: "/namespaces/prod/events?",
  node: /\/nodes\/node-a$/,
  nodeEvents: "/namespaces/default/events?",
  nodeConfig: "/nodes/node-a/proxy/configz",
} as const;

export function loopingPod(nowMs: number, restartCount = 5, secondsAgo = 46, more: object = {}): object {
  const at = (beforeMs: number): string => rfc3339(nowMs - beforeMs);
  const containerID = `containerd://${restartCount}`;
  const times = { startedAt: at(secondsAgo * 1000 + 4_000), finishedAt: at(secondsAgo * 1000) };
  const lastState = { terminated: { exitCode: 1, reason: "Error", ...times, containerID } };
  const [metadata, status] = [{ creationTimestamp: at(600_000) }, { startTime: at(600_000) }];
  return aRawPod({ metadata, status, app: { restartCount, containerID, lastState, ...more } });
}

export function startLoop(simulator: Simulator, nowMs: number): void {
  const at = (beforeMs: number): string => new Date(nowMs - beforeMs).toISOString();
  simulator.put(loopingPod(nowMs));
  simulator.put({ ...aRawEvent("web-0.1"), firstTimestamp: at(300_000), lastTimestamp: at(30_000) });
  const node = rawNode("node-a", "v1.37.1", at(86_400_000));
  const conditions = [{ type: "Ready", status: "True", lastHeartbeatTime: at(5_000) }];
  simulator.put({ ...node, status: { ...(node["status"] as object), conditions } });
}
