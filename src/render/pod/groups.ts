import type { Explanation, FailedJob, PodExplanation, Verdict, Window } from "../../explain/answer/explanation.ts";
import { firstOf, prose } from "../../explain/answer/prose.ts";
import { tellingLine } from "../../explain/answer/telling-line.ts";
import { awaitsRestart, byStart, mainContainer, nextStartOf } from "../../explain/triage.ts";
import { ceilToSecond } from "../../kubelet/go-duration.ts";
import { answerOf } from "../page/answer.ts";
import { stateWords } from "../page/container-words.ts";
import { formatWindow } from "../page/durations.ts";
import { hasPodEnded } from "../page/ending.ts";
import { windowClause } from "../page/next-start.ts";
import type { Moment } from "../page/page.ts";
import { counted } from "../page/paint.ts";

const MOST_NAMES = 20;
/** Limits the names of pods that have ended: a workload may have left dozens of failed or completed pods. */
const FEW_NAMES = 3;

export interface AlikePods {
  readonly pod: PodExplanation;
  readonly others: readonly PodExplanation[];
  readonly title: string | null;
  /** If the pods of a Job are on several pages, only one page shows the Job. */
  readonly job?: FailedJob;
}

export function podPages(explanation: Explanation) {
  const { pods, failedJobs = [] } = explanation;
  const pages: AlikePods[] = [];
  const fine: PodExplanation[] = [];
  const jobs = new Set(failedJobs);
  for (const { kind, members } of explanation.groups ?? pods.map((_, index) => ({ kind: "alike", members: [index] }))) {
    const [pod, ...others] = members.flatMap((index) => pods[index] ?? []);
    if (pod === undefined) continue;
    if (kind === "fine") fine.push(pod, ...others);
    else {
      const title = others.length === 0 ? null : titleOf(pod, others.length + 1, explanation);
      const job = failedJobs.find((each) => jobs.has(each) && hasFailedWith(pod, each));
      pages.push(job === undefined ? { pod, others, title } : { pod: withoutJobFailure(pod), others, title, job });
      if (job !== undefined) jobs.delete(job);
    }
  }
  return { pages, fine, jobs: [...jobs] };
}

function hasFailedWith({ namespace, owner, verdict }: PodExplanation, job: FailedJob): boolean {
  return verdict === "failed" && owner?.kind === "Job" && owner.name === job.name && namespace === job.namespace;
}

/** The headline already says that the Job has failed. */
function withoutJobFailure(pod: PodExplanation): PodExplanation {
  return { ...pod, ownerEvidence: pod.ownerEvidence?.filter(({ rule }) => rule !== "job-failed") ?? [] };
}

export function fineSentence(fine: readonly PodExplanation[]): string {
  const kinds = Map.groupBy(fine, ({ verdict }) => (verdict === "completed" ? "completed" : "healthy"));
  const sentences = (["healthy", "completed"] as const).flatMap((kind) => {
    const names = (kinds.get(kind) ?? []).map(({ namespace, name }) => `${namespace}/${name}`);
    return names.length === 0 ? [] : [`${counted(names.length, `${kind} pod`)}: ${firstOf(names, MOST_NAMES)}.`];
  });
  return sentences.join(" ");
}

function titleOf(lead: PodExplanation, count: number, { pods, selection }: Explanation): string {
  const owner = topOwner(lead);
  const all = pods.filter((pod) => pod.namespace === lead.namespace && topOwner(pod) === owner).length;
  // A pod of which only the ReplicaSet is known may belong to the same workload as the pods of this page.
  const isOpen = pods.some((pod) => topOwner(pod) !== owner && topOwner(pod).startsWith("replicaset/"));
  const isWhole = !isOpen && (selection?.leftOutFine ?? 0) + (selection?.leftOutFailing ?? 0) === 0;
  const name = (lead.owners?.at(-1) ?? lead.owner)?.name ?? lead.name;
  return `${lead.namespace}/${name} (${count}${isWhole ? ` of ${all}` : ""} pods)`;
}

function topOwner({ owners = [], owner }: PodExplanation): string {
  const top = owners.at(-1) ?? owner;
  return top === null ? "no owner" : `${top.kind.toLowerCase()}/${top.name}`;
}

export function answerFor({ pod, others, title, job }: AlikePods, moment: Moment) {
  if (job !== undefined) return { headline: jobSummary(job, moment), next: "" };
  const { headline, next } = answerOf(pod, moment, { title, hasNotes: true });
  const windows = [pod, ...others].flatMap((one) => startsOf(one));
  const [first, ...more] = windows.toSorted(byStart);
  if (first === undefined || more.length === 0) return { headline, next };
  const lastMs = Math.max(...windows.map(({ likelyByMs }) => likelyByMs));
  const last = `the last of the ${windows.length} by ${moment.times.instant(ceilToSecond(lastMs))}`;
  return { headline, next: `Next restart ${windowClause(first, moment)}, ${last}.` };
}

export function jobSummary({ namespace, summary }: FailedJob, { times }: Moment): string {
  return times.text(prose`${namespace}/${summary}`);
}

function startsOf(pod: PodExplanation): Window[] {
  const main = mainContainer(pod);
  return main === undefined || main.nextRestart === null || !awaitsRestart(main) ? [] : [main.nextRestart];
}

export function alsoText({ pod: lead, others }: AlikePods, moment: Moment): string {
  if (others.length === 0) return "";
  const names = others.map((pod) => {
    const when = pod.verdict === "failed" ? endOf(pod, moment) : whenOf(pod, lead, moment.nowMs);
    return `${pod.namespace === lead.namespace ? "" : `${pod.namespace}/`}${pod.name}${when && ` (${when})`}`;
  });
  return firstOf(names, hasPodEnded(lead) ? FEW_NAMES : MOST_NAMES) + sameness(lead, others);
}

function whenOf(pod: PodExplanation, lead: PodExplanation, nowMs: number): string {
  const next = nextStartOf(pod);
  if (next !== null) return formatWindow(next, nowMs);
  const [state, stateOfLead] = [mainContainer(pod)?.state, mainContainer(lead)?.state];
  return state === undefined || state === stateOfLead ? "" : stateWords(state);
}

function endOf(pod: PodExplanation, { times }: Moment): string {
  const endedAtMs = mainContainer(pod)?.lastExit?.finishedAtMs ?? null;
  return endedAtMs === null ? "" : `ended at ${times.instant(endedAtMs)}`;
}

function sameness(lead: PodExplanation, others: readonly PodExplanation[]): string {
  const ofLead = mainContainer(lead);
  const line = lastWordsOf(lead);
  const isSameLine = line !== null && others.every((pod) => lastWordsOf(pod) === line);
  const same = [...(ofLead?.lastExit == null ? [] : ["same exit"]), ...(isSameLine ? ["same log line"] : [])];
  return same.length === 0 ? "" : `: ${same.join(", ")}`;
}

function lastWordsOf(pod: PodExplanation): string | null {
  return tellingLine(mainContainer(pod)?.logs?.lines ?? [])?.text ?? null;
}

const VERDICTS_BY_URGENCY: readonly Verdict[] = [
  "crash-looping",
  "image-pull-back-off",
  "start-failing",
  "failed",
  "unknown",
  "pending",
  "terminating",
  "running",
  "completed",
];

export function leftOutSentence({ pods, selection }: Explanation): string {
  if (selection === undefined || selection.leftOutFine + selection.leftOutFailing === 0) return "";
  const { matched, leftOutFine, leftOutFailing } = selection;
  const rest = [
    ...(leftOutFailing > 0 ? [`${leftOutFailing} more failing`] : []),
    ...(leftOutFine > 0 ? [`${leftOutFine} healthy`] : []),
  ];
  const way = leftOutFailing > 0 ? " Narrow down with -n or -l." : "";
  return `Showing ${pods.length} of ${matched} pods (${rest.join(", ")} not shown).${way}`;
}

export function totals(pods: readonly PodExplanation[], when: (start: Window) => string): string {
  const counts = VERDICTS_BY_URGENCY.flatMap((verdict) => {
    const count = pods.filter((pod) => pod.verdict === verdict).length;
    return count > 0 ? [`${count} ${verdict}`] : [];
  });
  return `${counted(pods.length, "pod")}: ${counts.join(", ")}.${firstStart(pods, when)}`;
}

function firstStart(pods: readonly PodExplanation[], when: (start: Window) => string): string {
  const starts = pods.flatMap((pod) =>
    pod.containers.flatMap(({ name, nextRestart }) => (nextRestart === null ? [] : [{ pod, name, ...nextRestart }])),
  );
  const [first] = starts.toSorted(byStart);
  if (first === undefined) return "";
  const { pod, name } = first;
  return ` First to restart: ${name} of ${pod.namespace}/${pod.name}, ${when(first)}.`;
}
