import type { EtaWorkload, NamespacedOwner } from "../answer/eta.ts";
import { distinct } from "../observed/lookups.ts";
import { greatestOf, leastOf } from "../observed/max-min.ts";
import { windowFrom } from "../prediction/start-window.ts";
import type { PlacedStart } from "./needs.ts";
import type { EtaStart } from "./parts.ts";

/** Returns when each workload of the containers in `down` is up. The workload that is up first comes first. */
export function workloadsAmong(down: readonly PlacedStart[]): EtaWorkload[] {
  const groups = Map.groupBy(down, (one) => JSON.stringify(ownerOf(one)));
  const found = [...groups.values()].map((starts): EtaWorkload => {
    const { namespace, kind, name } = ownerOf(starts[0] as PlacedStart);
    const windows = starts.flatMap(({ container }) => container.upAgain ?? []);
    const notBeforeMs = leastOf(windows.map((window) => window.notBeforeMs));
    const upAgain = windowFrom(notBeforeMs, greatestOf(windows.map(({ likelyByMs }) => likelyByMs)));
    const pods = new Set(starts.map(({ container: { pod } }) => pod)).size;
    return {
      namespace,
      kind,
      name,
      pods,
      upAgain,
      needs: distinct(starts.flatMap(({ container }) => container.needs)),
    };
  });
  return found.sort(
    (a, b) =>
      a.upAgain.likelyByMs - b.upAgain.likelyByMs || (`${a.namespace}/${a.name}` < `${b.namespace}/${b.name}` ? -1 : 1),
  );
}

/** Returns the workload of a container; of a bare pod, the pod. */
export function ownerOf({ workload, container: { namespace, pod } }: EtaStart): NamespacedOwner {
  const { kind, name } = workload ?? { kind: "Pod", name: pod };
  return { kind, name, namespace };
}
