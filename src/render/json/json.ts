import type {
  ContainerExplanation,
  ContainerLogs,
  Explanation,
  ImagePull,
  LastExit,
  NextExit,
  Overdue,
  PodExplanation,
  PodGroup,
  PolicyExplanation,
  Reset,
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
  return { kind, pods: named.map(({ namespace, name }) => ({ namespace, name })) };
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

/** An explanation in its stable machine form. */
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

function podToJson(pod: PodExplanation) {
  const { namespace, name, uid, node, phase, owner, verdict, summary, owners = [], ownerEvidence = [] } = pod;
  return {
    namespace,
    name,
    uid,
    node,
    phase,
    owner: owner && { kind: owner.kind, name: owner.name },
    verdict,
    summary,
    policy: policyToJson(pod.policy),
    containers: pod.containers.map(containerToJson),
    plan: [...pod.plan],
    gaps: pod.gaps.map(({ code, message }) => ({ code, message })),
    owners: owners.map(({ kind, name: ownerName, basis }) => ({ kind, name: ownerName, basis })),
    ownerEvidence: ownerEvidence.map(({ basis, rule, text }) => ({ basis, rule, text })),
    events: (pod.events ?? []).map(eventToJson),
    nextSteps: (pod.nextSteps ?? []).map(({ what, command, changesCluster, note }) => {
      return { what, command, changesCluster, note };
    }),
  };
}

/** The policy as every form of JSON gives it: exactly, for a kubelet takes fractions of a millisecond. */
export function policyToJson({ initialMs, maxMs, resetAfterMs, retry, kubeletVersion, basis }: PolicyExplanation) {
  const curve = { initialSeconds: initialMs / 1000, maxSeconds: maxMs / 1000, resetAfterSeconds: resetAfterMs / 1000 };
  return { ...curve, retry, kubeletVersion, basis };
}

function containerToJson(container: ContainerExplanation) {
  const { name, type, image, state, reported, restartCount, delayBasis, why } = container;
  return {
    name,
    type,
    image,
    state,
    reported,
    restartCount,
    delaySeconds: seconds(container.delayMs),
    delayBasis,
    nextRestart: windowToJson(container.nextRestart),
    overdue: overdueToJson(container.overdue),
    reset: resetToJson(container.reset),
    ifItExits: container.ifItExits?.map(nextExitToJson) ?? null,
    lastExit: exitToJson(container.lastExit),
    history: container.history.map(runToJson),
    imagePull: pullToJson(container.imagePull),
    why,
    evidence: container.evidence.map(({ basis, rule, text }) => ({ basis, rule, text })),
    logs: logsToJson(container.logs),
  };
}

function logsToJson(logs: ContainerLogs | undefined) {
  return logs === undefined ? null : { instance: logs.instance, lines: [...logs.lines], isTruncated: logs.isTruncated };
}

function eventToJson({ regarding, reason, message, container, count, firstAtMs, lastAtMs }: WarningEvent) {
  return { regarding, reason, message, container, count, firstAt: maybeTime(firstAtMs), lastAt: maybeTime(lastAtMs) };
}

/** A window as every form of JSON gives it. */
export function windowToJson(window: Window | null) {
  if (window === null) return null;
  return { notBefore: time(window.notBeforeMs), likelyBy: time(window.likelyByMs), confidence: window.confidence };
}

function nextExitToJson({ how, delayMs, likely }: NextExit) {
  return { how, delaySeconds: delayMs / 1000, likely };
}

/** The same in an explanation and in a list. */
function overdueToJson(overdue: Overdue | null) {
  return overdue && { expectedBy: time(overdue.expectedByMs) };
}

function resetToJson(reset: Reset | null) {
  return reset && { at: time(reset.atMs), how: reset.how };
}

function exitToJson(exit: LastExit | null) {
  if (exit === null) return null;
  const { startedAtMs, finishedAtMs, exitCode, signal, reason, message, cause, causeBasis, meaning } = exit;
  const times = { startedAt: maybeTime(startedAtMs), finishedAt: maybeTime(finishedAtMs) };
  return { ...times, exitCode, signal, reason, message, cause, causeBasis, meaning };
}

function runToJson({ start, startedAtMs, finishedAtMs, exitCode, waitedMs, basis, startedBetweenMs }: Run) {
  return {
    start,
    startedAt: maybeTime(startedAtMs),
    finishedAt: maybeTime(finishedAtMs),
    exitCode,
    waitedSeconds: seconds(waitedMs),
    basis,
    startedBetween: startedBetweenMs === null ? null : startedBetweenMs.map(time),
  };
}

function pullToJson(pull: ImagePull | null) {
  return pull && { image: pull.image, delaySeconds: seconds(pull.delayMs), nextPull: windowToJson(pull.nextPull) };
}

function maybeTime(atMs: number | null): string | null {
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
      namespace: item.namespace,
      pod: item.pod,
      container: item.container,
      state: item.state,
      startedAt: maybeTime(item.startedAtMs),
      isReady: item.isReady,
      reported: item.reported,
      restartCount: item.restartCount,
      delaySeconds: seconds(item.delayMs),
      nextRestart: windowToJson(item.nextRestart),
      overdue: overdueToJson(item.overdue),
      cause: item.cause,
      exitCode: item.lastExit?.exitCode ?? null,
      failingSince: maybeTime(item.failingSinceMs),
      node: item.node,
      isNodeReady: item.isNodeReady,
      owner: item.owner,
      workload: item.workload,
      createdAt: maybeTime(item.createdAtMs),
    })),
    gaps,
  };
}

/** A list in its stable machine form. */
export function renderListJson(list: BackoffList, isIncomplete: boolean): string {
  return jsonText(listToJson(list, isIncomplete));
}

/** `pod/NAME` of each pod, once, as `kubectl get -o name` has it; empty if there is none. */
export function renderListNames({ items }: BackoffList): string {
  return [...new Set(items.map(({ pod }) => `pod/${pod.toWellFormed()}\n`))].map(escapeInJson).join("");
}
