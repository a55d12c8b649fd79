import type { PodObservation } from "../observed/observation.ts";
import { quoted } from "./excerpt.ts";
import type { Gap } from "./explanation.ts";

/** The gap of a node whose Ready condition is not True; null if it is, or if nothing is known. */
export function nodeNotReady(observed: PodObservation): Gap | null {
  const words = nodeNotReadyWords(observed);
  if (words === null) return null;
  return { code: "node-not-ready", message: `N${words.slice(1)}. Nothing on it restarts until it is back.` };
}

/** "node node-a is NotReady (kubelet not responding)"; null if it is, or if nothing is known. */
export function nodeNotReadyWords(observed: PodObservation): string | null {
  const ready = observed.node?.conditions.find((condition) => condition.type === "Ready");
  if (ready === undefined || ready.status === "True") return null;
  const said =
    ready.status === "Unknown"
      ? "kubelet not responding"
      : `its kubelet says: ${quoted(ready.message ?? ready.reason ?? "not ready")}`;
  return `node ${observed.node?.name} is NotReady (${said})`;
}
