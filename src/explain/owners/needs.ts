import type { Need, NeededBy, PodExplanation } from "../answer/explanation.ts";
import { joinedProse, type Prose, prose } from "../answer/prose.ts";
import { byName, namesOf } from "../common.ts";
import { nameOfNeed, needFields, readyWords, whyNothingAnswers } from "../needed-service.ts";
import { distinct, podKey, workloadOf } from "../observed/lookups.ts";
import type { NeedObservation, Observation, PodObservation } from "../observed/observation.ts";
import { isFine, mainContainer } from "../triage.ts";

export function needsOf(
  { needs = [] }: PodObservation,
  explainPods: (pods: readonly PodObservation[]) => readonly PodExplanation[],
): Need[] {
  return needs.map((need) => {
    const pods = explainPods(need.pods ?? []).toSorted((a, b) => Number(isFine(a)) - Number(isFine(b)));
    return {
      ...needFields(need),
      pods: pods.map((pod) => ({ name: pod.name, nextRestart: mainContainer(pod)?.nextRestart ?? null })),
      sentence: sentenceOf(need, pods),
    };
  });
}

function sentenceOf(need: NeedObservation, pods: readonly PodExplanation[]): Prose {
  const { service, endpoints } = need;
  const who = nameOfNeed(need);
  const why = whyNothingAnswers(need);
  if (why !== null) return why;
  if (typeof service?.externalName === "string")
    return `${who} stands for ${service.externalName}, outside the cluster`;
  if (endpoints === null) return `${who} is Service ${service?.name}; its endpoints could not be read`;
  return joinedProse("; ", [readyWords(need), ...statesOf(pods)]);
}

const MOST_NAMED = 2;

function statesOf(pods: readonly PodExplanation[]): Prose[] {
  const down = pods.filter((pod) => !isFine(pod));
  const more = down.length - MOST_NAMED;
  const others = `${more} more ${more === 1 ? "is" : "are"} not up`;
  return [...down.slice(0, MOST_NAMED).map(stateInWords), ...(more > 0 ? [others] : [])];
}

function stateInWords(pod: PodExplanation): Prose {
  const { nextRestart = null, overdue = null, state: now, isReady } = mainContainer(pod) ?? {};
  const state = pod.verdict === "crash-looping" ? "is crash-looping" : "is down";
  if (nextRestart !== null)
    return prose`${pod.name} ${state} and restarts next between ${{ atMs: nextRestart.notBeforeMs }} and ${{ atMs: nextRestart.likelyByMs }}`;
  if (overdue !== null) return prose`${pod.name} should have restarted by ${{ atMs: overdue.expectedByMs }}`;
  if (pod.verdict === "crash-looping" && now === "running" && isReady === true)
    return `${pod.name} is up again after a crash loop`;
  return `${pod.name} is not ready`;
}

export function neededBy(observed: PodObservation, { pods, needing = [] }: Observation): NeededBy[] {
  const found = [...pods, ...needing].flatMap((by) =>
    (by.needs ?? [])
      .filter((need) => isAbout(need, observed, by))
      .map((need) => ({ need, by, name: nameOfNeed(need) })),
  );
  return [...Map.groupBy(found, ({ name }) => name).values()].map((those) => {
    const [{ need, name }] = those as [(typeof found)[number]];
    const workloads = those.map(({ by }) => {
      const { kind, name: own } = workloadOf(by) ?? { kind: "Pod", name: by.pod.name };
      return { namespace: by.pod.namespace, kind, name: own };
    });
    const unable = distinct(workloads).toSorted(byName);
    const whose = unable.length === 1 ? "its" : "their";
    const sentence = `${namesOf(unable)} could not reach ${name} (inferred from ${whose} last output)`;
    const { host, port } = need.address;
    return { host, port, service: need.service?.name ?? "", namespace: need.namespace, workloads: unable, sentence };
  });
}

/** If a pod db-0 exists, the host "db-0.db" means this pod. Assumed: pods of one controller do not need each other. */
function isAbout({ pods, address }: NeedObservation, { pod }: PodObservation, by: PodObservation): boolean {
  const { owner, namespace } = pod;
  const isOfOwner = owner !== null && owner.kind === by.pod.owner?.kind && owner.name === by.pod.owner.name;
  const isKin = isOfOwner && namespace === by.pod.namespace;
  const behind = pods ?? [];
  const named = behind.filter((one) => one.pod.name === address.host.split(".")[0]);
  return !isKin && (named.length > 0 ? named : behind).some((one) => podKey(one.pod) === podKey(pod));
}
