import type {
  Change,
  ContainerExplanation,
  Evidence,
  Explanation,
  FailedJob,
  FailingSince,
  NextExit,
  NextStep,
  Overdue,
  PodExplanation,
  PolicyExplanation,
} from "../../explain/answer/explanation.ts";
import { textInUtc } from "../../explain/answer/prose.ts";
import { isFine, mainContainer } from "../../explain/triage.ts";
import { summaryOf } from "../page/answer.ts";
import { escapeInJson, harmless } from "../page/harmless.ts";
import { newestRuns } from "../page/newest-runs.ts";
import type { Moment } from "../page/page.ts";
import { timesAround } from "../page/times.ts";
import { impactToJson } from "./impact-json.ts";
import { API_VERSION, pick, seconds, timeOrNull, utcText, windowToJson } from "./json-values.ts";
import { settingsToJson } from "./settings-json.ts";

/** See docs/explanation.schema.json. */
export function explanationToJson({ atMs, atBasis, pods, failedJobs = [], groups = [], selection }: Explanation) {
  const moment = { nowMs: atMs, times: timesAround(atMs, "UTC") };
  return {
    apiVersion: API_VERSION,
    kind: "Explanation",
    at: utcText(atMs),
    atBasis,
    pods: pods.map((pod) => podToJson(pod, moment)),
    failedJobs: failedJobs.map(failedJobToJson),
    groups: groups.map(({ kind, members }) => {
      const named = members.flatMap((index) => pods[index] ?? []);
      return { kind, pods: named.map((pod) => pick(pod, "namespace", "name")) };
    }),
    selection: selection
      ? {
          matched: selection.matched,
          explained: pods.length,
          leftOut: { fine: selection.leftOutFine, inTrouble: selection.leftOutFailing },
        }
      : null,
  };
}

export function failedJobToJson(job: FailedJob) {
  return {
    ...pick(job, "namespace", "name"),
    failedAt: timeOrNull(job.failedAtMs),
    ...pick(job, "reason", "message", "failedPods", "backoffLimit"),
    summary: textInUtc(job.summary),
    nextSteps: job.nextSteps.map(stepToJson),
  };
}

/** Indents by 4 spaces, as `kubectl get -o json` does. */
export function jsonText(form: object): string {
  return `${escapeInJson(JSON.stringify(form, null, 4))}\n`;
}

export function jsonLine(form: object): string {
  return `${escapeInJson(JSON.stringify(form))}\n`;
}

export function nameLines(pods: readonly string[]): string {
  return pods.map((pod) => `pod/${harmless(pod)}\n`).join("");
}

export function renderNames({ pods }: Explanation): string {
  return nameLines(pods.map(({ name }) => name));
}

function podToJson(pod: PodExplanation, moment: Moment) {
  const { owner, owners = [], ownerEvidence = [], changes = [], events = [], nextSteps = [] } = pod;
  return {
    ...pick(pod, "namespace", "name", "uid", "node", "phase"),
    owner: owner && pick(owner, "kind", "name"),
    verdict: pod.verdict,
    summary: summaryOf(pod, moment),
    ...sinceToJson(isFine(pod) ? null : mainContainer(pod)?.failingSince),
    policy: policyToJson(pod.policy),
    containers: pod.containers.map(containerToJson),
    plan: [...pod.plan],
    gaps: pod.gaps.map((gap) => pick(gap, "code", "message")),
    owners: owners.map((each) => pick(each, "kind", "name", "basis")),
    ownerEvidence: ownerEvidence.map(evidenceToJson),
    changes: changes.map(changeToJson),
    events: events.map((event) => ({
      ...pick(event, "regarding", "reason", "message", "container", "count"),
      ...(event.isLowerBound && { countIsLowerBound: true }),
      firstAt: timeOrNull(event.firstAtMs),
      lastAt: timeOrNull(event.lastAtMs),
    })),
    nextSteps: nextSteps.map(stepToJson),
    ...impactToJson(pod),
  };
}

function stepToJson(step: NextStep) {
  return pick(step, "what", "command", "changesCluster", "note");
}

function changeToJson(change: Change) {
  const { betweenMs, settings = [] } = change;
  return {
    ...pick(change, "kind", "name"),
    between: betweenMs?.map(utcText) ?? null,
    ...pick(change, "by", "basis"),
    sentence: textInUtc(change.sentence),
    settings: settings.map((setting) => pick(setting, "container", "path", "kind", "old", "new")),
  };
}

export function policyToJson({ initialMs, maxMs, resetAfterMs, retry, kubeletVersion, basis }: PolicyExplanation) {
  const curve = { initialSeconds: initialMs / 1000, maxSeconds: maxMs / 1000, resetAfterSeconds: resetAfterMs / 1000 };
  return { ...curve, retry, kubeletVersion, basis };
}

function containerToJson(container: ContainerExplanation) {
  const { nextRestart, overdue, reset, ifItExits, lastExit, history, imagePull, evidence, logs } = container;
  const runs = newestRuns(history);
  return {
    ...pick(container, "name", "type", "image", "state", "reported", "restartCount"),
    delaySeconds: seconds(container.delayMs),
    ...otherDelays(container),
    delayBasis: container.delayBasis,
    nextRestart: windowToJson(nextRestart),
    overdue: overdueToJson(overdue),
    reset: reset && { at: utcText(reset.atMs), how: reset.how },
    ifItExits: ifItExits?.map(nextExitToJson) ?? null,
    expectedKill: expectedKillToJson(container),
    lastExit: lastExit && {
      startedAt: timeOrNull(lastExit.startedAtMs),
      finishedAt: timeOrNull(lastExit.finishedAtMs),
      ...pick(lastExit, "exitCode", "signal", "reason", "message", "cause", "causeBasis"),
      meaning: textInUtc(lastExit.meaning),
    },
    history: runs.shown.map((run) => ({
      start: run.start,
      startedAt: timeOrNull(run.startedAtMs),
      finishedAt: timeOrNull(run.finishedAtMs),
      exitCode: run.exitCode,
      waitedSeconds: seconds(run.waitedMs),
      basis: run.basis,
      startedBetween: run.startedBetweenMs?.map(utcText) ?? null,
    })),
    historyOmitted: runs.leftOut,
    imagePull: imagePull && {
      image: imagePull.image,
      delaySeconds: seconds(imagePull.delayMs),
      nextPull: windowToJson(imagePull.nextPull),
    },
    why: textInUtc(container.why),
    evidence: evidence.map(evidenceToJson),
    ...(container.waitsFor !== undefined && { waitsFor: container.waitsFor.name }),
    logs: logs === undefined ? null : pick(logs, "instance", "lines", "isTruncated"),
    ...settingsToJson(container),
  };
}

function expectedKillToJson({ expectedKill }: ContainerExplanation) {
  if (expectedKill === null) return null;
  return { probe: expectedKill.probe, ...windowToJson(expectedKill) };
}

function nextExitToJson(exit: NextExit, index: number) {
  const how = exit.probe === null ? "exits" : "killed-by-probe";
  return { how, delaySeconds: exit.delayMs / 1000, ...otherDelays(exit), likely: index === 0 };
}

function otherDelays({ otherDelaysMs }: Pick<NextExit, "otherDelaysMs">) {
  return otherDelaysMs !== undefined && { otherDelaysSeconds: otherDelaysMs.map((ms) => ms / 1000) };
}

function evidenceToJson({ basis, rule, text }: Evidence) {
  return { basis, rule, text: textInUtc(text) };
}

export function overdueToJson(overdue: Overdue | null) {
  return overdue && { expectedBy: utcText(overdue.expectedByMs) };
}

/**
 * If only the latest possible beginning of the failures is known, it has a field of its own, so that no script takes it
 * for the true beginning.
 */
export function sinceToJson(since: FailingSince | null | undefined) {
  const isKnown = since != null && since.isUpperBound !== true;
  return {
    failingSince: isKnown ? utcText(since.atMs) : null,
    failingSinceAtLatest: since?.isUpperBound === true ? utcText(since.atMs) : null,
  };
}
