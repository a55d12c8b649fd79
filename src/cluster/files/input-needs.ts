import { conditionOf } from "../../explain/observed/lookups.ts";
import type { PodObservation, ServiceSnapshot } from "../../explain/observed/observation.ts";
import { at, type JsonObject } from "../objects/json-access.ts";
import { namespaceOf } from "../objects/owner-reference.ts";
import { endpointsIn, SERVICE_NAME_LABEL, toServiceSnapshot } from "../objects/service.ts";
import type { NeedReader, NeedSource } from "../pods/observe-needs.ts";
import { type DumpedLog, logsOfPod } from "./dumped-logs.ts";
import type { ObjectsOfKind } from "./input-objects.ts";
import type { InputPod } from "./input-pods.ts";

/**
 * A list of Services is never complete, because the cluster may have a Service that the input lacks. Inferred: without
 * EndpointSlices of a Service, the pods that the Service selects are its endpoints.
 */
export function inputNeeds(
  existingOf: ObjectsOfKind,
  pods: readonly InputPod[],
  observe: (pod: InputPod) => Promise<PodObservation>,
): NeedSource {
  const services = existingOf("Service").map(({ raw }) => toServiceSnapshot(raw));
  const slices = existingOf("EndpointSlice").map(({ raw }) => raw);
  const podsOf = ({ namespace, selector }: ServiceSnapshot): readonly InputPod[] => {
    if (Object.keys(selector).length === 0) return [];
    return pods.filter(({ pod, raw }) => pod.namespace === namespace && hasLabels(raw, selector));
  };
  return {
    services: async (namespace) => {
      const ofNamespace = services.filter((service) => service.namespace === namespace);
      return { services: ofNamespace, isComplete: false };
    },
    endpoints: async (service) => {
      const { namespace, name } = service;
      const ofService = slices.filter(
        (raw) => namespaceOf(raw) === namespace && hasLabels(raw, { [SERVICE_NAME_LABEL]: name }),
      );
      if (ofService.length > 0) return endpointsIn(ofService);
      const selected = podsOf(service);
      const ready = selected.filter(({ pod }) => conditionOf(pod, "Ready")?.status === "True");
      return selected.length === 0 ? null : { ready: ready.length, total: selected.length };
    },
    pods: async (service) => {
      const selected = podsOf(service);
      return selected.length === 0 ? null : Promise.all(selected.map(observe));
    },
  };
}

function hasLabels(raw: JsonObject, selector: ServiceSnapshot["selector"]): boolean {
  const labels = at(raw, "metadata", "labels");
  return Object.entries(selector).every(([key, value]) => at(labels, key) === value);
}

const LINES_SEARCHED_FOR_ADDRESSES = 50;

interface Search {
  readonly observe: (pod: InputPod) => Promise<PodObservation>;
  readonly needs: NeedReader;
  readonly dumped: readonly DumpedLog[];
  readonly atMs: number;
}

export async function needingPods(
  pods: readonly InputPod[],
  { observe, needs: needsOf, dumped, atMs }: Search,
): Promise<readonly PodObservation[]> {
  const found = pods.map(async (input): Promise<PodObservation[]> => {
    const logs = logsOfPod(input.pod, dumped, LINES_SEARCHED_FOR_ADDRESSES, atMs);
    const needs = await needsOf(input.pod, logs);
    return needs.length === 0 ? [] : [{ ...(await observe(input)), logs, needs }];
  });
  return (await Promise.all(found)).flat();
}
