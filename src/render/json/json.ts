import type {
  ContainerExplanation,
  Explanation,
  LastExit,
  Overdue,
  PodExplanation,
  PodGroup,
  PolicyExplanation,
  Run,
  WarningEvent,
  Window,
} from "../../explain/answer/explanation.ts";
import type { BackoffList } from "../../explain/list.ts";
import { escapeInJson } from "../page/harmless.ts";

/**
 * The stable machine form, `backoff/v1`, which docs/explanation.schema.json describes: seconds for milliseconds, and RFC 3339
 * for instants.
 */
export function explanationToJson(explanation: Explanation) {
  return {
    apiVersion: "backoff/v1",
    kind: "Explanation",
    at: time(explanation.atMs),
    atBasis: explanation.atBasis,
    pods: explanation.pods.map(podToJson),
    groups: (explanation.groups ?? []).map((group) => groupToJson(group, explanation.pods)),
    selection: selectionToJson(explanation),
  };
}

function groupToJson({ kind, members }: PodGroup, pods: readonly PodExplanation[]) {
  const named = members.flatMap((index) => pods[index] ?? []);
  return { kind, pods: named.map((pod) => pick(pod, "namespace", "name")) };
}

function selectionToJson({ pods, selection }: Explanation) {
  if (selection === undefined) return null;
  const { matched, leftOutFine, leftOutInTrouble } = selection;
  return { matched, explained: pods.length, leftOut: { fine: leftOutFine, inTrouble: leftOutInTrouble } };
}

/** A machine form as JSON, indented as kubectl does, without anything that a terminal would obey. */
export function jsonText(form: object): string {
  return `${escapeInJson(JSON.stringify(form, null, 4))}\n`;
}

/** Records of the same fields as a table for spreadsheets. */
export function csvText(records: readonly object[]): string {
  const [first = {}] = records;
  return [Object.keys(first), ...records.map(Object.values)].map((row) => `${row.join(",")}\n`).join("");
}

export function renderJson(explanation: Explanation): string {
  return jsonText(explanationToJson(explanation));
}

/** An explanation as one line of JSON, for streams of explanations. */
export function renderJsonLine(explanation: Explanation): string {
  return `${escapeInJson(JSON.stringify(explanationToJson(explanation)))}\n`;
}

/** An instant as RFC 3339 in UTC, with a fraction only where it has one: "2026-11-21T14:04:38Z". */
export function time(atMs: number): string {
  return new Date(atMs).toISOString().replace(".000Z", "Z");
}

/** These fields alone of an object. */
export function pick<T, K extends keyof T>(from: T, ...fields: readonly K[]): Pick<T, K> {
  return Object.fromEntries(fields.map((field) => [field, from[field]])) as Pick<T, K>;
}

function podToJson(pod: PodExplanation) {
  const { owner, owners = [], ownerEvidence = [], events = [], nextSteps = [] } = pod;
  return {
    ...pick(pod, "namespace", "name", "uid", "node", "phase"),
    owner: owner && pick(owner, "kind", "name"),
    ...pick(pod, "verdict", "summary"),
    policy: policyToJson(pod.policy),
    containers: pod.containers.map(containerToJson),
    plan: [...pod.plan],
    gaps: pod.gaps.map((gap) => pick(gap, "code", "message")),
    owners: owners.map((each) => pick(each, "kind", "name", "basis")),
    ownerEvidence: ownerEvidence.map((each) => pick(each, "basis", "rule", "text")),
    events: events.map(eventToJson),
    nextSteps: nextSteps.map((step) => pick(step, "what", "command", "changesCluster", "note")),
  };
}

/** The policy as every form of JSON gives it: exactly, for a kubelet takes fractions of a millisecond. */
export function policyToJson({ initialMs, maxMs, resetAfterMs, retry, kubeletVersion, basis }: PolicyExplanation) {
  const curve = { initialSeconds: initialMs / 1000, maxSeconds: maxMs / 1000, resetAfterSeconds: resetAfterMs / 1000 };
  return { ...curve, retry, kubeletVersion, basis };
}

function containerToJson(container: ContainerExplanation) {
  const { nextRestart, overdue, reset, ifItExits, lastExit, history, imagePull, evidence, logs } = container;
  return {
    ...pick(container, "name", "type", "image", "state", "reported", "restartCount"),
    delaySeconds: seconds(container.delayMs),
    delayBasis: container.delayBasis,
    nextRestart: windowToJson(nextRestart),
    overdue: overdueToJson(overdue),
    reset: reset && { at: time(reset.atMs), how: reset.how },
    ifItExits: ifItExits?.map(({ how, delayMs, likely }) => ({ how, delaySeconds: delayMs / 1000, likely })) ?? null,
    lastExit: exitToJson(lastExit),
    history: history.map(runToJson),
    imagePull: imagePull && {
      image: imagePull.image,
      delaySeconds: seconds(imagePull.delayMs),
      nextPull: windowToJson(imagePull.nextPull),
    },
    why: container.why,
    evidence: evidence.map((each) => pick(each, "basis", "rule", "text")),
    logs: logs === undefined ? null : pick(logs, "instance", "lines", "isTruncated"),
  };
}

function eventToJson(event: WarningEvent) {
  return {
    ...pick(event, "regarding", "reason", "message", "container", "count"),
    firstAt: timeOrNull(event.firstAtMs),
    lastAt: timeOrNull(event.lastAtMs),
  };
}

/** A window as every form of JSON gives it. */
export function windowToJson(window: Window | null) {
  if (window === null) return null;
  return { notBefore: time(window.notBeforeMs), likelyBy: time(window.likelyByMs), confidence: window.confidence };
}

function overdueToJson(overdue: Overdue | null) {
  return overdue && { expectedBy: time(overdue.expectedByMs) };
}

function exitToJson(exit: LastExit | null) {
  return (
    exit && {
      startedAt: timeOrNull(exit.startedAtMs),
      finishedAt: timeOrNull(exit.finishedAtMs),
      ...pick(exit, "exitCode", "signal", "reason", "message", "cause", "causeBasis", "meaning"),
    }
  );
}

function runToJson({ start, startedAtMs, finishedAtMs, exitCode, waitedMs, basis, startedBetweenMs }: Run) {
  return {
    start,
    startedAt: timeOrNull(startedAtMs),
    finishedAt: timeOrNull(finishedAtMs),
    exitCode,
    waitedSeconds: seconds(waitedMs),
    basis,
    startedBetween: startedBetweenMs?.map(time) ?? null,
  };
}

/** An instant as RFC 3339, if it is known. */
export function timeOrNull(atMs: number | null): string | null {
  return atMs === null ? null : time(atMs);
}

function seconds(ms: number | null): number | null {
  return ms === null ? null : ms / 1000;
}

/** The stable machine form of a list, `backoff/v1`; docs/backoff-list.schema.json describes it. */
export function listToJson({ atMs, items, gaps }: BackoffList, isIncomplete: boolean) {
  return {
    apiVersion: "backoff/v1",
    kind: "BackoffList",
    at: time(atMs),
    ...(isIncomplete && { incomplete: true }),
    items: items.map((item) => ({
      ...pick(item, "namespace", "pod", "container", "state"),
      startedAt: timeOrNull(item.startedAtMs),
      ...pick(item, "isReady", "reported", "restartCount"),
      delaySeconds: seconds(item.delayMs),
      nextRestart: windowToJson(item.nextRestart),
      overdue: overdueToJson(item.overdue),
      cause: item.cause,
      exitCode: item.lastExit?.exitCode ?? null,
      failingSince: timeOrNull(item.failingSinceMs),
      ...pick(item, "node", "isNodeReady", "owner", "workload"),
      createdAt: timeOrNull(item.createdAtMs),
    })),
    gaps,
  };
}

export function renderListJson(list: BackoffList, isIncomplete: boolean): string {
  return jsonText(listToJson(list, isIncomplete));
}

/** `pod/NAME` of each pod, once, as `kubectl get -o name` has it; empty if there is none. */
export function renderListNames({ items }: BackoffList): string {
  return [...new Set(items.map(({ pod }) => `pod/${pod.toWellFormed()}\n`))].map(escapeInJson).join("");
}
