import type { Need } from "./answer/explanation.ts";
import type { NeedObservation } from "./observed/observation.ts";

export function needFields(need: NeedObservation): Omit<Need, "pods" | "sentence"> {
  const { address, service, namespace, endpoints } = need;
  return {
    host: address.host,
    port: address.port,
    service: service?.name ?? null,
    namespace,
    readyEndpoints: endpoints?.ready ?? null,
    endpoints: endpoints?.total ?? null,
  };
}

export function nameOfNeed({ address: { host, port }, service }: NeedObservation): string {
  const label = port === null ? host : `${host}:${port}`;
  return service === null || host.split(".").includes(service.name) ? label : `${label} (Service ${service.name})`;
}

export function readyWords(need: NeedObservation): string {
  return `${nameOfNeed(need)} has ${need.endpoints?.ready} of ${need.endpoints?.total} ready endpoints`;
}

export function whyNothingAnswers(need: NeedObservation): string | null {
  const { address, service, endpoints } = need;
  if (service === null) return missingService(need);
  const { name, ports, externalName } = service;
  if (externalName !== null) return null;
  if (address.port !== null && ports.length > 0 && !ports.includes(address.port))
    return `Service ${name} has no port ${address.port}, only ${ports.join(", ")}`;
  return endpoints?.total === 0 ? `${nameOfNeed(need)} has no endpoints${whyNone(need)}` : null;
}

function missingService({ address, namespace, similar }: NeedObservation): string {
  const [name = address.host] = address.host.split(".");
  const instead = similar.length === 0 ? "" : ` (there is ${similar.join(", ")})`;
  return `namespace ${namespace} has no Service ${name}${instead}`;
}

function whyNone({ pods, service }: NeedObservation): string {
  const isSelecting = Object.keys(service?.selector ?? {}).length > 0;
  return isSelecting && pods?.length === 0 ? ": no pod matches its selector" : "";
}
