import type { Address } from "../observed/needed-addresses.ts";
import type { Window } from "./container-explanation.ts";
import type { Prose } from "./prose.ts";

/** An address that the pod could not connect to, by its logs, and the Service at that address with its pods. */
export interface Need extends Address {
  /** The name of the Service; null if `namespace` has no Service of the name in the address. */
  readonly service: string | null;
  readonly namespace: string;
  /** Null if the EndpointSlices were not read. */
  readonly readyEndpoints: number | null;
  readonly endpoints: number | null;
  /** The pods that the Service selects, those that are not fine first. */
  readonly pods: readonly NeededPod[];
  readonly sentence: Prose;
}

interface NeededPod {
  readonly name: string;
  /** When the pod's main container restarts; null if it runs or if that is unknown. */
  readonly nextRestart: Window | null;
}

/** The workloads that could not reach a Service of the pod, inferred from their logs and termination messages. */
export interface NeededBy extends Address, Pick<Need, "namespace"> {
  readonly service: string;
  readonly workloads: readonly { readonly namespace: string; readonly kind: string; readonly name: string }[];
  readonly sentence: string;
}
