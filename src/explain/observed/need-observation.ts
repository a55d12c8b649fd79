import type { Address } from "./needed-addresses.ts";

/** The fields of a Service that the program uses. */
export interface ServiceSnapshot {
  readonly namespace: string;
  readonly name: string;
  readonly ports: readonly number[];
  /** Empty for a headless Service. */
  readonly clusterIPs: readonly string[];
  /** Empty for a Service without a selector: the endpoint controllers do not write its endpoints. */
  readonly selector: Readonly<Record<string, string>>;
  /** `spec.externalName`, the DNS name that a Service of type ExternalName stands for; else null. */
  readonly externalName: string | null;
}

/** An address that a pod could not connect to, with the Service at that address, its endpoints and its pods. */
export interface NeedObservation<Pod> {
  readonly address: Address;
  /** The names of the pod's containers whose logs or termination messages have the address. */
  readonly containers: readonly string[];
  /** Null: `namespace` has no Service of the name in the address. */
  readonly service: ServiceSnapshot | null;
  /** The namespace of the Service, or the one in which there is no such Service. */
  readonly namespace: string;
  /** If there is no such Service: the Services of `namespace` with similar names, which the user may have meant. */
  readonly similar: readonly string[];
  /** The number of endpoints in the Service's EndpointSlices; null if these were not read. */
  readonly endpoints: { readonly ready: number; readonly total: number } | null;
  /** The pods that the Service selects; null if they were not read, or if it has no selector. */
  readonly pods: readonly Pod[] | null;
}
