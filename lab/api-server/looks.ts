/** How a synthetic pod is doing. */
export type Look =
  | "running"
  | "restarted-once"
  | "not-ready"
  | "creating"
  | "unscheduled"
  | "succeeded"
  | "crash-loop"
  | "error"
  | "out-of-memory"
  | "completes"
  | "image-pull"
  | "config-error"
  | "init-loop"
  | "sidecar-loop";

/** A look and how many pods have it, in proportion to the others. */
interface WeightedLook {
  readonly look: Look;
  readonly weight: number;
}

/** What is normal in a cluster. */
export const HEALTHY_LOOKS: readonly [WeightedLook, ...WeightedLook[]] = [
  { look: "running", weight: 90 },
  { look: "restarted-once", weight: 5 },
  { look: "not-ready", weight: 0.5 },
  { look: "creating", weight: 0.3 },
  { look: "unscheduled", weight: 0.2 },
  { look: "succeeded", weight: 4 },
];

/** A container of each is in back-off, restarting, or failing to start. */
export const TROUBLED_LOOKS: readonly [WeightedLook, ...WeightedLook[]] = [
  { look: "crash-loop", weight: 50 },
  { look: "error", weight: 15 },
  { look: "out-of-memory", weight: 10 },
  { look: "completes", weight: 5 },
  { look: "image-pull", weight: 10 },
  { look: "config-error", weight: 4 },
  { look: "init-loop", weight: 4 },
  { look: "sidecar-loop", weight: 2 },
];
