import { at, objectsOf } from "../../src/cluster/objects/untrusted.ts";
import { momentAt } from "../recorded-moment.ts";
import type { Recording } from "../recordings.ts";

/** Of the kubelet's configuration only what bears on restarts. */
const CONFIG_FIELDS = ["kind", "apiVersion", "syncFrequency", "featureGates", "crashLoopBackOff"];

/**
 * Everything of a recording as of one moment, as one v1 List: the Pod, its events, the Node, the events of the Node and its
 * kubelet's configuration. Pod and events are whole. Throws if there was no such pod then.
 */
export function cutExample(recording: Recording, atMs: number): object {
  const moment = momentAt(recording, atMs);
  if (moment === null) throw new Error(`No pod ${recording.pod} at ${new Date(atMs).toISOString()}`);
  const events = [...moment.events, ...moment.nodeEvents].map(({ object }) => withKind(object));
  const items = [moment.pod.object, ...events, trimNode(recording.nodeRaw), trimConfig(recording.configzRaw)];
  return { kind: "List", apiVersion: "v1", items };
}

/** Events that came as items of a list do not say what they are. */
function withKind(event: unknown): object {
  return { kind: "Event", apiVersion: "v1", ...(event as object) };
}

/** The Node is from the end of the recording: its heartbeats and its resourceVersion, which are later, are left out. */
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
