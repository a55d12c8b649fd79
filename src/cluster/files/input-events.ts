import type { PodSnapshot } from "../../explain/observed/observation.ts";
import { eventsOf, type ReadEvents } from "../api/list-events.ts";
import { eventSubjectOf } from "../objects/event.ts";
import { namespaceOf } from "../objects/owner-reference.ts";
import { existing, type InputObject } from "./input-objects.ts";

export class InputEvents {
  readonly hasEvents: boolean;
  readonly hasEventsOfNodes: boolean;
  readonly #bySubject: ReadonlyMap<string, readonly InputObject[]>;

  constructor(objects: readonly InputObject[]) {
    this.hasEvents = objects.length > 0;
    this.hasEventsOfNodes = objects.some(({ raw }) => eventSubjectOf(raw).kind === "Node");
    this.#bySubject = Map.groupBy(existing(objects), ({ raw }) => {
      const { kind, namespace, name } = eventSubjectOf(raw);
      return subjectKey(kind, namespace ?? namespaceOf(raw), name);
    });
  }

  ofPod({ namespace, name }: PodSnapshot, uids: readonly string[]): ReadEvents {
    return this.#of(subjectKey("Pod", namespace, name), uids.length === 0 ? null : uids);
  }

  /**
   * Accepts events with any UID: an older kubelet writes the node's name as the UID (`NewMainKubelet`, v1.34.4,
   * pkg/kubelet/kubelet.go).
   */
  ofNode(name: string): ReadEvents {
    return this.#of(subjectKey("Node", null, name), null);
  }

  #of(subject: string, uids: readonly string[] | null): ReadEvents {
    const objects = (this.#bySubject.get(subject) ?? []).map(({ raw }) => raw);
    return eventsOf({ objects, why: null }, uids);
  }
}

/** Nodes have no namespace, but events about nodes have one. */
function subjectKey(kind: string | null, namespace: string | null, name: string | null): string {
  return JSON.stringify([kind, kind === "Node" ? null : namespace, name]);
}
