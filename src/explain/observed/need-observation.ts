import type { Address } from "./needed-addresses.ts";

/** A Service, without annotations and labels. */
export interface ServiceSnapshot {
  readonly namespace: string;
  readonly name: string;
  readonly ports: readonly number[];
  /** Empty for a headless Service. */
  readonly clusterIPs: readonly string[];
  /** Empty for a Service without a selector, whose endpoints someone else writes. */
  readonly selector: Readonly<Record<string, string>>;
  /** The name outside the cluster that a Service of type ExternalName stands for; else null. */
  readonly externalName: string | null;
}

/** What a pod could not reach, and what the cluster has there. */
export interface NeedObservation<Pod> {
  readonly address: Address;
  /** The pod's containers whose logs or termination messages have the address. */
  readonly containers: readonly string[];
  /** Null: the namespace has no Service of that name. */
  readonly service: ServiceSnapshot | null;
  /** The namespace of the Service, or the namespace that lacks it. */
  readonly namespace: string;
  /** Names of Services that the user may have meant, if there is no such Service. */
  readonly similar: readonly string[];
  /** Null if the EndpointSlices were not read. */
  readonly endpoints: { readonly ready: number; readonly total: number } | null;
  /** The pods that the Service selects; null if they were not read. */
  readonly pods: readonly Pod[] | null;
}
