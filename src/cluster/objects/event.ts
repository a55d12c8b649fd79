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

/**
 * An Event of core/v1 or events.k8s.io/v1. The groups name the same fields differently: `involvedObject` and
 * `regarding`, `message` and `note`, `count` and `deprecatedCount`. Since v1.19 an event of either group can come in
 * either form, so this declaration reads both names for every apiVersion.
 */
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
 * Events about a static pod have the UID that the kubelet gave the pod. The API server's copy (mirror pod) has another
 * UID, and has the kubelet's UID in an annotation.
 */
export function eventUidsOf(rawPod: unknown): readonly string[] {
  const uids = [at(rawPod, "metadata", "uid"), at(rawPod, "metadata", "annotations", MIRROR_ANNOTATION)];
  return uids.flatMap((uid) => textOf(uid) ?? []);
}

function containerIn(fieldPath: string | null): string | null {
  return /^spec\.(?:containers|initContainers|ephemeralContainers)\{(.+)\}$/.exec(fieldPath ?? "")?.[1] ?? null;
}
