export type KillingProbe = "liveness-probe" | "startup-probe";

export function probeName(probe: KillingProbe): "liveness" | "startup" {
  return probe === "liveness-probe" ? "liveness" : "startup";
}
