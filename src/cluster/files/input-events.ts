import type { EventSnapshot, PodSnapshot } from "../../explain/observed/observation.ts";
import type { ReadEvents } from "../api/list-events.ts";
import { eventSubjectOf, toEventSnapshot } from "../objects/event.ts";
import { namespaceOf } from "../objects/owner-reference.ts";
import { at, textOf } from "../objects/untrusted.ts";
import { newestOfEach } from "../objects/versions.ts";
import type { InputObject } from "./input-objects.ts";

interface FoundEvent {
  readonly raw: unknown;
  readonly subject: ReturnType<typeof eventSubjectOf>;
  readonly snapshot: EventSnapshot;
}

/** The newest version of each event in the input, without events that a watch reported as deleted. */
export class InputEvents {
  readonly any: boolean;
  readonly anyOfNodes: boolean;
  readonly #bySubject: ReadonlyMap<string, readonly FoundEvent[]>;

  constructor(objects: readonly InputObject[]) {
    this.any = objects.length > 0;
    this.anyOfNodes = objects.some(({ raw }) => eventSubjectOf(raw).kind === "Node");
    const existing = newestOfEach(objects, eventKey).filter(({ deleted }) => !deleted);
    const found = existing.map(({ raw }) => ({ raw, subject: eventSubjectOf(raw), snapshot: toEventSnapshot(raw) }));
    this.#bySubject = Map.groupBy(found, ({ raw, subject: { kind, namespace, name } }) =>
      subjectKey(kind, namespace ?? namespaceOf(raw), name),
    );
  }

  /** The events under these UIDs of the pod; all if there are none. An event without a UID belongs to the pod of its name. */
  ofPod({ namespace, name }: PodSnapshot, uids: readonly string[]): ReadEvents {
    const found = this.#bySubject.get(subjectKey("Pod", namespace, name)) ?? [];
    const isOfPod = (uid: string | null): boolean => uids.length === 0 || uid === null || uids.includes(uid);
    return readEvents(found.filter(({ subject }) => isOfPod(subject.uid)));
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
