import type { ContainerPlace, Eta, EtaUnknown } from "../../explain/answer/eta.ts";
import type { FailedJob } from "../../explain/answer/explanation.ts";
import { firstOf, prose } from "../../explain/answer/prose.ts";
import { countdownCellTo } from "../page/durations.ts";
import { harmless } from "../page/harmless.ts";
import { counted } from "../page/paint.ts";
import type { Times } from "../page/times.ts";
import { countdownTo, countedOf, nameIn, waitingJobWords } from "./eta-words.ts";

export interface Advice {
  readonly sentence: string;
  readonly command: string | null;
}

export function adviceOf(eta: Eta, times: Times): Advice[][] {
  const needed = eta.needs.flatMap(({ sentence }) => (sentence === null ? [] : harmless(times.text(sentence))));
  return [needed.map(alone), waitingJobsAdvice(eta, times), setApart(eta, times), fasterWords(eta, times)];
}

function alone(sentence: string): Advice {
  return { sentence, command: null };
}

const MOST_NAMED = 3;

/** Leaves out the first Job of an estimate without containers, because the headline is about that Job. */
function waitingJobsAdvice(eta: Eta, times: Times): Advice[] {
  const jobs = eta.waitingJobs.slice(eta.total === 0 ? 1 : 0);
  const more = jobs.length - MOST_NAMED;
  const sentences = jobs.slice(0, MOST_NAMED).map((job) => waitingJobWords(job, eta, times));
  return [...sentences, ...(more > 0 ? [`${counted(more, "more Job")} will make another pod later.`] : [])].map(alone);
}

function named(eta: Eta, places: readonly ContainerPlace[]): string {
  return firstOf(places, MOST_NAMED, (place) => nameIn(eta, place));
}

const WHY_UNKNOWN: Readonly<Record<EtaUnknown["reason"], string>> = {
  unscheduled: "not scheduled to any node",
  "node-not-ready": "on a node that is NotReady",
  "node-not-found": "on a node that does not exist",
  "held-up": "held up by a volume, the network or a device",
  "init-running": "waiting for an init container that is running",
  starting: "starting",
  "stays-down": "failed, and will not restart",
  "needs-unknown": "in need of what has no predictable start",
  "no-data": "without enough data to predict the restart",
};

function setApart(eta: Eta, times: Times): Advice[] {
  const { overdue, unknown, notReady, crashLooping } = eta;
  const [first] = overdue;
  const isLate = first !== undefined && first.overdue !== null;
  const since = isLate ? times.instant(first.overdue.expectedByMs) : "";
  const place = first ?? unknown[0]?.places[0];
  return [
    ...eta.failedJobs.flatMap((job) => failedJobAdvice(job, times)),
    ...(isLate ? [alone(`${overdue.length} overdue since ${since} or later: ${named(eta, overdue)}.`)] : []),
    ...unknown.map(({ reason, places }) =>
      alone(`${places.length} unknown (${WHY_UNKNOWN[reason]}): ${named(eta, places)}.`),
    ),
    ...(place === undefined
      ? []
      : [{ sentence: "To see why:", command: `kubectl backoff explain ${argumentsFor(place)}` }]),
    ...(notReady.length === 0 ? [] : [alone(`Counted as up, but not Ready: ${named(eta, notReady)}.`)]),
    ...(crashLooping.length === 0
      ? []
      : [alone(`Counted as up, but crash-looping, so it may exit again: ${named(eta, crashLooping)}.`)]),
  ];
}

function failedJobAdvice({ namespace, summary, nextSteps: [first] }: FailedJob, times: Times): Advice[] {
  const why = harmless(times.text(prose`${namespace}/${summary} Once the cause is fixed, create the Job again.`));
  return first === undefined
    ? [alone(why)]
    : [alone(why), { sentence: `To ${first.what}:`, command: harmless(first.command) }];
}

function fasterWords(eta: Eta, times: Times): Advice[] {
  const { bottleneck, faster, quantilesOfDown } = eta;
  const all = quantilesOfDown.at(-1);
  const { deletion, rollout } = faster;
  const advice: Advice[] = bottleneck === null ? [] : [alone(harmless(bottleneck.sentence))];
  if (deletion !== null && all !== undefined) {
    const { pods, others, after } = deletion;
    const one = others.count === 0 ? "the pod" : "the pod with the longest wait";
    const which = pods.length === 1 ? one : `the ${pods.length} pods with the longest waits`;
    const outcome =
      others.count === 0
        ? ""
        : `, and the last of the others is up ${countdownTo(eta, others)} (${times.instant(others.atMs)}) instead of ${countdownCellTo(all.atMs - eta.atMs)}`;
    const command = deleteCommand(pods);
    const names = command === null ? " -o json names the pods." : "";
    const services = after.map(({ service }) => ` and ${harmless(service)} is up`).join("");
    const sentence = `Once what keeps them down is fixed${services}, deleting ${which} is faster than waiting: fresh pods start without delay${outcome}. It changes the cluster.${names}`;
    advice.push({ sentence, command });
  }
  if (rollout !== null) advice.push(alone(rolloutWords(eta, rollout)));
  return advice;
}

function deleteCommand(pods: readonly Pick<ContainerPlace, "namespace" | "pod">[]): string | null {
  const [first] = pods;
  const names = pods.map(({ pod }) => pod);
  const isOne = pods.every(({ namespace }) => namespace === first?.namespace);
  const isShort = first !== undefined && isOne && names.length <= MOST_NAMED;
  if (!isShort || !isForShell(first.namespace, ...names)) return null;
  return `kubectl delete pod ${names.join(" ")} -n ${first.namespace}`;
}

function argumentsFor({ pod, namespace }: ContainerPlace): string {
  return isForShell(pod, namespace) ? `${pod} -n ${namespace}` : "POD";
}

/** The API server accepts only names of this form for pods and namespaces, but a file may have different names. */
function isForShell(...names: readonly string[]): boolean {
  return names.every((name) => /^[a-z0-9][a-z0-9.-]*$/.test(name));
}

function rolloutWords(eta: Eta, { containers, owners }: NonNullable<Eta["faster"]["rollout"]>): string {
  const [first] = owners;
  const owner = first === undefined ? "" : harmless(`${first.kind} ${first.namespace}/${first.name}`);
  const whose = owners.length === 1 ? owner : `${owner} and ${owners.length - 1} more`;
  return (
    `${owners.length === 1 ? "If the fix is a new pod template, its rollout replaces" : "Fixes by new pod templates replace"} ` +
    `${countedOf(eta, containers)} (${whose}) with fresh ones, which start without delay.`
  );
}
