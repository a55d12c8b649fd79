import type { ContainerExplanation, PodExplanation } from "../../src/explain/answer/explanation.ts";
import { explain } from "../../src/explain/explain.ts";
import type { PodObservation, PodSnapshot } from "../../src/explain/observed/observation.ts";
import { aPod, aStatus, observationOf, T0_MS, terminated } from "./builders.ts";

const S = 1_000;

/** What else is seen of the pod, and when. */
type Seen = Partial<PodObservation> & { readonly atMs: number };

/** Explains aPod() with these changes. */
export function explainPod(pod: Partial<PodSnapshot>, seen: Seen): PodExplanation {
  const [explained] = explain(observationOf(aPod(pod), seen), {}).pods;
  if (explained === undefined) throw new Error("nothing was explained");
  return explained;
}

/** The same, and only its container "app". */
export function explainApp(pod: Partial<PodSnapshot>, seen: Seen): ContainerExplanation {
  const app = explainPod(pod, seen).containers.find(({ name }) => name === "app");
  if (app === undefined) throw new Error("no container app");
  return app;
}

/** A run of 5 s that began `gapS` after the end of one before it, and ended at T0 + 1000 s. */
export function twoRuns(gapS: number, restartCount: number) {
  const endMs = T0_MS + 1_000 * S;
  const last = terminated(endMs - 5 * S, endMs, { containerID: "containerd://b" });
  const before = terminated(endMs - (10 + gapS) * S, endMs - (5 + gapS) * S, { containerID: "containerd://a" });
  const status = aStatus({ state: last, lastState: before, restartCount, containerID: "containerd://b" });
  return { pod: { statuses: [status] }, endMs };
}
