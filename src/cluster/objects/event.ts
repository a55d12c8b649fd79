import type { EventSnapshot } from "../../explain/observed/observation.ts";
import { count, mapped, object, optional, readObject, text, time, word } from "./declaration.ts";
import { at, textOf } from "./json-access.ts";
import { METADATA } from "./metadata.ts";
import { MIRROR_ANNOTATION } from "./pod.ts";

const SUBJECT_FIELDS = object({
  kind: text,
  namespace: text,
  name: text,
  uid: text,
  fieldPath: text,
});
const SUBJECT = optional(SUBJECT_FIELDS);

const FIELDS = object({
  metadata: object(METADATA),
  type: word("Normal", "Warning"),
  reason: text,
  message: text,
  note: text,
  involvedObject: SUBJECT,
  regarding: SUBJECT,
  count,
  deprecatedCount: count,
  firstTimestamp: time,
  lastTimestamp: time,
  deprecatedFirstTimestamp: time,
  deprecatedLastTimestamp: time,
  eventTime: time,
  series: object({ count, lastObservedTime: time }),
});

/** The API groups core and events.k8s.io have different names for some fields, e.g. `message` and `note`. */
export const EVENT = mapped(FIELDS, (event): EventSnapshot => {
  const { metadata, series } = event;
  const subject = event.involvedObject ?? event.regarding;
  return {
    name: metadata.name ?? "",
    type: event.type ?? "Normal",
    reason: event.reason ?? "",
    message: event.message ?? event.note ?? "",
    container: containerIn(subject?.fieldPath ?? null),
    createdAtMs: metadata.creationTimestamp,
    count: Math.max(1, event.count ?? 1, event.deprecatedCount ?? 1, series.count ?? 1),
    firstAtMs: event.firstTimestamp ?? event.deprecatedFirstTimestamp ?? event.eventTime,
    lastAtMs: series.lastObservedTime ?? event.lastTimestamp ?? event.deprecatedLastTimestamp ?? event.eventTime,
  };
});

export function toEventSnapshot(raw: unknown): EventSnapshot {
  return readObject(EVENT, raw);
}

export function eventSubjectOf(raw: unknown): ReturnType<typeof SUBJECT_FIELDS.read> {
  return SUBJECT_FIELDS.read(at(raw, "involvedObject") ?? at(raw, "regarding"), []);
}

/**
 * The API server's copy of a static pod (mirror pod) has a UID of its own. Its annotation has the UID that the static
 * pod has in the kubelet, and in the kubelet's events.
 */
export function eventUidsOf(rawPod: unknown): readonly string[] {
  const uids = [at(rawPod, "metadata", "uid"), at(rawPod, "metadata", "annotations", MIRROR_ANNOTATION)];
  return uids.flatMap((uid) => textOf(uid) ?? []);
}

function containerIn(fieldPath: string | null): string | null {
  return /^spec\.(?:containers|initContainers|ephemeralContainers)\{(.+)\}$/.exec(fieldPath ?? "")?.[1] ?? null;
}
