import { momentAt } from "../../lab/recordings/recorded-moment.ts";
import type { Recording } from "../../lab/recordings/recordings.ts";
import { at, objectsOf } from "../../src/cluster/objects/json-access.ts";

const CONFIG_FIELDS = ["kind", "apiVersion", "syncFrequency", "featureGates", "crashLoopBackOff"];

export function cutExample(recording: Recording, atMs: number): object {
  const moment = momentAt(recording, atMs);
  if (moment === null) throw new Error(`No pod ${recording.pod} at ${new Date(atMs).toISOString()}`);
  const events = [...moment.events, ...moment.nodeEvents].map(({ object }) => withKind(object));
  const items = [moment.pod.object, ...events, trimNode(recording.nodeRaw), trimConfig(recording.configzRaw)];
  return { kind: "List", apiVersion: "v1", items };
}

function withKind(event: unknown): object {
  return { kind: "Event", apiVersion: "v1", ...(event as object) };
}

/** The Node is from the end of the recording, so its heartbeats and its resourceVersion are left out. */
function trimNode(raw: unknown): object {
  const conditions = objectsOf(at(raw, "status", "conditions"));
  return {
    kind: "Node",
    apiVersion: "v1",
    metadata: { name: at(raw, "metadata", "name"), uid: at(raw, "metadata", "uid") },
    status: {
      conditions: conditions.map((condition) => ({ ...condition, lastHeartbeatTime: undefined })),
      nodeInfo: { kubeletVersion: at(raw, "status", "nodeInfo", "kubeletVersion") },
    },
  };
}

function trimConfig(raw: unknown): object {
  const config = CONFIG_FIELDS.map((field) => [field, at(raw, "kubeletconfig", field)]);
  return { kubeletconfig: Object.fromEntries(config) };
}
