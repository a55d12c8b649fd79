import type { ConfigSnapshot, ConfigSource, DatedVersion } from "../../explain/observed/observation.ts";
import { list, object, text, time } from "./declaration.ts";
import { METADATA } from "./metadata.ts";

/** Asks the API server for only an object's metadata, so not for the `data` of a Secret. */
export const METADATA_ONLY = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

const WRITTEN = object({
  metadata: object({
    resourceVersion: METADATA.resourceVersion,
    creationTimestamp: METADATA.creationTimestamp,
    managedFields: list(object({ manager: text, time })),
  }),
});

/** Drops the annotations: `kubectl.kubernetes.io/last-applied-configuration` can hold the values of a Secret. */
export function toConfigSnapshot({ kind, name }: ConfigSource, raw: unknown): ConfigSnapshot {
  return { kind, name, ...writesIn(raw) };
}

export function datedVersion(raw: unknown): DatedVersion[] {
  const { version, lastWrite } = writesIn(raw);
  return version === null || lastWrite === null ? [] : [{ version, atMs: lastWrite.atMs }];
}

export function writesIn(raw: unknown): Pick<ConfigSnapshot, "createdAtMs" | "version" | "lastWrite"> {
  const { resourceVersion, creationTimestamp, managedFields } = WRITTEN.read(raw, []).metadata;
  const version = Number(resourceVersion ?? 0);
  const writes = managedFields.flatMap(({ manager, time: atMs }) =>
    manager === null || atMs === null ? [] : [{ by: manager, atMs }],
  );
  return {
    createdAtMs: creationTimestamp,
    version: Number.isSafeInteger(version) && version > 0 ? version : null,
    lastWrite: writes.toSorted((a, b) => b.atMs - a.atMs)[0] ?? null,
  };
}
