import { toPodSnapshot } from "../../src/cluster/objects/pod.ts";
import { watch } from "./kubectl.ts";
import type { Observer } from "./observer.ts";
import type { Recorder } from "./recorder.ts";

/** Watches the pods of a namespace, their events and those of the nodes, for recorder and observer, until `signal`. */
export async function watchPods(
  namespace: string,
  recorder: Recorder,
  observer: Observer,
  signal: AbortSignal,
): Promise<void> {
  const nodeEvents = ["events", "--namespace=default", "--field-selector=involvedObject.kind=Node"];
  await Promise.all([
    watch(
      ["get", "pods", `--namespace=${namespace}`],
      (event) => {
        const atMs = Date.now();
        if (recorder.note("Pod", event, atMs)) observer.note(toPodSnapshot(event.object), atMs);
      },
      signal,
    ),
    watch(["get", "events", `--namespace=${namespace}`], (event) => recorder.note("Event", event, Date.now()), signal),
    watch(["get", ...nodeEvents], (event) => recorder.note("Event", event, Date.now()), signal),
  ]);
}
