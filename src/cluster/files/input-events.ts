import type { EventSnapshot, PodSnapshot, SourceObject } from "../../explain/observed/observation.ts";
import type { ReadEvents } from "../api/list-events.ts";
import { type EventSubject, eventSubjectOf, toEventSnapshot } from "../objects/event.ts";
import { at, textOf } from "../objects/untrusted.ts";
import { newestOfEach } from "../objects/versions.ts";
import type { InputObject } from "./input-objects.ts";

interface FoundEvent {
  readonly subject: EventSubject;
  readonly snapshot: EventSnapshot;
  readonly object: SourceObject;
}

export class InputEvents {
  /** Whether the input has any event at all, whatever it is about. */
  readonly any: boolean;
  /** Whether the input has any event of any Node. */
  readonly anyOfNodes: boolean;
  readonly #bySubject: ReadonlyMap<string, readonly FoundEvent[]>;

  /** Of several versions of an event the newest counts; if a watch said that it is gone, none does. */
  constructor(objects: readonly InputObject[]) {
    const events = newestOfEach(objects, eventKey).filter((event) => !event.deleted);
    const found = events.map(({ raw }) => ({
      subject: subjectOf(raw),
      snapshot: toEventSnapshot(raw),
      object: { kind: "Event", raw },
    }));
    this.#bySubject = Map.groupBy(found, ({ subject }) => subjectKey(subject.kind, subject.namespace, subject.name));
    this.any = objects.length > 0;
    this.anyOfNodes = objects.some(({ raw }) => eventSubjectOf(raw).kind === "Node");
  }

  /** `uids`: those under which events may name the pod. An event without a uid belongs to the pod of its name. */
  ofPod(pod: PodSnapshot, uids: readonly string[]): ReadEvents {
    const found = this.#bySubject.get(subjectKey("Pod", pod.namespace, pod.name)) ?? [];
    return readEvents(
      found.filter(({ subject }) => uids.length === 0 || subject.uid === null || uids.includes(subject.uid)),
    );
  }

  /** Whatever their uid: the kubelet writes the node's name there, others its uid or nothing. */
  ofNode(name: string): ReadEvents {
    return readEvents(this.#bySubject.get(subjectKey("Node", null, name)) ?? []);
  }
}

function readEvents(found: readonly FoundEvent[]): ReadEvents {
  return { events: found.map(({ snapshot }) => snapshot), objects: found.map(({ object }) => object) };
}

function subjectOf(raw: unknown): EventSubject {
  const subject = eventSubjectOf(raw);
  return { ...subject, namespace: subject.namespace ?? textOf(at(raw, "metadata", "namespace")) ?? "default" };
}

/** A Node has no namespace, whatever its events say. */
function subjectKey(kind: string | null, namespace: string | null, name: string | null): string {
  return JSON.stringify([kind, kind === "Node" ? null : namespace, name]);
}

function eventKey({ raw }: InputObject): string {
  return JSON.stringify([textOf(at(raw, "metadata", "namespace")), textOf(at(raw, "metadata", "name"))]);
}
