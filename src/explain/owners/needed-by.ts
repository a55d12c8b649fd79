import type { NeededBy } from "../answer/explanation.ts";
import { byName, namesOf } from "../common.ts";
import { nameOfNeed } from "../needed-service.ts";
import { distinct, podKey, workloadOf } from "../observed/lookups.ts";
import type { NeedObservation, Observation, PodObservation } from "../observed/observation.ts";

interface Needing {
  readonly need: NeedObservation;
  readonly by: PodObservation;
}

/**
 * Returns the workloads that could not reach an address behind which the pod `observed` stands, among the pods that
 * were observed with it.
 */
export function neededBy(observed: PodObservation, { pods, needing = [] }: Observation): NeededBy[] {
  const found = [...pods, ...needing].flatMap((by) =>
    (by.needs ?? []).flatMap((need): Needing[] => (isAbout(need, observed, by) ? [{ need, by }] : [])),
  );
  const same = Map.groupBy(found, ({ need }) => nameOfNeed(need));
  return [...same].map(([name, those]) => {
    const workloads = those.map(({ by }) => {
      const { kind, name: own } = workloadOf(by) ?? { kind: "Pod", name: by.pod.name };
      return { namespace: by.pod.namespace, kind, name: own };
    });
    const unable = distinct(workloads).toSorted(byName);
    const whose = unable.length === 1 ? "its" : "their";
    const sentence = `${namesOf(unable)} could not reach ${name} (inferred from ${whose} last output)`;
    const [{ need }] = those as [Needing];
    const { host, port } = need.address;
    return { host, port, service: need.service?.name ?? "", namespace: need.namespace, workloads: unable, sentence };
  });
}

/** Whether the pod stands behind the address that `by`, a pod of another workload, needs. */
function isAbout({ pods, address }: NeedObservation, { pod }: PodObservation, by: PodObservation): boolean {
  const isKin = pod.owner !== null && pod.owner.name === by.pod.owner?.name && pod.namespace === by.pod.namespace;
  const behind = pods ?? [];
  const named = behind.filter((one) => one.pod.name === address.host.split(".")[0]);
  return !isKin && (named.length > 0 ? named : behind).some((one) => podKey(one.pod) === podKey(pod));
}
