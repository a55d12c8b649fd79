import type { ServiceSnapshot } from "../../explain/observed/observation.ts";
import { count, flag, list, map, object, text } from "./declaration.ts";
import { objectsOf } from "./json-access.ts";

/** `LabelServiceName` (k8s.io/api v0.37.1, discovery/v1/well_known_labels.go). */
export const SERVICE_NAME_LABEL = "kubernetes.io/service-name";

const SERVICE = object({
  metadata: object({ name: text, namespace: text }),
  spec: object({
    clusterIP: text,
    clusterIPs: list(text),
    externalName: text,
    ports: list(object({ port: count })),
    selector: map(text),
  }),
});

const SLICE = object({
  addressType: text,
  endpoints: list(
    object({ addresses: list(text), conditions: object({ ready: flag }), targetRef: object({ name: text }) }),
  ),
});

/** Leaves out the annotations, which can hold anything, even the Service's whole manifest. */
export function toServiceSnapshot(raw: unknown): ServiceSnapshot {
  const { metadata, spec } = SERVICE.read(raw, []);
  const addresses = spec.clusterIPs.length > 0 ? spec.clusterIPs : [spec.clusterIP ?? "None"];
  return {
    namespace: metadata.namespace ?? "default",
    name: metadata.name ?? "",
    ports: spec.ports.flatMap(({ port }) => port ?? []),
    clusterIPs: addresses.filter((address) => address !== "None"),
    selector: spec.selector,
    externalName: spec.externalName,
  };
}

/**
 * A dual-stack Service can have EndpointSlices for each IP family, usually for the same pods. So `ready` and `total`
 * are not sums, but the highest numbers of any family.
 */
export function endpointsIn(slices: unknown): { readonly ready: number; readonly total: number } {
  const read = objectsOf(slices).map((raw) => SLICE.read(raw, []));
  const counts = [...Map.groupBy(read, ({ addressType }) => addressType).values()].map((ofFamily) => {
    const readiness = new Map<string, boolean>();
    for (const { addresses, conditions, targetRef } of ofFamily.flatMap(({ endpoints }) => endpoints)) {
      const key = targetRef.name ?? addresses.join();
      // By the API's documentation, an absent `ready` counts as true.
      readiness.set(key, readiness.get(key) === true || conditions.ready !== false);
    }
    return { ready: [...readiness.values()].filter(Boolean).length, total: readiness.size };
  });
  return {
    ready: Math.max(0, ...counts.map(({ ready }) => ready)),
    total: Math.max(0, ...counts.map(({ total }) => total)),
  };
}
