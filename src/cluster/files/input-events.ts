import type { PodSnapshot } from "../../explain/observed/observation.ts";
import { eventsOf, type ReadEvents } from "../api/list-events.ts";
import { eventSubjectOf } from "../objects/event.ts";
import { namespaceOf } from "../objects/owner-reference.ts";
import { existing, type InputObject } from "./input-objects.ts";

/** The newest version of each event in the input, without events that a watch reported as deleted. */
export class InputEvents {
  readonly any: boolean;
  readonly anyOfNodes: boolean;
  readonly #bySubject: ReadonlyMap<string, readonly InputObject[]>;

  constructor(objects: readonly InputObject[]) {
    this.any = objects.length > 0;
    this.anyOfNodes = objects.some(({ raw }) => eventSubjectOf(raw).kind === "Node");
    this.#bySubject = Map.groupBy(existing(objects), ({ raw }) => {
      const { kind, namespace, name } = eventSubjectOf(raw);
      return subjectKey(kind, namespace ?? namespaceOf(raw), name);
    });
  }

  /** Returns the pod's events with one of these UIDs or without a UID; all events of that name if `uids` is empty. */
  ofPod({ namespace, name }: PodSnapshot, uids: readonly string[]): ReadEvents {
    return this.#of(subjectKey("Pod", namespace, name), uids.length === 0 ? null : uids);
  }

  /** Returns the node's events with any UID: the kubelet writes the node's name there, others the UID or nothing. */
  ofNode(name: string): ReadEvents {
    return this.#of(subjectKey("Node", null, name), null);
  }

  #of(subject: string, uids: readonly string[] | null): ReadEvents {
    const objects = (this.#bySubject.get(subject) ?? []).map(({ raw }) => raw);
    return eventsOf({ objects, why: null }, uids);
  }
}

/** Nodes have no namespace. */
function subjectKey(kind: string | null, namespace: string | null, name: string | null): string {
  return JSON.stringify([kind, kind === "Node" ? null : namespace, name]);
}
