import { type Prose, prose } from "../answer/prose.ts";
import { newestAtMs } from "../observed/lookups.ts";
import type { AtBasis } from "../observed/observation.ts";
import type { Prediction } from "../prediction/prediction.ts";

export function whatToCheck({ overdue, observed }: Prediction, atBasis: AtBasis, skewMs: number): Prose {
  if (overdue === null) return "";
  const { nodeName } = observed.pod;
  const isReady = observed.node === null ? ", and whether it is Ready" : "";
  const node = `check the kubelet and the container runtime on ${nodeName === null ? "its node" : `node ${nodeName}`}${isReady}`;
  const newestMs = newestAtMs(observed.events);
  const isLater = newestMs - skewMs > overdue.expectedByMs;
  const later = prose`its events go on until ${{ atMs: newestMs }}`;
  if (isLater) {
    return atBasis === "server-clock"
      ? prose`${later}, but its status is older: ${node}`
      : prose`${later}, so its status is old: fetch the pod again`;
  }
  if (atBasis === "server-clock") return node;
  return atBasis === "newest-input"
    ? `this record is older than the rest of the input, or the kubelet does not work: fetch the pod again; if nothing has changed, ${node}`
    : `fetch the pod again, as this status may be old; if it is not, ${node}`;
}
