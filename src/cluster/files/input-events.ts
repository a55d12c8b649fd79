import type { EventSnapshot, PodSnapshot } from "../../explain/observed/observation.ts";
import type { ReadEvents } from "../api/list-events.ts";
import { eventSubjectOf, toEventSnapshot } from "../objects/event.ts";
import { at, textOf } from "../objects/untrusted.ts";
import { newestOfEach } from "../objects/versions.ts";
import type { InputObject } from "./input-objects.ts";

interface FoundEvent {
  readonly uid: string | null;
  readonly snapshot: EventSnapshot;
  readonly raw: unknown;
}

/** The newest version of each event in the input, without events that a watch reported as deleted. */
export class InputEvents {
  readonly any: boolean;
  readonly anyOfNodes: boolean;
  readonly #bySubject = new Map<string, FoundEvent[]>();

  constructor(objects: readonly InputObject[]) {
    this.any = objects.length > 0;
    this.anyOfNodes = objects.some(({ raw }) => eventSubjectOf(raw).kind === "Node");
    for (const { raw, deleted } of newestOfEach(objects, eventKey)) {
      if (deleted) continue;
      const { kind, namespace, name, uid } = eventSubjectOf(raw);
      const key = subjectKey(kind, namespace ?? textOf(at(raw, "metadata", "namespace")) ?? "default", name);
      const found = this.#bySubject.get(key) ?? [];
      found.push({ uid, snapshot: toEventSnapshot(raw), raw });
      this.#bySubject.set(key, found);
    }
  }

  /** The events under these UIDs of the pod; all if there are none. An event without a UID belongs to the pod of its name. */
  ofPod(pod: PodSnapshot, uids: readonly string[]): ReadEvents {
    const found = this.#bySubject.get(subjectKey("Pod", pod.namespace, pod.name)) ?? [];
    return readEvents(found.filter(({ uid }) => uids.length === 0 || uid === null || uids.includes(uid)));
  }

  /** Ignores UIDs: the kubelet writes the node's name there, other components the UID or nothing. */
  ofNode(name: string): ReadEvents {
    return readEvents(this.#bySubject.get(subjectKey("Node", null, name)) ?? []);
  }
}

function readEvents(found: readonly FoundEvent[]): ReadEvents {
  return {
    events: found.map(({ snapshot }) => snapshot),
    objects: found.map(({ raw }) => ({ kind: "Event", raw })),
  };
}

/** Ignores the namespace of a Node's events, because Nodes have none. */
function subjectKey(kind: string | null, namespace: string | null, name: string | null): string {
  return JSON.stringify([kind, kind === "Node" ? null : namespace, name]);
}

function eventKey({ raw }: InputObject): string {
  return JSON.stringify([textOf(at(raw, "metadata", "namespace")), textOf(at(raw, "metadata", "name"))]);
}
