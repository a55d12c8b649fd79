import { greatestOf } from "../../explain/observed/max-min.ts";
import type { ConfigSnapshot, ConfigSource, DatedVersion } from "../../explain/observed/observation.ts";
import { list, object, text, time } from "./declaration.ts";
import { METADATA } from "./metadata.ts";

/** A media type with which the API server sends no values of a Secret. */
export const METADATA_ONLY = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

const WRITTEN = object({
  metadata: object({
    resourceVersion: METADATA.resourceVersion,
    creationTimestamp: METADATA.creationTimestamp,
    managedFields: list(object({ manager: text, time })),
  }),
});

/** Drops annotations: `kubectl.kubernetes.io/last-applied-configuration` can hold the values of a Secret. */
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

function versionIn(resourceVersion: string | null): number | null {
  const version = Number(resourceVersion ?? 0);
  return Number.isSafeInteger(version) && version > 0 ? version : null;
}

/** Returns the resourceVersion with the time of the last write in `managedFields`, if both are known. */
export function datedVersion(raw: unknown): DatedVersion[] {
  const { resourceVersion, managedFields } = WRITTEN.read(raw, []).metadata;
  const atMs = greatestOf(
    managedFields.flatMap((entry) => entry.time ?? []),
    0,
  );
  const version = versionIn(resourceVersion);
  return version === null || atMs === 0 ? [] : [{ version, atMs }];
}
