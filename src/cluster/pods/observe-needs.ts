import { lastEnded } from "../../explain/observed/lookups.ts";
import { MOST_ADDRESSES, type NeededAddress, neededAddresses } from "../../explain/observed/needed-addresses.ts";
import type {
  ContainerLog,
  NeedObservation,
  PodObservation,
  PodSnapshot,
  ServiceSnapshot,
} from "../../explain/observed/observation.ts";
import { FINE, keepsPodFromReady, severityOf } from "../../explain/triage.ts";
import { fetched, oncePerKey } from "../api/fetched.ts";
import { type EventList, eventsOf, listEvents } from "../api/list-events.ts";
import { nearestNames } from "../api/nearest-names.ts";
import type { Connection } from "../connection/connection.ts";
import { eventUidsOf } from "../objects/event.ts";
import { at, objectsOf, parsedJson, textOf } from "../objects/json-access.ts";
import { toPodSnapshot } from "../objects/pod.ts";
import { endpointsIn, SERVICE_NAME_LABEL, toServiceSnapshot } from "../objects/service.ts";
import { collectionPath, inPath } from "../objects/workload-kinds.ts";
import { missing, NO_NODE, NODE_NOT_ASKED, type NodeObservation } from "./observe-node.ts";
import { servicePlaces } from "./service-names.ts";

/** Looks in `logs` and in the containers' termination messages for Services to which containers could not connect. */
export type NeedReader = (pod: PodSnapshot, logs: readonly ContainerLog[]) => Promise<readonly NeedObservation[]>;

interface ServiceList {
  readonly services: readonly ServiceSnapshot[];
  readonly isComplete: boolean;
}

export interface NeedSource {
  services(namespace: string): Promise<ServiceList | null>;
  endpoints(service: ServiceSnapshot): Promise<NeedObservation["endpoints"]>;
  pods(service: ServiceSnapshot, atMs: number): Promise<NeedObservation["pods"]>;
}

export function needReader(source: NeedSource, atMs: number): NeedReader {
  const servicesOnce = oncePerKey<ServiceList | null>();
  const needOnce = oncePerKey<Omit<NeedObservation, "containers">>();
  const servicesIn = (namespace: string) => servicesOnce(namespace, () => source.services(namespace));
  return async (pod, logs) => {
    const needs = addressesNeeded(pod, logs, atMs).map(async ({ containers, ...address }) => {
      const found = await findService(address, pod.namespace, servicesIn);
      if (found === null) return [];
      const key = JSON.stringify([address, found.namespace, found.service?.name]);
      return [{ ...(await needOnce(key, () => withEndpoints(source, address, found, atMs))), containers }];
    });
    return (await Promise.all(needs)).flat();
  };
}

function addressesNeeded(pod: PodSnapshot, logs: readonly ContainerLog[], atMs: number) {
  const found = new Map<string, NeededAddress & { readonly containers: readonly string[] }>();
  for (const status of pod.statuses.filter((one) => keepsPodFromReady(one, pod, atMs))) {
    const { name } = status;
    const ofContainer = logs.filter(({ container }) => container === name);
    const lines = ofContainer.flatMap(({ text }) => ("why" in text ? [] : text.lines));
    for (const address of neededAddresses([...(lastEnded(status)?.message ?? "").split("\n"), ...lines])) {
      const key = `${address.host} ${address.port}`;
      found.set(key, { ...address, containers: [...(found.get(key)?.containers ?? []), name] });
    }
  }
  return [...found.values()].slice(0, MOST_ADDRESSES);
}

type FoundService = Pick<NeedObservation, "service" | "namespace" | "similar">;

/** Returns null unless a Service is found or known to be missing. `service` is null if the Service is missing. */
async function findService(
  { host, isUnresolved }: NeededAddress,
  namespace: string,
  servicesIn: NeedSource["services"],
): Promise<FoundService | null> {
  if (/^[\d.]+$/.test(host)) {
    const list = await servicesIn(namespace);
    const service = list?.services.find(({ clusterIPs }) => clusterIPs.includes(host));
    return service === undefined ? null : { service, namespace, similar: [] };
  }
  const places = servicePlaces(host, namespace);
  const lists = await Promise.all(places.map((place) => servicesIn(place.namespace)));
  const [found] = places.flatMap(({ name }, index) => lists[index]?.services.find((one) => one.name === name) ?? []);
  if (found !== undefined) return { service: found, namespace: found.namespace, similar: [] };
  const [likeliest] = places;
  const [list] = lists;
  if (!isUnresolved || likeliest?.isCertain !== true || list?.isComplete !== true) return null;
  const names = list.services.map(({ name }) => name);
  return { service: null, namespace: likeliest.namespace, similar: nearestNames(likeliest.name, names) };
}

async function withEndpoints(
  source: NeedSource,
  address: NeededAddress,
  found: FoundService,
  atMs: number,
): Promise<Omit<NeedObservation, "containers">> {
  const { service } = found;
  if (service === null || service.externalName !== null) return { ...found, address, endpoints: null, pods: null };
  const isSelecting = Object.keys(service.selector).length > 0;
  const [endpoints, pods] = await Promise.all([
    source.endpoints(service),
    isSelecting ? source.pods(service, atMs) : null,
  ]);
  return { ...found, address, endpoints, pods };
}

const TIMEOUT_MS = 3_000;
const MOST_SERVICES = "500";
const MOST_PODS = "20";
const MOST_OBSERVED = 2;
const EVENTS_NOT_ASKED: EventList = { objects: [], why: "not-asked" };

/** If `readNode` is null, the program reads neither nodes nor events of the pods behind a Service. */
export function liveNeeds(
  connection: Connection,
  readNode: ((name: string) => Promise<NodeObservation>) | null,
): NeedSource {
  const get = (path: string, query: Readonly<Record<string, string>>, parse = parsedJson) =>
    fetched(async () => (await connection.get(path, { timeoutMs: TIMEOUT_MS, query, parse })).body);
  const observe = async (raw: unknown, pod: PodSnapshot, isObserved: boolean): Promise<PodObservation> => {
    const { namespace, name, nodeName } = pod;
    const [events, node] =
      readNode === null || !isObserved
        ? [EVENTS_NOT_ASKED, NODE_NOT_ASKED]
        : await Promise.all([
            listEvents(connection, { kind: "Pod", name, namespace }),
            nodeName === null ? NO_NODE : readNode(nodeName),
          ]);
    return {
      ...node,
      pod,
      earlier: [],
      events: eventsOf(events, eventUidsOf(raw)).events,
      missing: [...missing("events", events.why), ...node.missing],
    };
  };
  return {
    services: async (namespace) => {
      // Drops the annotations, because annotations can hold secrets.
      const parse = (text: string): unknown => {
        const raw = parsedJson(text);
        if (raw === undefined) return undefined;
        const services = objectsOf(at(raw, "items")).map(toServiceSnapshot);
        return { services, isComplete: textOf(at(raw, "metadata", "continue")) === null } satisfies ServiceList;
      };
      const path = `/api/v1/namespaces/${inPath(namespace)}/services`;
      return (await get(path, { limit: MOST_SERVICES }, parse)).value as ServiceList | null;
    },
    endpoints: async ({ namespace, name }) => {
      const path = `/apis/discovery.k8s.io/v1/namespaces/${inPath(namespace)}/endpointslices`;
      const { value } = await get(path, { labelSelector: `${SERVICE_NAME_LABEL}=${name}`, limit: "500" });
      return value === null ? null : endpointsIn(at(value, "items"));
    },
    pods: async ({ namespace, selector }, atMs) => {
      const labels = Object.entries(selector).map(([key, value]) => `${key}=${value}`);
      const query = { labelSelector: labels.join(), limit: MOST_PODS };
      const { value } = await get(collectionPath("Pod", namespace), query);
      if (value === null) return null;
      const pods = objectsOf(at(value, "items")).map((raw) => ({ raw, pod: toPodSnapshot(raw) }));
      const failing = pods.filter(({ pod }) => severityOf(pod, atMs) !== FINE).slice(0, MOST_OBSERVED);
      return Promise.all(pods.map((one) => observe(one.raw, one.pod, failing.includes(one))));
    },
  };
}
