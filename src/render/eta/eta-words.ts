import {
  type ContainerPlace,
  distinctQuantiles,
  type Eta,
  type EtaQuantile,
  type EtaUnknown,
} from "../../explain/answer/eta.ts";
import type { FailedJob } from "../../explain/answer/explanation.ts";
import { firstOf, formatPercent, prose } from "../../explain/answer/prose.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { countdownCellTo, formatCountdownTo } from "../page/durations.ts";
import { harmless } from "../page/harmless.ts";
import { counted } from "../page/paint.ts";
import { ofPodsThatMatch } from "../page/selected.ts";
import type { Times } from "../page/times.ts";

function nounOf({ total, pods }: Eta): string {
  return total === pods ? "pod" : "container";
}

/** Returns "3 pods" if each pod has one container, otherwise "3 containers". */
function countedOf(eta: Eta, count: number): string {
  return counted(count, nounOf(eta));
}

export interface EmptyEtaLook {
  /** The labels of the pods that the user asked for; left out for all pods. */
  readonly selector?: string | undefined;
  /** Whether a note has already said why there is nothing to wait for. */
  readonly isExplained?: boolean;
}

function nothingToWaitFor({ selector, isExplained = false }: EmptyEtaLook): string {
  const why = isExplained ? "" : `: no containers${ofPodsThatMatch(selector)} are meant to be up`;
  return `There is nothing to wait for${why}.`;
}

/** Returns how many containers are not up, and when they would be up again if what keeps them down were fixed now. */
export function etaHeadline(eta: Eta, times: Times, look: EmptyEtaLook = {}): string {
  const { total, up, down, quantilesOfDown, failedJobs } = eta;
  const [last] = down;
  const all = quantilesOfDown.at(-1);
  if (total === 0 && failedJobs.length > 0) return "There is nothing to wait for: a failed Job creates no more pods.";
  if (total === 0) return nothingToWaitFor(look);
  if (up === total) return total === 1 ? `The ${nounOf(eta)} is up.` : `All ${countedOf(eta, total)} are up.`;
  if (last === undefined || all === undefined) return `${notUpWords(eta)}. No restart can be predicted.`;
  const where = `${nameIn(eta, last)}${last.node === null ? "" : ` on ${harmless(last.node)}`}`;
  const after = last.needs.map(({ service }) => `, after ${harmless(service)}`).join("");
  const delay = `${last.delayMs === null ? "" : `, ${formatBriefDuration(last.delayMs)} delay`}${after}`;
  const lastWords = `${times.instant(all.atMs)} (${inWords(eta, all)}; ${where}${delay})`;
  const isAll = down.length === total - up;
  if (down.length === 1) {
    const [it, whose] = isAll && total === 1 ? ["it", "it"] : [isAll ? "it" : "the predictable one", "them"];
    return `${notUpWords(eta)}. If what keeps ${isAll ? "it" : whose} down were fixed now, ${it} would be up at ${lastWords}.`;
  }
  const whom = isAll ? "them" : "the predictable ones";
  const shares = distinctQuantiles(eta).slice(0, -1);
  const steps = shares.map((one) => `${one.share === 0.5 ? `half of ${whom}` : formatPercent(one.share)}`);
  const lead = `${notUpWords(eta)}. If what keeps them down were fixed now,`;
  if (shares.length === 0) return `${lead} all of ${whom} would be up at ${lastWords}.`;
  const parts = shares.map((one, index) => `${steps[index]}${index === 0 ? " would be up" : ""} ${inWords(eta, one)}`);
  return `${lead} ${parts.join(", ")}, the last at ${lastWords}.`;
}

/**
 * Returns "2 of 5 pods are not up: 1 predictable, 1 unknown". Every container that is not up is in one of the counts.
 * The counts are left out if all are of one kind.
 */
function notUpWords(eta: Eta): string {
  const { total, up, down, overdue } = eta;
  const notUp = total - up;
  const counts = [
    { count: down.length, word: "predictable" },
    { count: overdue.length, word: "overdue" },
    { count: unknownCount(eta), word: "unknown" },
  ].filter(({ count }) => count > 0);
  const kinds = counts.length > 1 ? `: ${counts.map(({ count, word }) => `${count} ${word}`).join(", ")}` : "";
  if (total === 1) return `The ${nounOf(eta)} is not up`;
  if (up === 0) return `None of ${countedOf(eta, total)} is up${kinds}`;
  return `${notUp} of ${countedOf(eta, total)} ${notUp === 1 ? "is" : "are"} not up${kinds}`;
}

export function unknownCount({ unknown }: Eta): number {
  return unknown.reduce((sum, { places }) => sum + places.length, 0);
}

function inWords({ atMs }: Eta, quantile: Pick<EtaQuantile, "atMs">): string {
  return formatCountdownTo(quantile.atMs - atMs);
}

/**
 * Returns the name of a container's pod: with the namespace if a container of another namespace is down, too, and with
 * the container's name if a pod has several containers.
 */
function nameIn({ down, total, pods }: Eta, { namespace, pod, container }: ContainerPlace): string {
  const isOne = down.every((other) => other.namespace === namespace);
  return harmless(`${isOne ? "" : `${namespace}/`}${pod}${total === pods ? "" : ` ${container}`}`);
}

const MOST_NAMED = 3;

function named(eta: Eta, places: readonly ContainerPlace[]): string {
  return firstOf(places, MOST_NAMED, (place) => nameIn(eta, place));
}

const UNKNOWN: Readonly<Record<EtaUnknown["reason"], string>> = {
  unscheduled: "not scheduled to any node",
  "node-not-ready": "on a node that is NotReady",
  "held-up": "held up by a volume, the network or a device",
  "init-running": "waiting for an init container that is running",
  starting: "starting",
  "stays-down": "failed, and will not restart",
  "needs-unknown": "in need of what has no predictable start",
  "no-data": "without enough data to predict the restart",
};

/**
 * Returns sentences about the failed Jobs, the containers that are overdue or unknown, with a command that explains one
 * of them, and the containers that count as up but are not Ready or crash-looping.
 */
export function setApart(eta: Eta, times: Times): Advice[] {
  const { overdue, unknown, notReady, crashLooping } = eta;
  const [first] = overdue;
  const isLate = first !== undefined && first.overdue !== null;
  const since = isLate ? times.instant(first.overdue.expectedByMs) : "";
  const place = first ?? unknown[0]?.places[0];
  const alone = (sentence: string): Advice => ({ sentence, command: null });
  return [
    ...eta.failedJobs.flatMap((job) => failedJobAdvice(job, times)),
    ...(isLate ? [alone(`${overdue.length} overdue since ${since} or later: ${named(eta, overdue)}.`)] : []),
    ...unknown.map(({ reason, places }) =>
      alone(`${places.length} unknown (${UNKNOWN[reason]}): ${named(eta, places)}.`),
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

/** Returns the sentences about the addresses that the containers that are down need. */
export function needWords({ needs }: Eta, times: Times): Advice[] {
  return needs.flatMap(({ sentence }) =>
    sentence === null ? [] : [{ sentence: harmless(times.text(sentence)), command: null }],
  );
}

function failedJobAdvice({ namespace, summary, nextSteps: [first] }: FailedJob, times: Times): Advice[] {
  const why = harmless(times.text(prose`${namespace}/${summary} Once the cause is fixed, create the Job again.`));
  const advice = { sentence: why, command: null };
  return first === undefined ? [advice] : [advice, { sentence: `To ${first.what}:`, command: harmless(first.command) }];
}

/** A sentence, and the command to print below it; null without a command. */
export interface Advice {
  readonly sentence: string;
  readonly command: string | null;
}

/**
 * Returns what most of the last starts have in common, and what is faster than waiting: to delete the pods with the
 * longest waits, or a rollout.
 */
export function fasterWords(eta: Eta, times: Times): Advice[] {
  const { bottleneck, faster, quantilesOfDown } = eta;
  const all = quantilesOfDown.at(-1);
  const { deletion, rollout } = faster;
  const advice: Advice[] = bottleneck === null ? [] : [{ sentence: harmless(bottleneck.sentence), command: null }];
  if (deletion !== null && all !== undefined) {
    const { pods, others, after } = deletion;
    const one = others.count === 0 ? "the pod" : "the pod with the longest wait";
    const which = pods.length === 1 ? one : `the ${pods.length} pods with the longest waits`;
    const outcome =
      others.count === 0
        ? ""
        : `, and the last of the others is up ${inWords(eta, others)} (${times.instant(others.atMs)}) instead of ${countdownCellTo(all.atMs - eta.atMs)}`;
    const command = deleteCommand(pods);
    const names = command === null ? " -o json names the pods." : "";
    const services = after.map(({ service }) => ` and ${harmless(service)} is up`).join("");
    const sentence = `Once what keeps them down is fixed${services}, deleting ${which} is faster than waiting: fresh pods start without delay${outcome}. It changes the cluster.${names}`;
    advice.push({ sentence, command });
  }
  if (rollout !== null) advice.push({ sentence: rolloutWords(eta, rollout), command: null });
  return advice;
}

const MOST_IN_COMMAND = 3;

function deleteCommand(pods: readonly Pick<ContainerPlace, "namespace" | "pod">[]): string | null {
  const [first] = pods;
  const names = pods.map(({ pod }) => pod);
  const isOne = pods.every(({ namespace }) => namespace === first?.namespace);
  const isShort = first !== undefined && isOne && names.length <= MOST_IN_COMMAND;
  if (!isShort || !isForShell(first.namespace, ...names)) return null;
  return `kubectl delete pod ${names.join(" ")} -n ${first.namespace}`;
}

function argumentsFor({ pod, namespace }: ContainerPlace): string {
  return isForShell(pod, namespace) ? `${pod} -n ${namespace}` : "POD";
}

/** Whether the names need no quotes in a shell. Names in Kubernetes never need them; names in a file may. */
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

export function assumptions({ down, needs }: Pick<Eta, "down" | "needs">): string[] {
  const own = "Each container that is down starts at its next restart and stays up; each one that runs stays up.";
  const isOrdered = needs.some(({ effect }) => effect === "waits");
  return [
    isOrdered
      ? `${own} One that starts before what its last output names is ready crashes again, after a run as long as its last one. ` +
        "A pod that others need is ready when it has started and the initial delay of its probes is over. Whatever else is " +
        "needed of other workloads is up by then."
      : `${own} ${needs.length === 0 ? "What" : "Whatever else"} it needs of other workloads is up by then.`,
    ...(down.some(({ waitsFor }) => waitsFor !== null) ? ["An init container that starts is done immediately."] : []),
  ];
}

export function assumptionWords(eta: Eta): string {
  return `Assumes: ${assumptions(eta).join(" ")}`;
}
