import { greatestOf } from "../../explain/observed/max-min.ts";
import type { ConfigSnapshot, ConfigSource, DatedVersion } from "../../explain/observed/observation.ts";
import { list, object, text, time } from "./declaration.ts";
import { METADATA } from "./metadata.ts";

/**
 * The media type that requests only an object's metadata, so that the API server never sends the values of a Secret.
 */
export const METADATA_ONLY = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

const WRITTEN = object({
  metadata: object({
    resourceVersion: METADATA.resourceVersion,
    creationTimestamp: METADATA.creationTimestamp,
    managedFields: list(object({ manager: text, time })),
  }),
});

/**
 * Reads when a ConfigMap or Secret was created and last written, by which manager, and its resourceVersion. Drops
 * everything else: the annotation `kubectl.kubernetes.io/last-applied-configuration` can hold the values of a Secret.
 */
export function toConfigSnapshot({ kind, name }: ConfigSource, raw: unknown): ConfigSnapshot {
  const { resourceVersion, creationTimestamp, managedFields } = WRITTEN.read(raw, []).metadata;
  const writes = managedFields.flatMap(({ manager, time: atMs }) =>
    manager === null || atMs === null ? [] : [{ by: manager, atMs }],
  );
  const lastWrite = writes.toSorted((a, b) => b.atMs - a.atMs)[0] ?? null;
  return { kind, name, createdAtMs: creationTimestamp, version: versionIn(resourceVersion), lastWrite };
}

export function versionOf(raw: unknown): number | null {
  return versionIn(WRITTEN.read(raw, []).metadata.resourceVersion);
}

function versionIn(resourceVersion: string | number | null): number | null {
  const version = Number(resourceVersion ?? Number.NaN);
  return Number.isSafeInteger(version) && version > 0 ? version : null;
}

/**
 * Returns an object's resourceVersion and the time of its last write in `managedFields`; an empty list if either is
 * unknown.
 */
export function datedVersion(raw: unknown): DatedVersion[] {
  const { resourceVersion, managedFields } = WRITTEN.read(raw, []).metadata;
  const atMs = greatestOf(
    managedFields.flatMap((entry) => entry.time ?? []),
    0,
  );
  const version = versionIn(resourceVersion);
  return version === null || atMs === 0 ? [] : [{ version, atMs }];
}
