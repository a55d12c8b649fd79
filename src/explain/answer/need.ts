import type { Address } from "../observed/needed-addresses.ts";
import type { Window } from "./container-explanation.ts";
import type { Prose } from "./prose.ts";

/** Where the pod could not connect to, by its log, and what the cluster has there. */
export interface Need extends Address {
  /** The name of the Service; null if its namespace has none of that name. */
  readonly service: string | null;
  readonly namespace: string;
  /** Null if the EndpointSlices were not read. */
  readonly readyEndpoints: number | null;
  readonly endpoints: number | null;
  /** The pods that the Service selects, those first that are not up. */
  readonly pods: readonly NeededPod[];
  readonly sentence: Prose;
}

interface NeededPod {
  readonly name: string;
  /** Null if the pod runs, or if unknown. */
  readonly nextRestart: Window | null;
}

/** Which workloads could not reach the Service of the pod. Inferred from their logs and termination messages. */
export interface NeededBy extends Address, Pick<Need, "namespace"> {
  readonly service: string;
  readonly workloads: readonly { readonly namespace: string; readonly kind: string; readonly name: string }[];
  readonly sentence: string;
}
