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
import { eventsOf, listEvents } from "../api/list-events.ts";
import { nearestNames } from "../api/nearest-names.ts";
import type { Connection } from "../connection/connection.ts";
import { eventUidsOf } from "../objects/event.ts";
import { at, objectsOf, parsedJson } from "../objects/json-access.ts";
import { toPodSnapshot } from "../objects/pod.ts";
import { endpointsIn, toServiceSnapshot } from "../objects/service.ts";
import { collectionPath, inPath } from "../objects/workload-kinds.ts";
import type { RawObject } from "../owners/workload-source.ts";
import { missing, NO_NODE, NOT_ASKED, type NodeObservation } from "./observe-node.ts";
import { type ServicePlace, servicePlaces } from "./service-names.ts";

/** An address, and the containers of a pod that could not connect to it. */
interface AddressOfPod extends NeededAddress, Pick<NeedObservation, "containers"> {}

/**
 * Returns the addresses to which containers that keep the pod from Ready could not connect, as their logs and
 * termination messages say. Returns at most `MOST_ADDRESSES`.
 */
export function addressesNeeded(pod: PodSnapshot, logs: readonly ContainerLog[], atMs: number): AddressOfPod[] {
  const failing = pod.statuses.filter((status) => keepsPodFromReady(status, pod, atMs));
  const found = new Map<string, AddressOfPod>();
  for (const status of failing) {
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

/**
 * Reads the Services that `addresses` stand for in `namespace`, their endpoints and their pods. Leaves out addresses
 * that are not known to be a Service's.
 */
export type NeedReader = (
  namespace: string,
  addresses: readonly AddressOfPod[],
  atMs: number,
) => Promise<readonly NeedObservation[]>;

/**
 * Reads Services, their endpoints and their pods, from a cluster or from files. Returns null for what it cannot read.
 */
export interface NeedSource {
  /** Whether the source knows all Services of the cluster, so that a Service that it does not return does not exist. */
  readonly isWhole: boolean;
  services(namespace: string): Promise<readonly ServiceSnapshot[] | null>;
  endpoints(service: ServiceSnapshot): Promise<NeedObservation["endpoints"]>;
  /** Returns the pods that the Service selects. */
  pods(service: ServiceSnapshot, atMs: number): Promise<NeedObservation["pods"]>;
}

export function needReader(source: NeedSource): NeedReader {
  const servicesOnce = oncePerKey<readonly ServiceSnapshot[] | null>();
  const needOnce = oncePerKey<Omit<NeedObservation, "containers">>();
  const once = {
    ...source,
    services: (namespace: string) => servicesOnce(namespace, () => source.services(namespace)),
  };
  return async (namespace, addresses, atMs) => {
    const needs = addresses.map(async ({ containers, ...address }) => {
      const found = await findService(address, namespace, once);
      if (found === null) return [];
      const key = JSON.stringify([address, found.namespace, found.service?.name]);
      return [{ ...(await needOnce(key, () => withEndpoints(source, address, found, atMs))), containers }];
    });
    return (await Promise.all(needs)).flat();
  };
}

type FoundService = Pick<NeedObservation, "service" | "namespace" | "similar">;

/**
 * Finds the Service of an address by its name or its IP. Null if nothing shows that the address is a Service's.
 * `service` is null if the address is certainly a Service's, but the Service does not exist.
 */
async function findService(
  { host, isUnresolved }: NeededAddress,
  namespace: string,
  { services: servicesIn, isWhole }: NeedSource,
): Promise<FoundService | null> {
  if (/^[\d.]+$/.test(host)) {
    const service = (await servicesIn(namespace))?.find(({ clusterIPs }) => clusterIPs.includes(host));
    return service === undefined ? null : { service, namespace, similar: [] };
  }
  const places = servicePlaces(host, namespace);
  const known = await Promise.all(places.map((place) => servicesIn(place.namespace)));
  const found = places.flatMap((place, index) => serviceAt(place, known[index] ?? []))[0];
  if (found !== undefined) return { service: found, namespace: found.namespace, similar: [] };
  const [only] = places;
  const services = known[0] ?? null;
  if (!isWhole || !isUnresolved || only?.isCertain !== true || services === null) return null;
  const similar = nearestNames(
    only.name,
    services.map(({ name }) => name),
  );
  return { service: null, namespace: only.namespace, similar };
}

function serviceAt(place: ServicePlace, services: readonly ServiceSnapshot[]): ServiceSnapshot[] {
  return services.filter(({ name }) => name === place.name);
}

/** Reads the Services of a namespace; null if that fails. Drops their annotations as soon as they arrive. */
async function listServices(connection: Connection, namespace: string): Promise<readonly ServiceSnapshot[] | null> {
  const path = `/api/v1/namespaces/${inPath(namespace)}/services`;
  const parse = (text: string): unknown => itemsIn(text)?.map(toServiceSnapshot);
  const { value } = await fetched(
    async () =>
      (await connection.get(path, { ...LIMITS, query: { limit: MOST_SERVICES }, parse })).body as ServiceSnapshot[],
  );
  return value;
}

/** A short time limit, because the answer only adds to the explanation. */
const LIMITS = { isOptional: true, timeoutMs: 3_000 } as const;
const MOST_SERVICES = "500";
const MOST_PODS = "20";
/**
 * The program reads the events and the nodes of up to this number of failing pods behind a Service. The explanation
 * names no more.
 */
const MOST_OBSERVED = 2;

function itemsIn(text: string): readonly unknown[] | undefined {
  const raw = parsedJson(text);
  return raw === undefined ? undefined : objectsOf(at(raw, "items"));
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

type NodeReader = (name: string) => Promise<NodeObservation>;

/**
 * Reads Services, their endpoints and their pods from a cluster. Without `readNode`, reads neither nodes nor events of
 * the pods that are down.
 */
export function liveNeeds(connection: Connection, readNode: NodeReader | null): NeedSource {
  return {
    isWhole: true,
    services: (namespace) => listServices(connection, namespace),
    endpoints: async ({ namespace, name }) => {
      const path = `/apis/discovery.k8s.io/v1/namespaces/${inPath(namespace)}/endpointslices`;
      const query = { labelSelector: `kubernetes.io/service-name=${name}`, limit: "500" };
      const slices = async () => endpointsIn(at((await connection.get(path, { ...LIMITS, query })).body, "items"));
      return (await fetched(slices)).value;
    },
    pods: ({ namespace, selector }, atMs) => {
      const labels = Object.entries(selector).map(([key, value]) => `${key}=${value}`);
      return readPods({ connection, readNode, atMs }, namespace, labels.join());
    },
  };
}

interface Reading {
  readonly connection: Connection;
  readonly readNode: NodeReader | null;
  readonly atMs: number;
}

async function readPods(reading: Reading, namespace: string, labelSelector: string) {
  const { connection, atMs } = reading;
  const query = { labelSelector, limit: MOST_PODS };
  const { value } = await fetched(
    async () => (await connection.get(collectionPath("Pod", namespace), { ...LIMITS, query })).body,
  );
  if (value === null) return null;
  const pods = objectsOf(at(value, "items")).map((raw) => ({ raw, pod: toPodSnapshot(raw) }));
  const { readNode } = reading;
  const failing = pods.filter(({ pod }) => severityOf(pod, atMs) !== FINE).slice(0, MOST_OBSERVED);
  return Promise.all(
    pods.map((one) =>
      readNode !== null && failing.includes(one) ? observeFailing(connection, readNode, one) : notObserved(one.pod),
    ),
  );
}

/**
 * Observes a failing pod that the program has already read: adds its events and its node, on which its next restart
 * depends.
 */
async function observeFailing(
  connection: Connection,
  readNode: NodeReader,
  { raw, pod }: ReadPod,
): Promise<PodObservation> {
  const { namespace, name, nodeName } = pod;
  const [events, node] = await Promise.all([
    listEvents(connection, { kind: "Pod", name, namespace }),
    nodeName === null ? NO_NODE : readNode(nodeName),
  ]);
  const own = eventsOf(events, eventUidsOf(raw));
  return {
    ...node,
    pod,
    earlier: [],
    events: own.events,
    missing: [...missing("events", events.why), ...node.missing],
  };
}

interface ReadPod {
  readonly raw: RawObject;
  readonly pod: PodSnapshot;
}

function notObserved(pod: PodSnapshot): PodObservation {
  return {
    ...NOT_ASKED,
    pod,
    earlier: [],
    events: [],
    missing: [...missing("events", "not-asked"), ...NOT_ASKED.missing],
  };
}
