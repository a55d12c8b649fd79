import type { EventSnapshot } from "../explain/observed/observation.ts";
import { EVENT } from "./object-shapes.ts";
import { instantOf } from "./timestamp.ts";
import { at, countOf, textOf } from "./untrusted.ts";
import { unusableIn } from "./unusable.ts";

/** What an event is about. `null` means that the event does not say. */
export interface EventSubject {
  readonly kind: string | null;
  readonly namespace: string | null;
  readonly name: string | null;
  readonly uid: string | null;
}

/**
 * An Event object of core/v1 or events.k8s.io/v1. The two name the same things differently (`involvedObject` and
 * `regarding`, `message` and `note`, `count` and `deprecatedCount`); since 1.19 an event of either kind may come in either
 * shape, so both names are tried whatever the apiVersion. Whatever it is given, it does not throw.
 */
export function toEventSnapshot(raw: unknown): EventSnapshot {
  return {
    name: textOf(at(raw, "metadata", "name")) ?? "",
    type: at(raw, "type") === "Warning" ? "Warning" : "Normal",
    reason: textOf(at(raw, "reason")) ?? "",
    message: textOf(at(raw, "message")) ?? textOf(at(raw, "note")) ?? "",
    container: containerOf(at(referenceOf(raw), "fieldPath")),
    createdAtMs: instantOf(at(raw, "metadata", "creationTimestamp")),
    count: Math.max(1, ...countsOf(raw)),
    firstAtMs: firstInstantOf(raw, ["firstTimestamp", "deprecatedFirstTimestamp", "eventTime"]),
    lastAtMs:
      instantOf(at(raw, "series", "lastObservedTime")) ??
      firstInstantOf(raw, ["lastTimestamp", "deprecatedLastTimestamp", "eventTime"]),
    ...unusableIn(raw, EVENT),
  };
}

/** What the event is about, from `involvedObject` or `regarding`. */
export function eventSubjectOf(raw: unknown): EventSubject {
  const reference = referenceOf(raw);
  return {
    kind: textOf(at(reference, "kind")),
    namespace: textOf(at(reference, "namespace")),
    name: textOf(at(reference, "name")),
    uid: textOf(at(reference, "uid")),
  };
}

/**
 * The UIDs under which events name a pod. Those of a static pod have the one that the kubelet gave it; the API server's copy
 * has another, and names the first in an annotation (`MirrorPodAnnotationKey`, k8s.io/api v0.37.1,
 * core/v1/annotation_key_constants.go).
 */
export function eventUidsOf(rawPod: unknown): readonly string[] {
  const uids = [at(rawPod, "metadata", "uid"), at(rawPod, "metadata", "annotations", "kubernetes.io/config.mirror")];
  return uids.flatMap((uid) => textOf(uid) ?? []);
}

function referenceOf(raw: unknown): unknown {
  return at(raw, "involvedObject") ?? at(raw, "regarding");
}

/** `spec.containers{app}` → "app". */
function containerOf(fieldPath: unknown): string | null {
  const match = /^spec\.(?:containers|initContainers|ephemeralContainers)\{(.+)\}$/.exec(textOf(fieldPath) ?? "");
  return match?.[1] ?? null;
}

function countsOf(raw: unknown): number[] {
  return [at(raw, "count"), at(raw, "deprecatedCount"), at(raw, "series", "count")]
    .map(countOf)
    .filter((count) => count !== null);
}

function firstInstantOf(raw: unknown, fields: readonly string[]): number | null {
  return fields.map((field) => instantOf(at(raw, field))).find((instant) => instant !== null) ?? null;
}
