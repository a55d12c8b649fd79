import type { Need, PodExplanation } from "../answer/explanation.ts";
import { joinedProse, type Prose, prose } from "../answer/prose.ts";
import type { NeedObservation, PodObservation } from "../observed/observation.ts";
import { isFine, mainContainer } from "../triage.ts";

type Observed = NeedObservation<PodObservation>;

/** Returns what the pod needs and how that is. `explainPods` explains the pods behind a Service. */
export function needsOf(
  { needs = [] }: PodObservation,
  explainPods: (pods: readonly PodObservation[]) => readonly PodExplanation[],
): Need[] {
  return needs.map((need) => {
    const pods = explainPods(need.pods ?? []).toSorted((a, b) => Number(isFine(a)) - Number(isFine(b)));
    return {
      host: need.address.host,
      port: need.address.port,
      service: need.service?.name ?? null,
      namespace: need.namespace,
      readyEndpoints: need.endpoints?.ready ?? null,
      endpoints: need.endpoints?.total ?? null,
      pods: pods.map((pod) => ({ name: pod.name, nextRestart: mainContainer(pod)?.nextRestart ?? null })),
      sentence: sentenceOf(need, pods),
    };
  });
}

function sentenceOf(need: Observed, pods: readonly PodExplanation[]): Prose {
  const { address, service, endpoints } = need;
  const label = address.port === null ? address.host : `${address.host}:${address.port}`;
  if (service === null) return missingService(need);
  const isByName = address.host.split(".").includes(service.name);
  const who = isByName ? label : `${label} (Service ${service.name})`;
  if (service.externalName !== null) return `${who} stands for ${service.externalName}, outside the cluster`;
  if (address.port !== null && service.ports.length > 0 && !service.ports.includes(address.port))
    return `Service ${service.name} has no port ${address.port}, only ${service.ports.join(", ")}`;
  if (endpoints === null) return `${who} is Service ${service.name}; its endpoints could not be read`;
  if (endpoints.total === 0) return `${who} has no endpoints${whyNone(need)}`;
  const ready = `${who} has ${endpoints.ready} of ${endpoints.total} ready endpoints`;
  return joinedProse("; ", [ready, ...statesOf(pods)]);
}

function missingService({ address, namespace, similar }: Observed): string {
  const [name = address.host] = address.host.split(".");
  const instead = similar.length === 0 ? "" : ` (there is ${similar.join(", ")})`;
  return `namespace ${namespace} has no Service ${name}${instead}`;
}

function whyNone({ pods, service }: Observed): string {
  const isSelecting = Object.keys(service?.selector ?? {}).length > 0;
  return isSelecting && pods?.length === 0 ? ": no pod matches its selector" : "";
}

/** The maximum number of pods that the sentence lists. */
const MOST_NAMED = 2;

function statesOf(pods: readonly PodExplanation[]): Prose[] {
  const down = pods.filter((pod) => !isFine(pod));
  const more = down.length - MOST_NAMED;
  return [...down.slice(0, MOST_NAMED).map(stateOf), ...(more > 0 ? [`${more} more are not up`] : [])];
}

function stateOf(pod: PodExplanation): Prose {
  const { nextRestart = null, overdue = null } = mainContainer(pod) ?? {};
  const state = pod.verdict === "crash-looping" ? "is crash-looping" : "is down";
  if (nextRestart !== null)
    return prose`${pod.name} ${state} and restarts next between ${{ atMs: nextRestart.notBeforeMs }} and ${{ atMs: nextRestart.likelyByMs }}`;
  if (overdue !== null) return prose`${pod.name} should have restarted by ${{ atMs: overdue.expectedByMs }}`;
  return `${pod.name} is not ready`;
}
